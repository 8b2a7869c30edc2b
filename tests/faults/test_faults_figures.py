"""Exact bounds of sampled rates."""

from fractions import Fraction
from math import comb

import pytest

from cryptile.faults import statistics


@pytest.mark.parametrize(
    ("hits", "runs", "low", "high"),
    [
        # Two-sided values as in any table of the Clopper-Pearson interval.
        (1, 10, 0.00252858, 0.44501612),
        (5, 10, 0.18708603, 0.81291397),
        (2, 1000, 0.00024226, 0.00720578),
        # One-sided where nothing, or everything, was hit.
        (0, 1000, 0.0, 0.00299125),
        (1000, 1000, 0.99700875, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_exact_interval(hits, runs, low, high):
    found = statistics.interval(hits, runs)
    assert found == (pytest.approx(low, abs=2e-5), pytest.approx(high, abs=2e-5))


def test_the_ends_leave_a_fortieth_on_each_side():
    hits, runs = 918, 1000
    low, high = map(Fraction, statistics.interval(hits, runs))
    at_least = sum(comb(runs, k) * low**k * (1 - low) ** (runs - k) for k in range(hits, runs + 1))
    at_most = 1 - sum(
        comb(runs, k) * high**k * (1 - high) ** (runs - k) for k in range(hits + 1, runs + 1)
    )
    assert float(at_least) == pytest.approx(0.025, rel=1e-6)
    assert float(at_most) == pytest.approx(0.025, rel=1e-6)


def test_an_impossible_sample_is_refused():
    with pytest.raises(ValueError, match="3 hits in 2 runs"):
        statistics.interval(3, 2)
