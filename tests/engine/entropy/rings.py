"""A model of ring oscillators that are sampled: jitter, bias, drift, temperature, failures.

A ring of n stages of delay d has the period 2 n d. Each passing of a stage is late or early by
chance, with a deviation that is ``jitter`` times d, independently of all others; what adds up from
sample to sample makes the phase unknown. In ``spread`` is how, and in ``entropy`` what that is
worth to someone who knows the phase at the sample before.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from health_model import Bits


@dataclass(frozen=True)
class Rings:
    """What the default source is taken to be: assumptions, not measurements."""

    lanes: int = 12
    min_stages: int = 5
    lengths: int = 3
    delay: float = 80e-12  # seconds, of a stage
    jitter: float = 0.025  # deviation of a stage's delay, of that delay
    mismatch: float = 0.01  # deviation of a ring's mean delay from the others'
    duty: float = 0.5  # share of a period in which a ring is high
    drift: float = 0.0  # growth of the delay a second
    temperature: float = 1.0  # of the delay, beside that at room temperature
    locked: float = 0.0  # how much of its phase each ring has of a tone that is injected
    tone: float = 101.3e6  # Hz
    dead: dict[int, bool] = field(default_factory=dict)  # lanes that stand still, and at what

    def stages(self) -> np.ndarray:
        return self.min_stages + 2 * (np.arange(self.lanes) % self.lengths)

    def spread(self, interval: float) -> np.ndarray:
        """Return the deviation of each lane's phase behind ``interval`` seconds, in periods."""
        return self.jitter * math.sqrt(interval / self.delay) / (2 * self.stages())

    def entropy(self, interval: float) -> np.ndarray:
        """Return the min-entropy of each lane's sample for one who knew the phase before."""
        return np.array([-math.log2(_guess(spread)) for spread in self.spread(interval)])

    def samples(self, rng: np.random.Generator, length: int, interval: float) -> Bits:
        """Return ``length`` samples of each lane, taken every ``interval`` seconds."""
        delays = self.delay * self.temperature * (1 + self.mismatch * rng.normal(size=self.lanes))
        times = np.arange(1, length + 1) * interval
        delay = delays[:, None] * (1 + self.drift * times)
        turns = interval / (2 * self.stages()[:, None] * delay)
        steps = turns + rng.normal(size=delay.shape) * self.spread(interval)[:, None]
        phase = rng.random((self.lanes, 1)) + steps.cumsum(axis=1)
        phase = (1 - self.locked) * phase + self.locked * (self.tone * times)[None, :]
        samples = phase % 1 < self.duty
        for lane, value in self.dead.items():
            samples[lane] = value
        return samples


def _guess(spread: float) -> float:
    """Return the chance that a phase in the midst of a half period is still in such a half."""
    cdf = [0.5 * (1 + math.erf(edge / spread / math.sqrt(2))) for edge in _EDGES]
    return min(1.0, sum(high - low for low, high in zip(cdf[::2], cdf[1::2], strict=True)))


_EDGES = [turn + edge for turn in range(-8, 9) for edge in (-0.25, 0.25)]
