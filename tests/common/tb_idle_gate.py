"""Each cycle's edge is there or not as a model says, with and without upsets of the gate itself."""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge, Timer
from support.upsets import flip, registers

LINGER = int(os.environ["CRYPTILE_LINGER"])
DETECTS, CORRECTS = (os.environ["CRYPTILE_PROTECT"] == level for level in "12")
ASLEEP = 255 if LINGER <= 192 else 511
"""Cycles behind the last busy one from which on it heals."""

HEALING = 64
"""Cycles of which one has an edge while what is protected sleeps."""


class Gate:
    """A gate, and the cycles since its block was busy."""

    def __init__(self, dut):
        self.dut, self.rest = dut, 0

    async def start(self):
        self.dut.busy_i.value = 0
        self.dut.rst_ni.value = 0
        cocotb.start_soon(Clock(self.dut.clk_i, 10, "ns").start())
        for _ in range(3):
            await RisingEdge(self.dut.clk_i)
        await Timer(1, "ns")
        self.dut.rst_ni.value = 1
        return self

    async def cycle(self, busy):
        """Live through a cycle from its begin; return its reports: a correction, an alarm."""
        self.dut.busy_i.value = busy
        heals = (
            (DETECTS or CORRECTS) and self.rest >= ASLEEP and (self.rest - ASLEEP) % HEALING == 0
        )
        runs = busy or self.rest < LINGER or heals
        await FallingEdge(self.dut.clk_i)
        await ReadOnly()
        told = int(self.dut.corrected_o.value), int(self.dut.detected_o.value)
        assert int(self.dut.clk_o.value) == 0
        await RisingEdge(self.dut.clk_i)
        await ReadOnly()
        assert int(self.dut.clk_o.value) == runs, f"{self.rest} cycles behind the last busy one"
        self.rest = 0 if busy else self.rest + 1
        await Timer(1, "ns")
        return told


@cocotb.test()
async def edges(dut):
    """Behind reset, behind work of any length, and while the block sleeps."""
    gate = await Gate(dut).start()
    rng = random.Random(1)
    for idle in (LINGER - 1, LINGER, LINGER + 1, 1, 2, 300, 254, 255, 256, 257, 510, 511, 512, 700):
        for _ in range(idle):
            assert await gate.cycle(0) == (0, 0)
        for _ in range(rng.randrange(1, 4)):
            await gate.cycle(1)


@cocotb.test(skip=not CORRECTS)
async def upsets(dut):
    """One of any flip-flop, in any state: the edges are the same, and it is gone a cycle later."""
    gate = await Gate(dut).start()
    rng = random.Random(2)
    told = 0
    found = registers(dut)
    assert len(found) == 6, "three copies of the counter and of the enable"
    for _ in range(60):
        for _ in range(rng.choice((1, 5, LINGER, 300))):
            assert await gate.cycle(0) == (0, 0)
        register = rng.choice(found)
        flip(register, rng.randrange(len(register)))
        told += (await gate.cycle(rng.randrange(2)))[0]
        assert await gate.cycle(rng.randrange(2)) == (0, 0)
    assert told > 10
