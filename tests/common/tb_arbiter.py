"""Grants go round as a model says; the register of the last one, upset, is corrected or told."""

import os
import random

import cocotb
from cocotb.triggers import ReadOnly, Timer
from support.upsets import flip, registers

NUMBER = int(os.environ["CRYPTILE_NUMBER"])
DETECTS, CORRECTS = (os.environ["CRYPTILE_PROTECT"] == level for level in "12")


def granted(requests, last):
    """Return who is granted: the lowest above the last one, else the lowest; 0 if nobody asks."""
    asking = [who for who in range(NUMBER) if requests >> who & 1]
    return next((who for who in asking if who > last), asking[0] if asking else 0)


class Arbiter:
    def __init__(self, dut):
        self.dut, self.last = dut, NUMBER - 1

    async def edge(self):
        self.dut.clk_i.value = 0
        await Timer(5, "ns")
        self.dut.clk_i.value = 1
        await Timer(5, "ns")

    async def start(self):
        self.dut.rst_ni.value = self.dut.req_i.value = self.dut.take_i.value = 0
        await self.edge()
        self.dut.rst_ni.value = 1
        return self

    async def cycle(self, requests, take):
        """Live through a cycle; return its reports: a correction, an alarm."""
        self.dut.req_i.value, self.dut.take_i.value = requests, take
        await Timer(1, "ns")
        await ReadOnly()
        told = int(self.dut.corrected_o.value), int(self.dut.detected_o.value)
        if not told[1]:
            who = granted(requests, self.last)
            assert int(self.dut.any_o.value) == (requests != 0)
            assert int(self.dut.index_o.value) == who, f"{requests:b} behind {self.last}"
            self.last = who if take and requests else self.last
        await Timer(1, "ns")
        await self.edge()
        return told


@cocotb.test()
async def rounds(dut):
    """Any requests, few or many; who stays is granted behind all others at the latest."""
    arbiter = await Arbiter(dut).start()
    rng = random.Random(1)
    for share in (1, 2, 3, 10):
        for _ in range(12 * NUMBER):
            requests = sum((rng.randrange(share) == 0) << who for who in range(NUMBER))
            assert await arbiter.cycle(requests, rng.randrange(4) > 0) == (0, 0)
    everyone, served = (1 << NUMBER) - 1, []
    for _ in range(NUMBER):
        await arbiter.cycle(everyone, 1)
        served.append(arbiter.last)
    assert sorted(served) == list(range(NUMBER))


@cocotb.test(skip=not (CORRECTS or DETECTS))
async def upsets(dut):
    """One of any flip-flop is outvoted, and gone a cycle later, or it is told."""
    arbiter = await Arbiter(dut).start()
    rng = random.Random(2)
    found = registers(dut)
    assert len(found) == (3 if CORRECTS else 2)
    for _ in range(60):
        register = rng.choice(found)
        flip(register, rng.randrange(len(register)))
        told = await arbiter.cycle(rng.getrandbits(NUMBER), rng.randrange(2))
        assert told == ((1, 0) if CORRECTS else (0, 1)), register._path
        if DETECTS:
            arbiter = await Arbiter(dut).start()
        assert await arbiter.cycle(rng.getrandbits(NUMBER), 1) == (0, 0)
