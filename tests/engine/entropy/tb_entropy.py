"""cocotb test of ``cry_entropy_tests`` against its model, on sound and broken sources."""

import os

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from health_model import health
from sources import BROKEN, chained, sound

WINDOW, RCT, CUTOFF, LAGS, LANES = (int(word) for word in os.environ["CRYPTILE_TESTS"].split())
MASK = (1 << LANES) - 1
FAIL = ("rct", "apt", "lag", "pair")


async def reset(dut):
    dut.rst_ni.value, dut.clear_i.value, dut.valid_i.value, dut.sample_i.value = 0, 0, 0, 0
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await ClockCycles(dut.clk_i, 2)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1


async def play(dut, rng, samples, gaps: float):
    """Give the samples, with gaps; each answer is that of the model, and a gap has none."""
    said = health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS)
    weights = 1 << np.arange(LANES)
    words = weights @ samples
    expected = [weights[: len(getattr(said, name))] @ getattr(said, name) for name in FAIL]
    for index, word in enumerate(words):
        while gaps and rng.random() < gaps:
            dut.valid_i.value, dut.sample_i.value = 0, int(rng.integers(MASK + 1))
            await FallingEdge(dut.clk_i)
            assert not int(dut.window_o.value)
            assert all(not int(getattr(dut, f"{name}_fail_o").value) for name in FAIL)
        dut.valid_i.value, dut.sample_i.value = 1, int(word)
        await FallingEdge(dut.clk_i)
        assert int(dut.window_o.value) == (index % WINDOW == WINDOW - 1)
        for name, values in zip(FAIL, expected, strict=True):
            assert int(getattr(dut, f"{name}_fail_o").value) == values[index], (name, index)
    dut.valid_i.value = 0


@cocotb.test
async def like_the_model(dut):
    """Each kind of source, cleared in the midst of a window, with and without gaps."""
    rng = np.random.default_rng(1)
    await reset(dut)
    for source in (sound, *BROKEN.values()):
        for gaps in (0.0, 0.3):
            length = 2 * WINDOW + int(rng.integers(2 * WINDOW))
            await play(dut, rng, source(rng, LANES, length), gaps)
            dut.clear_i.value = 1
            dut.valid_i.value = int(rng.integers(2))  # is not counted
            await FallingEdge(dut.clk_i)
            assert all(not int(getattr(dut, f"{name}_fail_o").value) for name in FAIL)
            dut.clear_i.value = dut.valid_i.value = 0


@cocotb.test
async def at_the_cutoff(dut):
    """Counts of either side about the cut-off, so that it is met exactly."""
    rng = np.random.default_rng(2)
    await reset(dut)
    for chance in (CUTOFF / WINDOW, 1 - CUTOFF / WINDOW):
        await play(dut, rng, chained(rng, LANES, 1500, chance), 0.0)
        dut.clear_i.value = 1
        await FallingEdge(dut.clk_i)
        dut.clear_i.value = 0
