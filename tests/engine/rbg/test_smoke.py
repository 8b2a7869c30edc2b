"""The statistical smoke test itself: the standard's examples, and bits that are not random."""

import hashlib
from collections.abc import Callable

import numpy as np
import pytest
import smoke

PI = (
    "11001001000011111101101010100010001000010110100011"
    "00001000110100110001001100011001100010100010111000"
)
"""The first 100 binary digits of pi: the examples of most sections."""

EXAMPLES = {
    "2.1.8": (smoke.frequency, PI, 0.109599),
    "2.2.8": (lambda bits: smoke.block_frequency(bits, 10), PI, 0.706438),
    "2.3.8": (smoke.runs, PI, 0.500798),
    "2.6.8": (smoke.spectrum, PI, 0.646355),
    "2.11.4": (lambda bits: smoke.serial(bits, 3), "0011011101", 0.670320),
    "2.12.8": (lambda bits: smoke.approximate_entropy(bits, 2), PI, 0.235301),
    "2.13.8, forward": (smoke.cumulative_sums, PI, 0.219194),
    "2.13.8, backward": (lambda bits: smoke.cumulative_sums(bits, backward=True), PI, 0.114866),
}
"""Section of SP 800-22: test, bits, P-value."""


@pytest.mark.parametrize("section", EXAMPLES)
def test_example(section):
    test, digits, expected = EXAMPLES[section]
    assert test(np.array([int(digit) for digit in digits])) == pytest.approx(expected, abs=1e-6)


def packed(bits: np.ndarray) -> bytes:
    return np.packbits(bits.astype(np.uint8)).tobytes()


COUNT = 1 << 16
BAD: dict[str, Callable[[np.random.Generator], bytes]] = {
    "zeros": lambda _: bytes(COUNT // 8),
    "bytes that count": lambda _: bytes(range(256)) * (COUNT // 2048),
    "51 % ones": lambda rng: packed(rng.random(COUNT) < 0.51),
    "a block that repeats": lambda rng: rng.bytes(16) * (COUNT // 128),
    "a block of zeros in ten": lambda rng: b"".join(
        rng.bytes(16) if turn % 10 else bytes(16) for turn in range(COUNT // 128)
    ),
    "bits that change in 52 %": lambda rng: packed(
        np.logical_xor.accumulate(rng.random(COUNT) < 0.52)
    ),
    "a weak wave": lambda rng: packed(
        rng.random(COUNT) < 0.5 + 0.1 * np.sign(np.sin(0.37 * np.arange(COUNT)))
    ),
    "more ones in the first half": lambda rng: packed(
        rng.random(COUNT) < np.repeat([0.52, 0.48], COUNT // 2)
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad(kind):
    with pytest.raises(AssertionError, match=r": \d"):
        smoke.check(BAD[kind](np.random.default_rng(1)))


def test_each_test_finds_something():
    """None of them is there in vain: each finds some bits that others do not."""
    found = set()
    for make in BAD.values():
        bits = smoke.bits_of(make(np.random.default_rng(1)))
        names = {name for name, test in smoke.TESTS.items() if test(bits) < 1e-4}
        if len(names) < len(smoke.TESTS):
            found |= names
    assert found == set(smoke.TESTS)


def test_what_it_does_not_find():
    """A hash function of a counter, without any entropy."""
    smoke.check(b"".join(hashlib.sha256(bytes([n & 255, n >> 8])).digest() for n in range(4096)))


def test_as_often_as_said():
    """P-values of good bits are spread evenly: none is below a hundredth much too often."""
    rng, turns = np.random.default_rng(2), 1000
    bits = [rng.integers(0, 2, 4096) for _ in range(turns)]
    for name, test in smoke.TESTS.items():
        few = sum(test(each) < 0.01 for each in bits)
        assert 1 <= few <= 25, name
