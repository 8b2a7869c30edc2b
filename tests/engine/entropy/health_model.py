"""What ``cry_entropy_tests`` says of given samples, for all samples at a time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


@dataclass
class Failures:
    """Of each sample (last axis): which tests fail with it, lane by lane (first axis)."""

    rct: Bits
    apt: Bits
    lag: Bits
    pair: Bits

    def found(self) -> bool:
        return any(part.any() for part in (self.rct, self.apt, self.lag, self.pair))


def _tally(hits: Bits, window: int, cutoff: int) -> Bits:
    lanes, length = hits.shape
    whole = -(-length // window) * window
    padded = np.zeros((lanes, whole), np.int32)
    padded[:, :length] = hits
    counts = padded.reshape(lanes, -1, window).cumsum(2)
    failed = counts >= cutoff
    failed[:, :, -1] |= counts[:, :, -1] <= window - cutoff
    return failed.reshape(lanes, whole)[:, :length]


def _runs(samples: Bits) -> NDArray[np.int64]:
    """Return how many samples up to each one, itself too, are equal to it."""
    index = np.arange(samples.shape[1])
    begins = np.ones(samples.shape, np.bool_)
    begins[:, 1:] = samples[:, 1:] != samples[:, :-1]
    return index + 1 - np.maximum.accumulate(np.where(begins, index, 0), axis=1)


def health(samples: Bits, *, window: int, rct: int, cutoff: int, lags: int) -> Failures:
    """Test ``samples``, lanes by samples, from a reset on."""
    firsts = samples[:, ::window].repeat(window, axis=1)[:, : samples.shape[1]]
    lag = np.zeros(samples.shape, np.bool_)
    for k in range(1, lags + 1):
        before = np.zeros(samples.shape, np.bool_)
        before[:, k:] = samples[:, :-k]
        lag |= _tally(samples == before, window, cutoff)
    return Failures(
        rct=_runs(samples) >= rct,
        apt=_tally(samples == firsts, window, cutoff),
        lag=lag,
        pair=_tally(samples[:-1] == samples[1:], window, cutoff),
    )
