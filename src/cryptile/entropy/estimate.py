"""Two of the estimators of min-entropy of NIST SP 800-90B: a first look at samples.

They are no assessment: that takes all ten of section 6.3, and NIST's own programs.
"""

from collections import Counter
from itertools import pairwise
from math import log2, sqrt

_Z = 2.5758293035489008
"""Upper bound at a confidence of 99 %, as in 6.3.1."""

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


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _log(chance: float) -> float:
    return log2(chance) if chance else float("-inf")
