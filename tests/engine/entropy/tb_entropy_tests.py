"""cocotb test of ``cry_entropy_tests`` against its model, on sound and broken sources."""

import os

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge
from health_model import FAILS, health
from sources import BROKEN, chained, sound

WINDOW, RCT, CUTOFF, LAGS, LANES = (int(word) for word in os.environ["CRYPTILE_TESTS"].split())


async def reset(dut):
    dut.rst_ni.value, dut.clear_i.value, dut.valid_i.value, dut.sample_i.value = 0, 0, 0, 0
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    await ClockCycles(dut.clk_i, 2)
    await FallingEdge(dut.clk_i)
    dut.rst_ni.value = 1
    await rest(dut)


async def rest(dut):
    """Wait for the test of a sample, or a wipe: a cycle for each lane and the parity."""
    await ClockCycles(dut.clk_i, LANES + 2)
    await FallingEdge(dut.clk_i)
    assert int(dut.ready_o.value)


async def play(dut, rng, samples, gaps: float):
    """Give the samples, with gaps; what is said of each is what the model says."""
    said = health(samples, window=WINDOW, rct=RCT, cutoff=CUTOFF, lags=LAGS)
    weights = 1 << np.arange(LANES + 1)
    expected = {name: weights[: len(said[name])] @ said[name] for name in FAILS}
    for index, word in enumerate(weights[:LANES] @ samples):
        if gaps and rng.random() < gaps:
            dut.sample_i.value = int(rng.integers(1 << LANES))
            await ClockCycles(dut.clk_i, int(rng.integers(1, 5)))
            await FallingEdge(dut.clk_i)
        dut.valid_i.value, dut.sample_i.value = 1, int(word)
        await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        await rest(dut)
        assert int(dut.window_o.value) == (index % WINDOW == WINDOW - 1)
        for name in FAILS:
            assert int(getattr(dut, f"{name}_o").value) == expected[name][index], (name, index)


async def clear(dut):
    """Clear, also in the midst of the test of a sample: all records are zero behind it."""
    dut.clear_i.value = 1
    await FallingEdge(dut.clk_i)
    dut.clear_i.value = 0
    await rest(dut)
    assert not int(dut.u_tests.records_q.value) and not int(dut.u_tests.sample_q.value)


@cocotb.test
async def like_the_model(dut):
    """Each kind of source, cleared in the midst of a window, with and without gaps."""
    rng = np.random.default_rng(1)
    await reset(dut)
    for source in (sound, *BROKEN.values()):
        for gaps in (0.0, 0.3):
            length = 2 * WINDOW + int(rng.integers(WINDOW))
            await play(dut, rng, source(rng, LANES, length), gaps)
            dut.valid_i.value = 1
            await FallingEdge(dut.clk_i)
            dut.valid_i.value = 0
            await ClockCycles(dut.clk_i, int(rng.integers(LANES + 1)))
            await FallingEdge(dut.clk_i)
            await clear(dut)


@cocotb.test
async def at_the_cutoff(dut):
    """Counts of either side about the cut-off, so that it is met exactly."""
    rng = np.random.default_rng(2)
    await reset(dut)
    for chance in (CUTOFF / WINDOW, 1 - CUTOFF / WINDOW):
        await play(dut, rng, chained(rng, LANES, 1500, chance), 0.0)
        await clear(dut)
