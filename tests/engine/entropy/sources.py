"""Sources of raw samples, sound and broken: lanes by samples."""

import numpy as np
from health_model import Bits


def sound(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    return rng.random((lanes, length)) < 0.5


def stuck(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    """One lane does not change."""
    samples = sound(rng, lanes, length)
    samples[rng.integers(lanes)] = rng.random() < 0.5
    return samples


def biased(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    """One lane gives one value in at least 88 % of its samples."""
    samples = sound(rng, lanes, length)
    samples[rng.integers(lanes)] = (rng.random(length) < rng.uniform(0, 0.12)) ^ (
        rng.random() < 0.5
    )
    return samples


def periodic(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    """One lane repeats two to four samples, one of each value at least."""
    samples = sound(rng, lanes, length)
    period = rng.integers(2, 5)
    pattern = np.zeros(period, np.bool_)
    pattern[: rng.integers(1, period)] = True
    samples[rng.integers(lanes)] = np.resize(rng.permutation(pattern), length)
    return samples


def tone(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    """One lane samples a square wave of any frequency, with a jitter of 1 % of half a period."""
    samples = sound(rng, lanes, length)
    phase = rng.random() + np.arange(length) * rng.random() + rng.normal(0, 0.01, length)
    samples[rng.integers(lanes)] = np.floor(phase).astype(np.int64) % 2 == 1
    return samples


def correlated(rng: np.random.Generator, lanes: int, length: int) -> Bits:
    """A lane is the one before it, or its complement, in at least 88 % of the samples."""
    samples = sound(rng, lanes, length)
    lane = rng.integers(1, lanes)
    noise = rng.random(length) < rng.uniform(0, 0.12)
    samples[lane] = samples[lane - 1] ^ noise ^ (rng.random() < 0.5)
    return samples


def chained(rng: np.random.Generator, lanes: int, length: int, chance: float) -> Bits:
    """Each lane is the complement of the one before it with a chance."""
    changes = rng.random((lanes, length)) < chance
    changes[0] = sound(rng, 1, length)
    return np.logical_xor.accumulate(changes, axis=0)


BROKEN = {
    "stuck": stuck,
    "biased": biased,
    "periodic": periodic,
    "tone": tone,
    "correlated": correlated,
}
