"""What ``cry_entropy_tests`` says of given samples, for all samples at a time."""

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]


FAILS = ("rct", "apt", "lag", "pair")

Said = dict[str, Bits]
"""Of each sample (last axis): which tests fail with it, lane by lane; the last is the parity."""


def found(said: Said) -> bool:
    return any(part.any() for part in said.values())


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


def health(samples: Bits, *, window: int, rct: int, cutoff: int, lags: int) -> Said:
    """Test ``samples``, lanes by samples, from a reset on."""
    lanes = np.vstack([samples, np.logical_xor.reduce(samples)])
    firsts = lanes[:, ::window].repeat(window, axis=1)[:, : samples.shape[1]]
    lag = np.zeros(lanes.shape, np.bool_)
    for k in range(1, lags + 1):
        before = np.zeros(lanes.shape, np.bool_)
        before[:, k:] = lanes[:, :-k]
        lag |= _tally(lanes == before, window, cutoff)
    return {
        "rct": _runs(lanes) >= rct,
        "apt": _tally(lanes == firsts, window, cutoff),
        "lag": lag,
        "pair": _tally(samples[:-1] == samples[1:], window, cutoff),
    }
