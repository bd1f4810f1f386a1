"""Runs a sampler over a labelled stream, reveals labels only when asked, and writes the trace of every decision.

At each round t: margin, prediction, probability of asking, coin, label if coin < probability, update by the policy.
"""

import argparse

from reference import coin, multiclass, svmlight
from reference.learners import LEARNERS
from reference.rules import RULES
from reference.sampler import Row, Sampler
from reference.task import Task


def replay(instances, labels, learner, rule, policy=None, seed=0, seen=None, pacer=None, aim=None, audit=0):
    """Rows of the trace, sorted by round, then task. seen: {(round, task): Row}; Sampler.play uses their margins. pacer, aim:
    functions that make those of a task. audit: the least probability of asking."""
    rounds, tasks = labels.shape
    samplers = [Sampler(learner, rule, policy, Task(instances.shape[1], seed, k), pacer and pacer(), aim and aim(), audit)
                for k in range(tasks)]
    coins = [coin.generator(seed, k).random(rounds) for k in range(tasks)]
    audit_coins = [coin.generator(seed, k, coin.AUDITING).random(rounds) for k in range(tasks)]
    rows = []
    for t in range(1, rounds + 1):
        for k, sampler in enumerate(samplers):
            x, y, flip = instances[t - 1], int(labels[t - 1, k]), float(coins[k][t - 1])
            row = (seen or {}).get((t, k))
            rows.append(sampler.play(t, x, y, flip, row and row.margin, float(audit_coins[k][t - 1])))
    return rows


def write_trace(rows, path):
    with open(path, "w", newline="\n") as file:
        file.write(",".join(Row._fields) + "\n")
        for row in rows:
            file.write("%d,%d,%.17g,%.17g,%.17g,%d,%d,%d,%d\n" % row)


def summary(rows, task):
    mine = [row for row in rows if row.task == task]
    mistakes = sum(row.prediction != row.label for row in mine)
    return (f"task {task}: rounds {len(mine)}, asked {sum(row.asked for row in mine)}, "
            f"mistakes {mistakes}, updates {sum(row.updated for row in mine)}")


def numbers(text):
    return [float(number) for number in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(prog="reference.replay", description="naive reference of askfew run")
    parser.add_argument("data", help="svmlight file, plain or gzipped")
    parser.add_argument("--learner", required=True, help="name:param=value,..., of " + ", ".join(LEARNERS))
    parser.add_argument("--rule", required=True, help="name:param=value,..., of " + ", ".join(RULES))
    parser.add_argument("--update", choices=("mistake", "asked", "margin"), help="default: the learner's own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--normalize", action="store_true", help="divide each instance by its norm")
    parser.add_argument("--dimension", type=int, help="default: the largest index in the file")
    parser.add_argument("--positive", type=numbers, help="labels that count as positive in one binary task")
    parser.add_argument("--labels", type=numbers, help="labels; one task per label")
    parser.add_argument("--multiclass", action="store_true", help="the labels are classes of one task")
    parser.add_argument("--trace", required=True, help="CSV file to write")
    return parser.parse_args()


def main():
    args = arguments()
    instances, labels = svmlight.read(args.data, args.labels, args.positive, args.dimension, args.normalize)
    if args.multiclass:
        rows = multiclass.replay(instances, labels, args.labels, args.learner, args.rule, args.update, args.seed)
    else:
        rows = replay(instances, labels, args.learner, args.rule, args.update, args.seed)
    write_trace(rows, args.trace)
    for task in range(1 if args.multiclass else labels.shape[1]):
        print(summary(rows, task))


if __name__ == "__main__":
    main()
