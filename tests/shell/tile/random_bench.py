"""The tile with random bits from outside, for engines whose jobs take long."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from tile_bench import Bench

from cryptile import layout

MAKES = layout.blocks()["tile_queue"].registers["ALLOWED"].pack(opcodes=0xFFFF, make_keys=1)
LONGEST = 1_300_000
"""Cycles in which two jobs of any of the curves' engines end."""

WIPED_WITHIN = 600
"""Cycles behind a job, or a clear, in which a public-key engine is wiped and takes another one."""

STEP = 16
"""Cycles from one look at the records to the next."""


class Source:
    """Gives words of which none comes twice, each in a share of the cycles, and keeps them."""

    def __init__(self, dut, share=1.0):
        self.dut, self.share = dut, share
        self.random, self.taken = random.Random(99), []

    async def run(self):
        dut, word = self.dut, b""
        while True:
            if word and dut.rnd_ready_o.value != 1:
                await RisingEdge(dut.rnd_ready_o)
            await RisingEdge(dut.clk_i)
            if word and dut.rnd_ready_o.value == 1:
                self.taken.append(word)
                word = b""
            if not word and self.random.random() < self.share:
                word = self.random.randbytes(16)
            dut.rnd_valid_i.value = bool(word)
            dut.rnd_i.value = int.from_bytes(word, "little")


async def started(dut, share=1.0):
    bench = await Bench(dut, queues=2).start()
    source = Source(dut, share)
    cocotb.start_soon(source.run())
    return bench, source


async def records(queue, number=1, limit=LONGEST):
    """Wait for so many records, for up to ``limit`` cycles."""
    found = []
    for _ in range(limit // STEP + 1):
        while len(found) < number and (result := queue.poll()):
            found.append(result)
        if len(found) == number:
            return found
        await ClockCycles(queue.bench.dut.clk_i, STEP)
    raise AssertionError(f"queue {queue.number}: {len(found)} of {number} jobs ended")


async def ended(queue, *jobs):
    """Do jobs, long ones too; return their records in the order of the jobs."""
    indices = [queue.put(job) for job in jobs]
    await queue.ring_bell()
    found = {result.index: result for result in await records(queue, len(jobs))}
    return [found[index] for index in indices]


async def written(queue, job, room, size, limit=LONGEST):
    """Do a job whose results go to ``size`` bytes at ``room``; return its record and these.

    Nothing is written behind them.
    """
    before = queue.bench.memory.read(room, size)
    queue.put(job)
    await queue.ring_bell()
    (result,) = await records(queue, limit=limit)
    after = queue.bench.memory.read(room, size)
    assert after[result.written :] == before[result.written :]
    return result, after[: result.written]
