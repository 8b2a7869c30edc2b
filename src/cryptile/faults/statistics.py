"""Exact bounds of a rate from a sample."""

import math
from collections.abc import Callable


def interval(hits: int, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a rate after ``hits`` in ``runs``.

    The ends are the rates at which so many hits, or so few, have half of the remaining probability.
    Without any hit, or with nothing else, the interval is one-sided and has all of it: none in 1000
    bounds the rate below 0.3 %.
    """
    if not 0 <= hits <= runs:
        raise ValueError(f"{hits} hits in {runs} runs")
    tail = 1 - confidence
    if runs == 0:
        return 0.0, 1.0
    if hits == 0:
        return 0.0, 1 - tail ** (1 / runs)
    if hits == runs:
        return tail ** (1 / runs), 1.0
    low = _solve(lambda rate: _at_most(hits - 1, runs, rate), 1 - tail / 2)
    high = _solve(lambda rate: _at_most(hits, runs, rate), tail / 2)
    return low, high


def _solve(falling: Callable[[float], float], wanted: float) -> float:
    """Return where a falling function of a rate has a value, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if falling(middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(hits: int, runs: int, rate: float) -> float:
    """Return the probability of no more than ``hits`` in ``runs``."""
    if rate <= 0:
        return 1.0
    if rate >= 1:
        return float(hits >= runs)
    # The shorter side is summed, from logarithms, because single terms can underflow.
    if hits > runs / 2:
        return 1 - _at_most(runs - hits - 1, runs, 1 - rate)
    constant = math.lgamma(runs + 1)
    terms = (
        constant
        - math.lgamma(k + 1)
        - math.lgamma(runs - k + 1)
        + k * math.log(rate)
        + (runs - k) * math.log1p(-rate)
        for k in range(hits + 1)
    )
    return math.fsum(math.exp(term) for term in terms)
