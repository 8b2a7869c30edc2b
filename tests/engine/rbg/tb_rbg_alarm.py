"""cocotb tests of ``cry_rbg`` with a part that cannot work: its alarm, and what ends that."""

import os

import cocotb
from cocotb.triggers import ClockCycles
from tb_rbg import (
    AGAIN,
    ALARM,
    BLOCKS,
    ENABLE,
    OFF,
    PAUSE,
    PAUSED,
    PERIOD,
    RAW,
    READ,
    RESEED,
    RESTART,
    RUN,
    SETTLE,
    TEST,
    WINDOW,
    Bench,
)

LATE = os.environ.get("CRYPTILE_BROKEN") == "late"
"""No word of entropy comes; else the known answer is wrong."""

KNOWN = 16
"""Of the tests that failed: the conditioner's known-answer test."""
WORD = SETTLE + PERIOD * (WINDOW + 16 * BLOCKS)
"""Cycles to the first word."""


async def raised(bench):
    """Wait for the alarm; return in how many cycles, to 20, it came."""
    for cycles in range(0, AGAIN + 3 * WORD, 20):
        if int(bench.dut.alarm_o.value):
            return cycles
        await ClockCycles(bench.dut.clk_i, 20)
    raise AssertionError(await bench.status())


async def stays(bench, source):
    status = await bench.status()
    assert (status["source"], status["alarm"], status["fails"]) == (source, 0, 0)
    assert (status["drbg"], status["seeded"]) == (1, 0)
    assert int(bench.dut.alarm_o.value) and not int(bench.dut.rnd_valid_o.value)


@cocotb.test
async def drbg_alarm(dut):
    """It comes in bounded time, shows also while off, and stays until a restart or reset."""
    bench = await Bench(dut, 1).start()
    registers = bench.registers
    dut.read_allowed_i.value = 1
    await registers.write("CONTROL", ENABLE)
    cycles = await raised(bench)
    if LATE:
        assert 2 * WORD < cycles < 2 * WORD + 512 + 2 * TEST + 100
    else:
        assert cycles < SETTLE + 3 * TEST  # while the source is tested
        await ClockCycles(dut.clk_i, AGAIN)
    await stays(bench, RUN)
    await registers.write("COMMAND", RESEED)
    await ClockCycles(dut.clk_i, AGAIN)
    await stays(bench, RUN)
    for control, source in ((0, OFF), (ENABLE | RAW << 4, READ), (0, OFF), (ENABLE, RUN)):
        await registers.write("CONTROL", control)
        await ClockCycles(dut.clk_i, PAUSE + SETTLE + 40 if source != RUN else AGAIN)
        await stays(bench, source)
    dut.wipe_i.value = 1
    await ClockCycles(dut.clk_i, 1)
    dut.wipe_i.value = 0
    await ClockCycles(dut.clk_i, 40)
    await stays(bench, OFF)
    # A restart ends it, also while off; with the source on it tests that, too.
    await registers.write("COMMAND", RESTART)
    status = await bench.status()
    assert (status["source"], status["drbg"]) == (OFF, 0) and not int(dut.alarm_o.value)
    await registers.write("CONTROL", ENABLE)
    await raised(bench)
    await registers.write("COMMAND", RESTART)
    status = await bench.status()
    assert (status["source"], status["drbg"]) == (PAUSED, 0) and not int(dut.alarm_o.value)
    await raised(bench)
    dut.rst_ni.value = 0
    await ClockCycles(dut.clk_i, 2)
    assert not int(dut.alarm_o.value)


@cocotb.test
async def conditioner_alarm(dut):
    """STATUS tells which test failed; a restart tests it again."""
    bench = await Bench(dut, 1).start()
    await bench.registers.write("CONTROL", ENABLE)
    for _ in range(2):
        assert await raised(bench) < SETTLE + PAUSE + 40
        status = await bench.status()
        assert (status["source"], status["alarm"], status["drbg"]) == (ALARM, 1, 0)
        assert (status["fails"], status["lane"], status["seeded"]) == (KNOWN, 0, 0)
        assert not int(dut.rnd_valid_o.value)
        await bench.registers.write("COMMAND", RESTART)
        assert (await bench.status())["source"] == PAUSED and not int(dut.alarm_o.value)
