"""Small streams for the golden tests, written as svmlight files from a fixed seed."""

import os
from collections import namedtuple

import numpy as np

# labels: the tasks of a multi-label file as the command line names them, or None; unit: always normalised
Stream = namedtuple("Stream", "name path dimension labels unit")


def write_streams(folder):
    rng = np.random.default_rng(20060707)
    return write_all(folder, [gaussian(rng), text(rng), integers(rng), zeros(rng), topics(rng), separable(rng),
                              identifiers(rng)])


def write_brief_streams(folder):
    """The same kinds, for references that solve a linear system in each round."""
    rng = np.random.default_rng(20140422)
    return write_all(folder, [gaussian(rng, rounds=150), text(rng, rounds=150, dimension=40, words=7),
                              integers(rng, rounds=150), zeros(rng, rounds=100), topics(rng, rounds=60),
                              separable(rng), identifiers(rng, rounds=100)])


def write_class_streams(folder):
    rng = np.random.default_rng(20080507)
    return write_all(folder, [classes(rng)])


def write_all(folder, streams):
    return {name: write(folder, name, *content) for name, *content in streams}


def write(folder, name, lines, dimension, labels=None, unit=False):
    path = os.path.join(folder, name + ".svm")
    with open(path, "w") as file:
        file.writelines(line + "\n" for line in lines)
    return Stream(name, path, dimension, labels, unit)


def gaussian(rng, rounds=600, dimension=20):
    """Real values, a noisy linear teacher."""
    instances = rng.normal(size=(rounds, dimension)) * (rng.random((rounds, dimension)) < 0.8)
    return "gaussian", [line(sign(y), x) for x, y in zip(instances, teach(rng, instances))], dimension


def text(rng, rounds=600, dimension=300, words=19):
    """A few positive weights per line, frequent words first, as in a bag of words; always normalised."""
    frequency = 1 / np.arange(1, dimension + 1)
    instances = np.zeros((rounds, dimension))
    for x in instances:
        present = rng.choice(dimension, size=words, p=frequency / frequency.sum())
        x[present] = (1 + np.log(rng.integers(1, 5, size=words))) * -np.log(frequency[present] / 2)
    return "text", [line(sign(y), x) for x, y in zip(instances, teach(rng, instances))], dimension, None, True


def integers(rng, rounds=600, dimension=10):
    """Small integers, so that margins tie at 0, and repeated instances, some with the other label."""
    instances = rng.integers(-2, 3, size=(rounds, dimension)).astype(float)
    for t in range(1, rounds, 3):
        instances[t] = instances[rng.integers(t)]
    return "integers", [line(sign(y), x) for x, y in zip(instances, teach(rng, instances))], dimension


def zeros(rng, rounds=300, dimension=12):
    """A quarter of the instances, including the first two, are zero, written without features or with values 0."""
    instances = rng.normal(size=(rounds, dimension)) * (rng.random(rounds) < 0.75)[:, None]
    instances[:2] = 0
    labels = teach(rng, instances)
    labels[:2] = 1, -1
    spelling = {1: ["1", "+1"], -1: ["-1", "0"]}
    lines = [line(rng.choice(spelling[y]), x) for x, y in zip(instances, labels)]
    for t in np.flatnonzero(~instances.any(axis=1))[::2]:
        lines[t] += " 3:0 7:0.0 # nothing"
    return "zeros", lines, dimension


def topics(rng, rounds=400, dimension=30, count=4):
    """Each line has any of four labels, often none."""
    instances = rng.normal(size=(rounds, dimension)) * (rng.random((rounds, dimension)) < 0.4)
    positive = np.stack([teach(rng, instances, offset=-1) > 0 for _ in range(count)], axis=1)
    lines = [line(",".join(map(str, np.flatnonzero(row))), x) for x, row in zip(instances, positive)]
    return "topics", lines, dimension, ",".join(map(str, range(count)))


def classes(rng, rounds=400, dimension=15, names=(0, 2, 3, 5, 8)):
    """Each line has one of five labels: the label of the teacher with the largest score, or a random one."""
    instances = rng.normal(size=(rounds, dimension)) * (rng.random((rounds, dimension)) < 0.6)
    instances[::40] = 0
    right = np.argmax(instances @ rng.normal(size=(dimension, len(names))), axis=1)
    noisy = np.where(rng.random(rounds) < 0.1, rng.integers(len(names), size=rounds), right)
    lines = [line(str(names[k]), x) for x, k in zip(instances, noisy)]
    return "classes", lines, dimension, ",".join(map(str, names))


def separable(rng, rounds=300, dimension=4, margin=0.02):
    """A stream without noise and with a margin, for the cutting planes."""
    teacher = rng.normal(size=dimension)
    instances = rng.normal(size=(4 * rounds, dimension))
    scores = instances @ teacher / (np.linalg.norm(teacher) * np.linalg.norm(instances, axis=1))
    kept = np.flatnonzero(np.abs(scores) >= margin)[:rounds]
    return "separable", [line(sign(scores[t]), instances[t]) for t in kept], dimension


def identifiers(rng, rounds=200):
    """A table of three numbers, a column of five names and one in which every row has a name of its own."""
    numbers = 1 + rng.normal(size=(rounds, 3))
    names = np.eye(5)[rng.integers(5, size=rounds)]
    instances = np.hstack((numbers, names, np.eye(rounds)))
    labels = teach(rng, instances[:, :8])
    return "identifiers", [line(sign(y), x) for x, y in zip(instances, labels)], 8 + rounds


def teach(rng, instances, offset=0.0):
    """Labels of a random hyperplane, with noise of a quarter of the standard deviation of the margins."""
    scores = instances @ rng.normal(size=instances.shape[1])
    noisy = scores + (offset + rng.normal(size=len(scores)) / 4) * scores.std()
    return np.where(noisy > 0, 1, -1)


def sign(y):
    return "+1" if y > 0 else "-1"


def line(label, x):
    return " ".join([label] + [f"{i + 1}:{float(x[i])!r}" for i in np.flatnonzero(x)])
