"""Statistical tests of random bits, from NIST SP 800-22 Rev. 1a: a smoke test.

Each gives a P-value: how often bits without any order look as ordered as these do. They find an
output that is stuck, repeats, or is biased. They say nothing about entropy: a block cipher that
counts passes them with a key that everybody knows.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.int64]
"""Zeros and ones."""


def _chi_square(value: float, degrees: int) -> float:
    """Return how often a sum of an even number of squares is larger."""
    assert degrees % 2 == 0
    if value <= 0:
        return 1.0
    half = value / 2
    terms = (i * math.log(half) - half - math.lgamma(i + 1) for i in range(degrees // 2))
    return math.fsum(math.exp(term) for term in terms)


def _normal(value: float) -> float:
    """Return how often a normal number is as far from zero."""
    return math.erfc(abs(value) / math.sqrt(2))


def frequency(bits: Bits) -> float:
    """2.1: as many ones as zeros."""
    return _normal(int((2 * bits - 1).sum()) / math.sqrt(len(bits)))


def block_frequency(bits: Bits, size: int = 128) -> float:
    """2.2: in each block; of an even number of blocks."""
    count = len(bits) // size // 2 * 2
    ones = bits[: count * size].reshape(count, size).mean(axis=1)
    return _chi_square(4 * size * float(((ones - 0.5) ** 2).sum()), count)


def runs(bits: Bits) -> float:
    """2.3: bits change as often as not."""
    ones, count = float(bits.mean()), len(bits)
    if abs(ones - 0.5) >= 2 / math.sqrt(count):
        return 0.0
    seen = 1 + int((bits[1:] != bits[:-1]).sum())
    middle = 2 * count * ones * (1 - ones)
    return _normal((seen - middle) / (2 * math.sqrt(count) * ones * (1 - ones)))


def spectrum(bits: Bits) -> float:
    """2.6: no frequency stands out."""
    count = len(bits)
    height = np.abs(np.fft.rfft(2 * bits - 1)[: count // 2])
    below = int((height < math.sqrt(count * math.log(1 / 0.05))).sum())
    return _normal((below - 0.95 * count / 2) / math.sqrt(count * 0.95 * 0.05 / 4))


def _patterns(bits: Bits, size: int) -> NDArray[np.int64]:
    """Return how often each pattern of so many bits comes, around the end."""
    around = np.concatenate([bits, bits[: size - 1]]) if size > 1 else bits
    numbers = sum(around[i : i + len(bits)] << size - 1 - i for i in range(size))
    return np.bincount(numbers, minlength=1 << size)


def serial(bits: Bits, size: int = 8) -> float:
    """2.11: all patterns of so many bits are as frequent; the lesser of both P-values."""
    count = len(bits)

    def psi(length: int) -> float:
        seen = _patterns(bits, length) if length else np.array([count])
        return float((seen**2).sum()) * 2**length / count - count

    first, second, third = (psi(size - less) for less in range(3))
    return min(
        _chi_square(first - second, 1 << size - 1),
        _chi_square(first - 2 * second + third, 1 << size - 2),
    )


def approximate_entropy(bits: Bits, size: int = 6) -> float:
    """2.12: the next bit does not follow from so many before it."""
    count = len(bits)

    def phi(length: int) -> float:
        seen = _patterns(bits, length) / count
        return float((seen[seen > 0] * np.log(seen[seen > 0])).sum())

    return _chi_square(2 * count * (math.log(2) - (phi(size) - phi(size + 1))), 1 << size)


def cumulative_sums(bits: Bits, *, backward: bool = False) -> float:
    """2.13: at no place there were many more of one value than of the other."""
    count = len(bits)
    walk = np.cumsum(2 * (bits[::-1] if backward else bits) - 1)
    most, root = int(np.abs(walk).max()), math.sqrt(count)

    def cdf(value: float) -> float:
        return 0.5 * math.erfc(-value / math.sqrt(2))

    def part(low: float, high: int, first: int) -> float:
        return sum(
            cdf((4 * k + first + 2) * most / root) - cdf((4 * k + first) * most / root)
            for k in range(math.floor(low), high + 1)
        )

    least, end = -count / most, math.floor((count / most - 1) / 4)
    return 1 - part((least + 1) / 4, end, -1) + part((least - 3) / 4, end, 1)


TESTS: dict[str, Callable[[Bits], float]] = {
    "frequency": frequency,
    "block frequency": block_frequency,
    "runs": runs,
    "spectrum": spectrum,
    "serial": serial,
    "approximate entropy": approximate_entropy,
    "cumulative sums": cumulative_sums,
    "cumulative sums, backward": lambda bits: cumulative_sums(bits, backward=True),
}


def bits_of(data: bytes) -> Bits:
    """Return the bits of bytes, each one's highest first."""
    return np.unpackbits(np.frombuffer(data, np.uint8)).astype(np.int64)


def check(data: bytes) -> None:
    """Assert that nothing stands out which random bytes show once in 10,000 times."""
    assert len(data) >= 4096
    bits = bits_of(data)
    for name, test in TESTS.items():
        chance = test(bits)
        assert chance >= 1e-4, f"{name}: {chance:.2e}"
