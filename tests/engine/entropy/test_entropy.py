"""Health tests of the entropy source: cut-offs, broken sources, false alarms, RTL and model."""

import math
import re
from fractions import Fraction
from pathlib import Path

import health_cutoffs
import numpy as np
import pytest
from health_model import health
from sources import BROKEN, sound
from support import cocotb_runner

from cryptile.project import ROOT

ENTROPY, BITS, WINDOW, LAGS, LANES = 0.5, 30, 1024, 4, 12
RCT, CUTOFF = 61, 810
SMALL = {"Window": 32, "RctCutoff": 9, "Cutoff": 24, "Lags": 4, "Lanes": 3}
WHOLE = {"Window": WINDOW, "RctCutoff": RCT, "Cutoff": CUTOFF, "Lags": LAGS, "Lanes": 3}


@pytest.mark.parametrize("sizes", [SMALL, WHOLE], ids=["small", "whole"])
def test_design(sizes):
    cocotb_runner.run(
        "cryptile:engine:entropy",
        "cry_entropy_tests",
        "tb_entropy",
        test_dir=Path(__file__).parent,
        parameters=dict(sizes),
        env={"CRYPTILE_TESTS": " ".join(str(size) for size in sizes.values())},
    )


def test_cutoffs():
    """What the RTL has by itself is computed from 0.5 bits a sample and 2^-30."""
    assert health_cutoffs.repetition(ENTROPY, BITS) == RCT
    assert health_cutoffs.proportion(ENTROPY, BITS, WINDOW) == CUTOFF
    for path in (ROOT / "rtl/engine/entropy").glob("*.sv"):
        for name, value in re.findall(r"int unsigned (\w*Cutoff) *= (\d+)", path.read_text()):
            assert int(value) == (RCT if name == "RctCutoff" else CUTOFF)


@pytest.mark.parametrize(("entropy", "cutoff"), [(0.2, 941), (0.4, 840), (0.6, 748), (0.8, 664)])
def test_cutoffs_beside_floats(entropy, cutoff):
    """For 2^-20, against a sum of logarithms of its own."""
    chance = 2**-entropy

    def tail(least: int) -> float:
        return math.fsum(
            math.exp(
                math.lgamma(1025) - math.lgamma(k + 1) - math.lgamma(1025 - k)
                + k * math.log(chance) + (1024 - k) * math.log1p(-chance)
            )
            for k in range(least, 1025)
        )  # fmt: skip

    assert health_cutoffs.proportion(entropy, 20, 1024) == cutoff
    assert tail(cutoff) <= 2**-20 < tail(cutoff - 1)


def test_bad_entropy():
    for entropy in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="min-entropy"):
            health_cutoffs.best_guess(entropy)
    with pytest.raises(ValueError, match="as rare"):
        health_cutoffs.proportion(0.1, 30, 64)


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_source(kind):
    """A source that is broken from the start is found within the first window."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        samples = BROKEN[kind](rng, LANES, WINDOW)
        assert health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS).found()


def test_sound_source():
    """1,200 windows of lanes without bias: no alarm."""
    samples = sound(np.random.default_rng(3), LANES, 100 * WINDOW)
    assert not health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS).found()


def test_false_alarms():
    """At a cut-off that is passed often, as often as computed, of samples that are independent."""
    window, cutoff, lanes, windows = 64, 41, 20, 5_000
    samples = sound(np.random.default_rng(4), lanes, windows * window)
    said = health(samples, window=window, rct=12, cutoff=cutoff, lags=1)
    half = Fraction(1, 2)
    expected = {
        "apt": health_cutoffs.tail(window - 1, half, cutoff - 1)
        + health_cutoffs.tail(window - 1, half, cutoff),
        "lag": 2 * health_cutoffs.tail(window, half, cutoff),
        "pair": 2 * health_cutoffs.tail(window, half, cutoff),
    }
    for name, chance in expected.items():
        failed = getattr(said, name).reshape(-1, windows, window).any(2)
        assert failed.mean() == pytest.approx(float(chance), rel=0.1)
    begins = said.rct & ~np.roll(said.rct, 1, axis=1)  # a run that reaches the cut-off
    assert begins.mean() == pytest.approx(2.0**-12, rel=0.1)
