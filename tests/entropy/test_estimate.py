"""Estimates of min-entropy against the worked examples of SP 800-90B."""

import math
import random
from fractions import Fraction

import pytest

from cryptile.entropy.cutoffs import best_guess, tail
from cryptile.entropy.estimate import (
    SIDE,
    markov,
    most_common_value,
    restart_cutoff,
    restart_extreme,
)

# 6.3.1 and 6.3.3 of the standard, with what it computes of them.
VALUES = bytes([0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1])
BITS = bytes(map(int, "1000111001010101110011000111001010101110"))


def test_examples_of_the_standard():
    assert most_common_value(VALUES) == pytest.approx(0.5363, abs=1e-4)
    assert markov(BITS) == pytest.approx(0.761, abs=5e-4)


@pytest.mark.parametrize("seed", range(3))
def test_sound_and_broken_bits(seed: int):
    rng = random.Random(seed)
    fair = bytes(rng.randrange(2) for _ in range(100_000))
    assert most_common_value(fair) > 0.97 and markov(fair) > 0.97
    biased = bytes(rng.random() < 0.75 for _ in range(100_000))
    assert most_common_value(biased) == pytest.approx(-math.log2(0.75), abs=0.02)
    # Balanced, and each bit as the one before with 90 %: the first estimate is blind to it.
    sticky = [0]
    for _ in range(100_000):
        sticky.append(sticky[-1] ^ (rng.random() < 0.1))
    assert most_common_value(bytes(sticky)) > 0.9
    assert markov(bytes(sticky)) == pytest.approx(-math.log2(0.9), abs=0.02)


@pytest.mark.parametrize("symbols", [bytes(1000), b"\1" * 1000])
def test_what_does_not_change(symbols: bytes):
    assert most_common_value(symbols) == 0 and markov(symbols) == 0


def test_too_little():
    for symbols in (b"", b"\0"):
        with pytest.raises(ValueError, match="one symbol"):
            most_common_value(symbols)
        with pytest.raises(ValueError, match="two at least"):
            markov(symbols)
    with pytest.raises(ValueError, match="each 0 or 1"):
        markov(b"\0\2")


@pytest.mark.parametrize(
    ("chance", "likely", "entropy"),
    [
        *((best_guess(entropy), 1, entropy) for entropy in (0.1, 0.5, 0.9)),
        (Fraction(1, 8), 8, 3.0),
        (Fraction(3, 16), 5, math.log2(16 / 3)),
    ],
)
def test_restart_cutoff(chance: Fraction, likely: int, entropy: float):
    """It is the least that is passed with a chance of 0.99^(1/2000), exactly; one less is not.

    So many values are as likely as the entropy allows, and one has the rest.
    """
    rest, alpha = 1 - likely * chance, 1 - Fraction(0.99 ** (1 / (2 * SIDE)))
    assert 0 <= rest < chance
    cutoff = restart_cutoff(entropy)
    for most, seldom in ((cutoff, True), (cutoff - 1, False)):
        more = likely * tail(SIDE, chance, most + 1) + (tail(SIDE, rest, most + 1) if rest else 0)
        assert (more <= alpha) == seldom
    assert restart_cutoff(0) == SIDE and restart_cutoff(1) < 600


def test_restarts():
    """A source that begins alike after each start: its rows are sound, its columns are not."""
    rng = random.Random(3)
    sound = bytearray(rng.getrandbits(1) for _ in range(SIDE * SIDE))
    assert 500 < restart_extreme(bytes(sound)) <= restart_cutoff(0.97)
    sound[5::SIDE] = bytes(SIDE)
    assert restart_extreme(bytes(sound)) == SIDE
    sound[5::SIDE] = bytes(rng.random() < 0.8 for _ in range(SIDE))
    assert restart_cutoff(0.5) < restart_extreme(bytes(sound)) < 850
    whole = bytearray(rng.getrandbits(6) for _ in range(SIDE * SIDE))
    assert restart_extreme(bytes(whole)) <= restart_cutoff(5.5) < restart_cutoff(3)
    whole[5::SIDE] = bytes(rng.getrandbits(6) * (rng.random() < 0.75) for _ in range(SIDE))
    assert restart_cutoff(3) < restart_extreme(bytes(whole))
    with pytest.raises(ValueError, match="1000000 samples"):
        restart_extreme(bytes(999))
