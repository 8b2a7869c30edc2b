"""Health tests of the entropy source: cut-offs, broken sources, false alarms, RTL and model."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import health_cutoffs
import health_words
import numpy as np
import pytest
from health_model import Bits, found, health
from rings import Rings
from sources import BROKEN, sound
from support import cocotb_runner

from cryptile.project import ROOT

HERE = Path(__file__).parent
ENTROPY, WINDOW, LAGS, LANES = 0.5, 1024, 4, 12
BITS, RCT_BITS = 30, 40
"""Of false-alarm rates: of a window, of a sample."""

RCT, CUTOFF = 81, 810
SMALL = {"Window": 32, "RctCutoff": 9, "Cutoff": 24, "Lags": 4, "Lanes": 3}
WHOLE = {"Window": WINDOW, "RctCutoff": RCT, "Cutoff": CUTOFF, "Lags": LAGS, "Lanes": 3}


@pytest.mark.parametrize("sizes", [SMALL, WHOLE], ids=["small", "whole"])
def test_design(sizes):
    cocotb_runner.run(
        "cryptile:engine:entropy",
        "entropy_tests_bench",
        "tb_entropy_tests",
        test_dir=HERE,
        parameters=dict(sizes),
        extra_sources=[HERE / "entropy_tests_bench.sv"],
        env={"CRYPTILE_TESTS": " ".join(str(size) for size in sizes.values())},
    )


def test_cutoffs():
    """What the RTL has by itself is computed from 0.5 bits a sample, 2^-30 and 2^-40."""
    assert health_cutoffs.repetition(ENTROPY, RCT_BITS) == RCT
    assert health_cutoffs.proportion(ENTROPY, BITS, WINDOW) == CUTOFF
    folders = (ROOT / "rtl/engine" / name for name in ("entropy", "rbg"))
    for path in (path for folder in folders for path in folder.glob("*.sv")):
        for name, value in re.findall(r"int unsigned +(\w*Cutoff) *= (\d+)", path.read_text()):
            assert int(value) == (RCT if name == "RctCutoff" else CUTOFF)


def test_hours_without_false_alarm():
    """What the README says of a source that is as bad as it may be, at 100 MHz: about five."""
    seconds = 256 / 100e6
    parts = {
        "windows": (2 * (13 * (1 + LAGS) + LANES - 1)) * 2.0**-BITS / (WINDOW * seconds),
        "runs": 13 * 2.0 ** -(ENTROPY * (RCT - 1)) / seconds,
    }
    assert 4.5 < 1 / sum(parts.values()) / 3600 < 5.5


@pytest.mark.parametrize(("entropy", "cutoff"), [(0.2, 941), (0.4, 840), (0.6, 748), (0.8, 664)])
def test_cutoffs_beside_floats(entropy, cutoff):
    """For 2^-20, against a sum of logarithms of its own."""
    chance = 2**-entropy

    def tail(least: int) -> float:
        return math.fsum(
            math.exp(
                math.lgamma(1025)
                - math.lgamma(k + 1)
                - math.lgamma(1025 - k)
                + k * math.log(chance)
                + (1024 - k) * math.log1p(-chance)
            )
            for k in range(least, 1025)
        )

    assert health_cutoffs.proportion(entropy, 20, 1024) == cutoff
    assert tail(cutoff) <= 2**-20 < tail(cutoff - 1)


def test_bad_entropy():
    for entropy in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="min-entropy"):
            health_cutoffs.best_guess(entropy)
    with pytest.raises(ValueError, match="as rare"):
        health_cutoffs.proportion(0.1, 30, 64)


def fails(samples: Bits) -> bool:
    return found(health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS))


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_source(kind):
    """A source that is broken from the start is found within the first window."""
    rng = np.random.default_rng(2)
    for _ in range(10_000):
        assert fails(BROKEN[kind](rng, LANES, WINDOW))


INTERVAL = 256 / 100e6
"""Seconds from sample to sample."""

BROKEN_RINGS: dict[str, Callable[[np.random.Generator], Rings]] = {
    "locked to a tone": lambda rng: Rings(
        locked=rng.uniform(0.9, 1), tone=rng.uniform(10e6, 500e6)
    ),
    "unequal halves": lambda rng: Rings(duty=abs(rng.integers(2) - rng.uniform(0, 0.15))),
    "quiet": lambda rng: Rings(jitter=rng.uniform(0, 0.005)),
    "dead": lambda rng: Rings(dead={int(rng.integers(LANES)): bool(rng.integers(2))}),
}
"""Of the model of rings: how it fails."""


@pytest.mark.parametrize("kind", BROKEN_RINGS)
def test_broken_rings(kind):
    rng = np.random.default_rng(7)
    for _ in range(10_000):
        rings = BROKEN_RINGS[kind](rng)
        assert fails(rings.samples(rng, WINDOW, INTERVAL)), rings


@pytest.mark.parametrize("change", [{}, {"temperature": 0.7}, {"temperature": 1.4}, {"drift": 0.1}])
def test_sound_rings(change):
    """Fast and slow ones, and those that get slower while they run: no alarm in 1,000 windows."""
    rng = np.random.default_rng(8)
    for _ in range(10):
        assert not fails(Rings(**change).samples(rng, 100 * WINDOW, INTERVAL))


def test_sound_source():
    """1,200 windows of lanes without bias: no alarm."""
    assert not fails(sound(np.random.default_rng(3), LANES, 100 * WINDOW))


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
        failed = said[name].reshape(-1, windows, window).any(2)
        assert failed.mean() == pytest.approx(float(chance), rel=0.1)
    begins = said["rct"] & ~np.roll(said["rct"], 1, axis=1)  # a run that reaches the cut-off
    assert begins.mean() == pytest.approx(2.0**-12, rel=0.1)


def test_words_are_the_model():
    """Windows that are counted as words fail where the model fails."""
    cutoff, run, windows = 41, 11, 500
    samples = sound(np.random.default_rng(5), 2, windows * health_words.WINDOW)
    said = health(samples, window=health_words.WINDOW, rct=run, cutoff=cutoff, lags=1)
    lanes = [np.packbits(lane, bitorder="little").view("<u8") for lane in samples]
    ends = {name: said[name].reshape(-1, windows, health_words.WINDOW).any(2) for name in said}
    for number, lane in enumerate(lanes):
        runs = np.unpackbits(health_words.repetition(lane, run).view(np.uint8), bitorder="little")
        assert (runs == said["rct"][number]).all()
        assert (health_words.proportion(lane, cutoff) == ends["apt"][number]).all()
        assert (health_words.lag(lane, cutoff)[1:] == ends["lag"][number][1:]).all()
    assert (health_words.pair(*lanes, cutoff) == ends["pair"][0]).all()
    assert ends["rct"].any()
    assert ends["apt"].any()
    assert ends["lag"].any()
    assert ends["pair"].any()


@pytest.mark.parametrize(("sixteenths", "cutoff", "run"), [(8, 48, 21), (11, 52, 35)])
def test_false_alarms_of_a_hundred_million_windows(sixteenths, cutoff, run):
    """Of a source with full entropy, and of one with 0.54 bits a sample."""
    for name, count, expected in health_words.alarms(100_000_000, sixteenths, cutoff, run, 6):
        assert expected > 2000
        assert count == pytest.approx(expected, rel=0.1), name


SHORT = {
    "Lanes": 16,
    "Period": 256,
    "Window": 64,
    "RctCutoff": 21,
    "Cutoff": 51,
    "Blocks": 3,
    "RestartSamples": 20,
    "SettleCycles": 64,
    "PauseCycles": 40,
}
DEFAULT = {
    "Lanes": 12,
    "Period": 256,
    "Window": 1024,
    "RctCutoff": RCT,
    "Cutoff": CUTOFF,
    "Blocks": 4,
    "RestartSamples": 1000,
    "SettleCycles": 1024,
    "PauseCycles": 1024,
}


def simulate(sizes: dict[str, int], env: dict[str, str] | None = None, **more: object) -> None:
    cocotb_runner.run(
        "cryptile:engine:entropy",
        "cry_entropy",
        "tb_entropy",
        test_dir=HERE,
        # Blocks follow from Lanes: 192 bits of min-entropy.
        parameters={name: size for name, size in sizes.items() if name != "Blocks"},
        env={name: str(size) for name, size in sizes.items()} | (env or {}),
        see=[*cocotb_runner.STORED, ("cry_entropy_sampler", "valid_o")],
        **more,
    )


def test_source():
    simulate(SHORT)


def test_source_of_rings():
    """With the parameters that it has by itself; at 100 MHz 5 ms and 2 ms are aimed at."""
    simulate(DEFAULT, testcase="times")


@pytest.mark.soak
def test_validation():
    """What a laboratory asks for: 1,000,000 samples in a row, and rows of 1,000 restarts."""
    sizes = DEFAULT | {"Period": 20, "SettleCycles": 32, "PauseCycles": 32}
    simulate(sizes, {"CRYPTILE_LONG": "1000000"}, testcase="raw", light=True)
    simulate(sizes, {"CRYPTILE_LONG": "1000"}, testcase="restarts", light=True)


MUTANTS = {
    "restart": ("cry_entropy.sv", "if (restart_i && (state_q", "if (!enable_i && (state_q"),
    "on-demand": ("cry_entropy.sv", "restart_i && (state_q != StateOff)", "restart_i && alarm_o"),
    "start-up": ("cry_entropy.sv", "state_d = StateRun;", "state_d = StateStartup;"),
    "untested": ("cry_entropy.sv", "? StateRead : StateStartup", "? StateRead : StateRun"),
    "no-wipe": ("cry_entropy.sv", "|| (state_d != StateRun) ||", "||"),
    "both-ways": ("cry_entropy.sv", "word_valid && (read_q == ReadNone)", "word_valid"),
    "life-cycle": ("cry_entropy.sv", "read_allowed_i ? read_i : ReadNone", "read_i"),
    "lost": ("cry_entropy.sv", "lost_d = beat_valid_d;", "lost_d = 1'b0;"),
    "alarm-forgets": ("cry_entropy.sv", "!enable_i && (state_q != StateAlarm)", "!enable_i"),
    "chain": ("cry_aes_core_serial_enc128.sv", "byte_i ^ (block_q[0] & {8{done}})", "byte_i"),
    "late": ("cry_entropy_conditioner.sv", "8'(waits_q ? late_q : sample_i)", "8'(sample_i)"),
    "records-stay": ("cry_entropy_tests.sv", "wipe_q ? '0 : back", "back"),
}


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.soak
def test_mutants(name):
    with pytest.raises((RuntimeError, SystemExit)):  # by an assertion of the RTL, or a test
        simulate(SHORT, change=MUTANTS[name], light=True)
