"""Windows of 64 samples as words, for counts of false alarms over more than the model can take.

Bit n of a word is sample n of a window; a word follows the one before. ``test_entropy.py`` compares
it with the model.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cryptile.entropy.cutoffs import tail

WINDOW = 64
Words = NDArray[np.uint64]

_CHUNK = 1 << 20


def biased(rng: np.random.Generator, count: int, sixteenths: int) -> Words:
    """Return words of independent samples that are 1 with a chance of so many sixteenths."""
    words = np.zeros(count, np.uint64)
    for bit in range(4):
        drawn = rng.integers(0, 1 << 64, count, np.uint64, endpoint=False)
        words = words | drawn if sixteenths >> bit & 1 else words & drawn
    return words


def failed(count: NDArray[np.uint8], cutoff: int) -> NDArray[np.bool_]:
    """Return which windows fail: so many samples differ, or so many are equal."""
    return (count >= cutoff) | (count <= WINDOW - cutoff)


def proportion(words: Words, cutoff: int) -> NDArray[np.bool_]:
    """Return which windows fail the adaptive proportion test: each sample beside the first."""
    first = np.where(words & np.uint64(1), np.uint64(0xFFFF_FFFF_FFFF_FFFF), np.uint64(0))
    return failed(np.bitwise_count(words ^ first), cutoff)


def lag(words: Words, cutoff: int) -> NDArray[np.bool_]:
    """Return which windows fail the test of each sample beside the one before; 0 is before all."""
    return failed(np.bitwise_count(words ^ later(words, 1)), cutoff)


def later(words: Words, samples: int) -> Words:
    """Return what was so many samples before; before the first one there were zeros."""
    before = np.concatenate([np.zeros(1, np.uint64), words[:-1]])
    return words << np.uint64(samples) | before >> np.uint64(WINDOW - samples)


def repetition(words: Words, cutoff: int) -> Words:
    """Return of which samples the repetition count fails: so many are equal, itself too."""
    runs = ~(words ^ later(words, 1))
    runs[:1] &= ~np.uint64(1)  # the first one is like none
    equal = 1
    while equal < cutoff - 1:
        more = min(equal, cutoff - 1 - equal)
        runs &= later(runs, more)
        equal += more
    return runs


def pair(words: Words, others: Words, cutoff: int) -> NDArray[np.bool_]:
    """Return which windows fail the test of each sample beside another lane's."""
    return failed(np.bitwise_count(words ^ others), cutoff)


def alarms(
    windows: int, sixteenths: int, cutoff: int, run: int, seed: int
) -> Iterator[tuple[str, int, float]]:
    """Yield of each test how many of so many windows failed, and how many should.

    Of the repetition count, whose cut-off is ``run``, it is the runs that fail. Samples are
    independent, of two lanes. That a sample is like the one before is independent of
    the samples before only if ones are as many as zeros: else the lag's windows are left out.
    """
    rng = np.random.default_rng(seed)
    found = {"repetition": 0, "proportion": 0, "pair": 0} | ({"lag": 0} if sixteenths == 8 else {})
    for start in range(0, windows, _CHUNK):
        lanes = [biased(rng, min(_CHUNK, windows - start), sixteenths) for _ in range(2)]
        runs = repetition(lanes[0], run)
        found["repetition"] += int(np.bitwise_count(runs & ~later(runs, 1)).sum())
        found["proportion"] += int(proportion(lanes[0], cutoff).sum())
        found["pair"] += int(pair(*lanes, cutoff).sum())
        if "lag" in found:
            found["lag"] += int(lag(lanes[0], cutoff).sum())
    one = Fraction(sixteenths, 16)
    like = one * one + (1 - one) * (1 - one)
    both = tail(WINDOW, like, cutoff) + tail(WINDOW, 1 - like, cutoff)
    # The first sample is like itself.
    first = sum(
        chance * (tail(WINDOW - 1, chance, cutoff - 1) + tail(WINDOW - 1, 1 - chance, cutoff))
        for chance in (one, 1 - one)
    )
    runs = WINDOW * sum(chance**run * (1 - chance) for chance in (one, 1 - one))
    expected = {"repetition": runs, "proportion": first, "pair": both, "lag": both}
    for name, count in found.items():
        yield name, count, float(expected[name] * windows)
