"""What it costs to hold answers before they are learned. A person answers every question of `askfew stream` at once, but the
last answers are told to askfew only when newer ones have come.

    python3 bench/held_answers.py build/release/apps/cli/askfew SMSSpamCollection

prints the mean F of all predictions over eight orders of 3,000 messages, by the number of answers that are held and the
number of labels in the budget. The last column is the number that `askfew label` and `askfew serve` hold.
"""

import argparse
import json
import random
import statistics
import subprocess

ORDERS = 8
ROWS = 3000
BUDGETS = (30, 60, 120, 240)
HELD = {"none": lambda answers: 0, "1": lambda answers: 1, "2": lambda answers: 2, "10": lambda answers: 10,
        "one in 40, 1 to 10": lambda answers: min(10, max(1, answers // 40))}


class Stream:
    """`askfew stream`, a line at a time."""

    def __init__(self, askfew, budget):
        command = [askfew, "stream", "--labels", "spam,ham", "--budget", str(budget), "--horizon", str(ROWS)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def send(self, line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        while "change" in (answer := json.loads(self.process.stdout.readline())):
            pass
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def f_of(askfew, rows, budget, held):
    stream = Stream(askfew, budget)
    waiting = []
    answers = true_positives = wrong = 0
    for number, (label, text) in enumerate(rows):
        said = stream.send({"id": number, "text": text})
        true_positives += said["prediction"] == 1 and label == "spam"
        wrong += (said["prediction"] == 1) != (label == "spam")
        if not said["ask"]:
            continue
        answers += 1
        waiting.append((number, label))
        while len(waiting) > held(answers):
            oldest, its_label = waiting.pop(0)
            stream.send({"id": oldest, "label": its_label})
    stream.end()
    return 2 * true_positives / (2 * true_positives + wrong) if true_positives else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("askfew", help="the program")
    parser.add_argument("messages", help="the file SMSSpamCollection")
    options = parser.parse_args()
    with open(options.messages, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t", 1) for line in file]
    orders = [random.Random(seed).sample(rows, ROWS) for seed in range(ORDERS)]
    print("| labels | " + " | ".join(HELD) + " |")
    print("| ---: |" + " ---: |" * len(HELD))
    for budget in BUDGETS:
        means = [statistics.mean(f_of(options.askfew, order, budget, held) for order in orders) for held in HELD.values()]
        print(f"| {budget} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |", flush=True)


if __name__ == "__main__":
    main()
