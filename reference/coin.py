"""Coins: Philox4x64-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

The key is (seed, task); the highest counter word says what the numbers are for, so that the coins of the query rule
and the draws of a learner never overlap. `generator` is numpy's; `draw` computes the same number from the definition.
"""

import numpy as np

ASKING = 0
LEARNING = 1
AUDITING = 5

WORD = 2**64 - 1
MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
KEY_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)


def generator(seed, task, purpose=ASKING):
    """The t-th value of random(), t = 1, 2, ..., is the coin of round t."""
    key = np.array([seed, task], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(counter=[0, 0, 0, purpose], key=key))


def draw(seed, task, t, purpose=ASKING):
    """Only the t-th value. A block gives four values, and numpy increments the counter before each block."""
    block, lane = divmod(t - 1, 4)
    word = philox((block + 1, 0, 0, purpose), (seed, task))[lane]
    return (word >> 11) * 2.0**-53


def philox(counter, key):
    """Ten rounds on four 64-bit words (Salmon et al., section 3.3)."""
    for _ in range(10):
        high_0, low_0 = divmod(MULTIPLIERS[0] * counter[0], WORD + 1)
        high_1, low_1 = divmod(MULTIPLIERS[1] * counter[2], WORD + 1)
        counter = (high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0)
        key = tuple((k + step) & WORD for k, step in zip(key, KEY_STEPS))
    return counter
