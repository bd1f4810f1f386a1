"""Agreement between people by its definitions, naively: Cohen's kappa, Krippendorff's alpha, disagreement rates.

A question is a dictionary {person: label}. Questions with fewer than two answers do not count.
"""

import math


def shared(questions):
    return [question for question in questions if len(question) > 1]


def kappa(questions):
    """Cohen (1960); variance by Fleiss, Cohen and Everitt (1969), equation 13. None unless exactly two people share questions."""
    questions = shared(questions)
    people = sorted({person for question in questions for person in question})
    if len(people) != 2:
        return None
    pairs = [(question[people[0]], question[people[1]]) for question in questions]
    labels = sorted({label for pair in pairs for label in pair})
    n = len(pairs)
    p = {(i, j): pairs.count((i, j)) / n for i in labels for j in labels}
    row = {i: sum(p[i, j] for j in labels) for i in labels}
    column = {j: sum(p[i, j] for i in labels) for j in labels}
    po = sum(p[i, i] for i in labels)
    pe = sum(row[i] * column[i] for i in labels)
    if pe == 1:
        return None
    value = (po - pe) / (1 - pe)
    a = sum(p[i, i] * (1 - (row[i] + column[i]) * (1 - value)) ** 2 for i in labels)
    b = (1 - value) ** 2 * sum(p[i, j] * (column[i] + row[j]) ** 2 for i in labels for j in labels if i != j)
    c = (value - pe * (1 - value)) ** 2
    return value, math.sqrt(max(0, a + b - c) / n) / (1 - pe)


def alpha_alone(questions):
    """Krippendorff's alpha as 1 - observed/expected disagreement over all pairs of answers. None if all labels are equal."""
    questions = shared(questions)
    answers = [label for question in questions for label in question.values()]
    n = len(answers)
    observed = 0
    for question in questions:
        given = list(question.values())
        differing = sum(given[i] != given[j] for i in range(len(given)) for j in range(len(given)) if i != j)
        observed += differing / (len(given) - 1) / n
    counts = {label: answers.count(label) for label in set(answers)}
    expected = sum(counts[a] * counts[b] for a in counts for b in counts if a != b)
    if expected == 0:
        return None
    return 1 - observed * n * (n - 1) / expected


def alpha(questions):
    """Alpha and the deviation by the jackknife; the deviation is None where one question decides whether there is an alpha."""
    questions = shared(questions)
    value = alpha_alone(questions)
    if value is None:
        return None
    without = [alpha_alone(questions[:k] + questions[k + 1:]) for k in range(len(questions))]
    if None in without:
        return value, None
    n = len(questions)
    mean = sum(without) / n
    return value, math.sqrt((n - 1) / n * sum((one - mean) ** 2 for one in without))


def disagreement(questions, person):
    """How many questions a person shares with others, and the mean share of the others' labels that differ."""
    rates = []
    for question in shared(questions):
        if person in question:
            others = [label for other, label in question.items() if other != person]
            rates.append(sum(label != question[person] for label in others) / len(others))
    return len(rates), sum(rates) / len(rates) if rates else 0
