"""svmlight text: `label index:value ...  # comment`, indices from 1, plain or gzipped.

Multi-label lines are `3,17 5:0.2 ...`; a line that starts with a space has no labels. Blank lines are skipped.
"""

import gzip

import numpy as np

BINARY = {1.0: 1, -1.0: -1, 0.0: -1}


def read(path, labels=None, positive=None, dimension=None, normalize=False):
    """Instances (rounds x dimension) and labels -1, +1 (rounds x tasks).

    labels: one task per label; positive: one task, where these labels are +1; neither: one task with labels +1, 1, -1, 0.
    """
    examples = [parse(line) for line in lines(path)]
    if dimension is None:
        dimension = max((i for _, features in examples for i in features), default=0)
    instances = np.array([dense(features, dimension) for _, features in examples]).reshape(-1, dimension)
    if normalize:
        instances = np.array([unit(x) for x in instances]).reshape(-1, dimension)
    return instances, np.array([task_labels(named, labels, positive) for named, _ in examples])


def lines(path):
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    for line in content.decode().splitlines():
        line = line.split("#")[0]
        if line.strip():
            yield line


def parse(line):
    """The set of labels and {index: value} of one line."""
    tokens = line.split()
    named = set() if line[0].isspace() else {float(label) for label in tokens.pop(0).split(",")}
    pairs = (token.split(":") for token in tokens)
    return named, {int(index): float(value) for index, value in pairs}


def dense(features, dimension):
    x = np.zeros(dimension)
    for index, value in features.items():
        if not 1 <= index <= dimension:
            raise ValueError(f"index {index} is outside 1..{dimension}")
        x[index - 1] = value
    return x


def unit(x):
    norm = np.sqrt(x @ x)
    return x / norm if norm > 0 else x


def task_labels(named, labels, positive):
    if labels is not None:
        return [1 if label in named else -1 for label in labels]
    if positive is not None:
        return [1 if named & set(positive) else -1]
    if len(named) != 1 or not named <= BINARY.keys():
        raise ValueError(f"labels {sorted(named)}: a line has one of +1, 1, -1, 0 without --labels or --positive")
    return [BINARY[next(iter(named))]]
