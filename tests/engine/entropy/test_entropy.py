"""Health tests of the entropy source: cut-offs, broken sources, false alarms, RTL and model."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import health_words
import numpy as np
import pytest
from health_model import Bits, found, health
from rings import Rings
from sources import BROKEN, sound
from support import cocotb_runner

from cryptile.entropy import cutoffs
from cryptile.errors import CryptileError
from cryptile.project import ROOT
from cryptile.toolchain import rtl, tools

HERE = Path(__file__).parent
ENTROPY, WINDOW, LAGS, LANES = 0.5, 1024, 4, 12
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
    assert (cutoffs.WINDOW_BITS, cutoffs.RUN_BITS) == (30, 40)
    found = cutoffs.parameters(ENTROPY)
    assert found == cutoffs.Parameters()
    assert (found.rct_cutoff, found.cutoff) == (RCT, CUTOFF)
    assert found.blocks == DEFAULT["Blocks"]
    said = {
        (path.stem, *default)
        for folder in ("entropy", "rbg")
        for path in (ROOT / "rtl/engine" / folder).glob("*.sv")
        for default in re.findall(r"int unsigned +(\w*Cutoff) *= (\d+)", path.read_text())
    }
    modules = {module for module, *_ in said}
    assert modules >= {"cry_entropy", "cry_rbg"}
    values = {"RctCutoff": str(RCT), "Cutoff": str(CUTOFF)}
    assert said == {(module, *default) for module in modules for default in values.items()}


def test_hours_without_false_alarm():
    """What the README says of a source that is as bad as it may be, at 100 MHz."""
    sparse, dense = (cutoffs.parameters(ENTROPY, run_bits=bits) for bits in (40, 30))
    assert round(1 / sparse.false_alarms / 100e6 / 3600, 1) == 5.6
    assert round(1 / dense.false_alarms / 100e6 / 60, 1) == 3.5


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

    assert cutoffs.proportion(entropy, 20, 1024) == cutoff
    assert tail(cutoff) <= 2**-20 < tail(cutoff - 1)


def test_bad_entropy():
    for entropy in (0.0, -1.0, 1.5):
        with pytest.raises(ValueError, match="min-entropy"):
            cutoffs.best_guess(entropy)
    with pytest.raises(ValueError, match="as rare"):
        cutoffs.proportion(0.1, 30, 64)


TOPS = ("cry_entropy", "cry_entropy_source", "cry_rbg")
REFUSED: dict[str, list[dict[str, int]]] = {
    "Lanes are pairs": [{"Lanes": 5}, {"Lanes": 18}],
    "Period and PauseCycles are over": [{"Period": 14}, {"Lanes": 16, "Period": 18}],
    "RctCutoff is at least 2, Cutoff over half": [
        {"Cutoff": 512},
        {"Window": 256},
        {"RctCutoff": 1},
    ],
    "Entropy is 1 to 1000": [{"Entropy": 0}, {"Entropy": 1001}],
    "SettleCycles end before": [{"SettleCycles": 917}],
}
LEAST_BLOCKS = [
    ({}, 4),
    ({"Lanes": 4}, 12),
    ({"Entropy": 400}, 5),
    ({"Lanes": 16, "Entropy": 1000}, 2),
]
EDGES = {"Period": 15, "Cutoff": 513, "RctCutoff": 2, "SettleCycles": 918}


def elaborate(top: str, sizes: dict[str, int]) -> None:
    files = rtl.resolve("cryptile:engine:rbg")
    given = [f"-G{name}={size}" for name, size in sizes.items()]
    folders = [f"+incdir+{folder}" for folder in files.include_dirs]
    how = ["--lint-only", "-Wno-lint", "--top-module", top]
    tools.run(["verilator", *how, *given, *folders, *files.files])


@pytest.mark.parametrize("top", TOPS)
@pytest.mark.parametrize("message", REFUSED)
def test_bad_parameters(top, message):
    """They end the build, of each module that has them."""
    for sizes in REFUSED[message]:
        with pytest.raises(CryptileError, match=message):
            elaborate(top, sizes)


@pytest.mark.parametrize(("sizes", "blocks"), LEAST_BLOCKS)
def test_least_blocks(sizes, blocks):
    """So many blocks have the entropy that is asked for, by the RTL and the command; fewer not."""
    lanes, entropy = sizes.get("Lanes", LANES), sizes.get("Entropy", 500) / 1000
    assert blocks * 16 * lanes / 2 * entropy >= 192 > (blocks - 1) * 16 * lanes / 2 * entropy
    assert cutoffs.parameters(entropy, lanes=lanes).blocks == blocks
    for top in ("cry_entropy", "cry_rbg"):
        elaborate(top, sizes | {"Blocks": blocks})
        with pytest.raises(CryptileError, match="Blocks have less min-entropy"):
            elaborate(top, sizes | {"Blocks": blocks - 1})


@pytest.mark.parametrize("top", TOPS)
def test_parameters_at_their_edges(top):
    elaborate(top, EDGES)


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


def test_entropy_of_rings():
    """What the README says of the rings that it assumes, and of ECP5 with three times the period.

    The phase in the midst of a half period is what tells most of the next sample: so often it is
    still in such a half, by the model and in trials.
    """
    rng = np.random.default_rng(9)
    for rings, interval in ((Rings(), INTERVAL), (Rings(delay=240e-12), 3 * INTERVAL)):
        spread, entropy = rings.spread(interval), rings.entropy(interval)
        assert round(spread.min(), 4) == 0.2485
        assert round(entropy.min(), 3) == 0.539
        for lane in range(rings.lengths):
            phases = 0.25 + spread[lane] * rng.normal(size=1_000_000)
            seen = -math.log2(np.mean(phases % 1 < 0.5))
            assert seen == pytest.approx(entropy[lane], abs=0.01)


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
        "apt": cutoffs.tail(window - 1, half, cutoff - 1) + cutoffs.tail(window - 1, half, cutoff),
        "lag": 2 * cutoffs.tail(window, half, cutoff),
        "pair": 2 * cutoffs.tail(window, half, cutoff),
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
        assert count == pytest.approx(expected, rel=0.02), name


SHORT = {
    "Lanes": 16,
    "Period": 256,
    "Window": 64,
    "RctCutoff": 21,
    "Cutoff": 51,
    "Blocks": 3,
    "RestartSamples": 20,
    "SettleCycles": 918,
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
        see=[
            *cocotb_runner.STORED,
            ("cry_entropy_sampler", "valid_o"),
            ("cry_entropy_conditioner", "passed_o"),
        ],
        **more,
    )


def test_source():
    simulate(SHORT)


def test_source_of_rings():
    """With the parameters that it has by itself; at 100 MHz 5 ms and 2 ms are aimed at."""
    found = cutoffs.parameters(ENTROPY)
    assert (found.start_cycles, found.reseed_cycles) == (312_536, 32_768)  # README
    assert (found.settle, found.pause) == (DEFAULT["SettleCycles"], DEFAULT["PauseCycles"])
    times = {"CRYPTILE_START": found.start_cycles, "CRYPTILE_RESEED": found.reseed_cycles}
    simulate(DEFAULT, {name: str(cycles) for name, cycles in times.items()}, testcase="times")


def test_known_answer():
    """Upsets of the conditioner while it is tested."""
    simulate(SHORT, {"CRYPTILE_UPSET": "1"}, testcase="known_answer", upset=True)


@pytest.mark.soak
def test_validation():
    """What a laboratory asks for: 1,000,000 samples in a row, and rows of 1,000 restarts."""
    sizes = DEFAULT | {"Period": 20, "PauseCycles": 32}
    simulate(sizes, {"CRYPTILE_LONG": "1000000"}, testcase="raw", light=True)
    simulate(sizes, {"CRYPTILE_LONG": "1000"}, testcase="restarts", light=True)


MUTANTS = {
    "restart": ("cry_entropy.sv", "if (restart_i && (state_q", "if (!enable_i && (state_q"),
    "on-demand": ("cry_entropy.sv", "restart_i && (state_q != StateOff)", "restart_i && alarm_o"),
    "start-up": ("cry_entropy.sv", "state_d = StateRun;", "state_d = StateStartup;"),
    "untested": ("cry_entropy.sv", "? StateRead : StateStartup", "? StateRead : StateRun"),
    "no-wipe": ("cry_entropy.sv", " || (state_d != state_q)", ""),
    "both-ways": ("cry_entropy.sv", "word_valid && (read_q == ReadNone)", "word_valid"),
    "life-cycle": ("cry_entropy.sv", "read_allowed_i ? read_i : ReadNone", "read_i"),
    "lost": ("cry_entropy.sv", "lost_d = beat_valid_d;", "lost_d = 1'b0;"),
    "alarm-forgets": ("cry_entropy.sv", "!enable_i && (state_q != StateAlarm)", "!enable_i"),
    "chain": ("cry_aes_core_serial_enc128.sv", "byte_i ^ (block_q[0] & {8{done}})", "byte_i"),
    "late": ("cry_entropy_conditioner.sv", "8'(waits_q ? late_q : sample_i)", "8'(sample_i)"),
    "lane": ("cry_entropy.sv", "lane_d  = lane;", "lane_d  = '0;"),
    "fails": ("cry_entropy.sv", "fails_d = fails;", "fails_d = '1;"),
    "records-stay": ("cry_entropy_tests.sv", "wipe_q ? '0 : back", "back"),
}


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.soak
def test_mutants(name):
    simulate(SHORT, change=MUTANTS[name], light=True)


UNKNOWN = {
    "s-box": ("cry_aes_sbox.sv", "Tabulated[in_i]", "Tabulated[in_i & 8'h7f]"),
    "one-entry": ("cry_aes_sbox.sv", "Tabulated[in_i]", "Tabulated[in_i] ^ 8'(in_i == 8'h53)"),
    "columns": ("cry_aes_core_serial_enc128.sv", "{8{mix}} & mixed", "{8{mix}} & ~mixed"),
    "counter": ("cry_entropy_conditioner.sv", "8'({block_q, place_q})", "8'({block_q, 4'd0})"),
    "place": ("cry_entropy_conditioner.sv", "place_q + 4'(take)", "place_q + 4'(2 * take)"),
    "block": ("cry_entropy_conditioner.sv", "block_q + 1'b1", "block_q ^ BlockWidth'(1)"),
    "half": (
        "cry_entropy_conditioner.sv",
        "half_q ? out_block[127:64]",
        "1'b0 ? out_block[127:64]",
    ),
    "first-word": (
        "cry_entropy_conditioner.sv",
        ": out_block[63:0]",
        ": out_block[63:0] | 64'd1 << 63",
    ),
    "second-word": (
        "cry_entropy_conditioner.sv",
        "? out_block[127:64]",
        "? out_block[127:64] << 1",
    ),
    "late-result": ("cry_entropy_conditioner.sv", "? TestBlocks : Blocks", "? Blocks : Blocks"),
}
"""Of the conditioner and the way out of it."""


@pytest.mark.parametrize("name", UNKNOWN)
@pytest.mark.soak
def test_known_answer_finds(name):
    simulate(SHORT, change=UNKNOWN[name], testcase="known_answer", light=True)
