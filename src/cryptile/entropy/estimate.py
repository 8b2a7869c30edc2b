"""Two of the estimators of min-entropy of NIST SP 800-90B, and the check of restarts: a first look.

They are no assessment: that takes all ten of section 6.3, and NIST's own programs.
"""

from collections import Counter
from itertools import pairwise
from math import exp, lgamma, log, log2, sqrt

_Z = 2.5758293035489008
"""Upper bound at a confidence of 99 %, as in 6.3.1."""

SIDE = 1000
"""Rows of the restart matrix, and columns."""

_STEPS = 128
"""Length of the sequence in 6.3.3."""


def most_common_value(symbols: bytes) -> float:
    """Return bits of min-entropy of a symbol by how often the most common one is (6.3.1)."""
    length = len(symbols)
    if length < 2:
        raise ValueError("one symbol tells nothing")
    share = max(Counter(symbols).values()) / length
    bound = min(1.0, share + _Z * sqrt(share * (1 - share) / (length - 1)))
    return -log2(bound)


def markov(samples: bytes) -> float:
    """Return bits of min-entropy of a bit by how it follows the one before it (6.3.3)."""
    pairs = Counter(pairwise(samples))
    if len(samples) < 2 or set(samples) - {0, 1}:
        raise ValueError("samples are two at least, each 0 or 1")
    ones = sum(samples) / len(samples)
    best = [_log(1 - ones), _log(ones)]
    step = [
        [_log(_share(pairs[old, new], pairs[old, 0] + pairs[old, 1])) for new in (0, 1)]
        for old in (0, 1)
    ]
    for _ in range(_STEPS - 1):
        best = [max(best[old] + step[old][new] for old in (0, 1)) for new in (0, 1)]
    return min(-max(best) / _STEPS, 1.0)


def restart_extreme(samples: bytes) -> int:
    """Return the most that one value comes in a row or a column of the restart matrix (3.1.4.3).

    Args:
        samples: ``SIDE`` rows of as many symbols, one behind the other.
    """
    if len(samples) != SIDE * SIDE:
        raise ValueError(f"the restart matrix has {SIDE * SIDE} samples")
    rows = (samples[at : at + SIDE] for at in range(0, len(samples), SIDE))
    columns = (samples[at::SIDE] for at in range(SIDE))
    return max(max(Counter(line).values()) for lines in (rows, columns) for line in lines)


def restart_cutoff(entropy: float) -> int:
    """Return how often a value may come in a line; more fails the check (3.1.4.3).

    A sound source of that min-entropy fails it with a chance of 1 % at most: as many values as
    possible are as likely as it allows, and one has the rest.
    """
    most = 2.0**-entropy
    likely = int(1 / most + 1e-9)
    rest = max(0.0, 1 - likely * most)
    alpha = 1 - 0.99 ** (1 / (2 * SIDE))
    tail = 0.0
    for count in range(SIDE, 0, -1):
        tail += likely * _binomial(count, most) + _binomial(count, rest)
        if tail > alpha:
            return count
    return 0


def _binomial(count: int, chance: float) -> float:
    """Return the chance of so many of ``SIDE`` tries."""
    if not 0 < chance < 1:
        return float(count == (SIDE if chance else 0))
    ways = lgamma(SIDE + 1) - lgamma(count + 1) - lgamma(SIDE - count + 1)
    return exp(ways + count * log(chance) + (SIDE - count) * log(1 - chance))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _log(chance: float) -> float:
    return log2(chance) if chance else float("-inf")
