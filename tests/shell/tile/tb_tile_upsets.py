"""Upsets in a tile that corrects them: jobs of two queues end as if nothing had been."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, ReadWrite, RisingEdge
from support.tile_model import COPY, OK, WINDOW
from tile_bench import Bench, Job
from tile_jobs import ALGORITHMS, Maker

JOBS = int(os.environ["CRYPTILE_JOBS"])
ENGINES = ("u_engine",)  # have levels of their own


def stores(handle):
    """The copies of registers and the memories of codewords, below a module."""
    copies, memories = [], []
    for child in handle:
        name = child._name
        if name == "copy_q":
            copies.append(child)
        elif name == "mem":
            memories.append(child)
        elif name.startswith(("u_", "gen_")) and name not in ENGINES:
            below = stores(child)
            copies += below[0]
            memories += below[1]
    return copies, memories


class Upsets:
    """Flips a bit now and then, right behind a clock edge."""

    def __init__(self, dut, rng):
        self.dut, self.rng = dut, rng
        copies, memories = stores(dut)
        self.places = [(copy, bit) for copy in copies for bit in range(len(copy))]
        self.rows = [(memory, row) for memory in memories for row in range(len(memory))]
        rng.shuffle(self.rows)
        self.number = 0
        self.last = None

    async def run(self):
        while True:
            await ClockCycles(self.dut.clk_i, self.rng.randrange(1, 20))
            # Half of them in memories, whose words keep what they caught: each word once.
            if self.rows and self.rng.randrange(2):
                memory, row = self.rows.pop()
                store = memory[row]
                bit = self.rng.randrange(len(store))
            else:
                store, bit = self.rng.choice(self.places)
            await ReadWrite()
            store.value = int(store.value) ^ 1 << bit
            self.number += 1
            self.last = f"{store._path}[{bit}]"


@cocotb.test()
async def upsets(dut):
    bench = await Bench(dut, queues=2).start()
    rng = random.Random(int(os.environ.get("CRYPTILE_SEED", "1")))
    for queue in bench.queues:
        await queue.open()
    upsets = Upsets(dut, rng)
    assert len(upsets.places) > 5000 and len(upsets.rows) > 300
    for queue in bench.queues:
        maker = Maker(queue, random.Random(3))
        await queue.run(*(maker.job(name) for name in ALGORITHMS))
    assert await bench.registers.read("ERROR_STATUS") == 0, "nothing to be corrected"
    bench.memory.forget()
    flips = cocotb.start_soon(upsets.run())

    async def use(queue, other):
        mine = random.Random(queue.number)
        maker = Maker(queue, mine)
        for turn in range(JOBS):
            jobs = [maker.job(mine.choice(ALGORITHMS)) for _ in range(mine.randrange(1, 6))]
            expected = [bench.expect(job) for job in jobs]
            theirs = Job(COPY, src=other.heap, dst=queue.heap, length=99)
            if turn % 2:
                theirs.src, theirs.dst = theirs.dst, theirs.src
            *results, denied = await queue.run(*jobs, theirs)
            for job, result, (verdict, changed) in zip(jobs, results, expected, strict=True):
                assert (result.status, result.written) == verdict[0], (job, upsets.last)
                bench.check(changed)
            assert denied.status == WINDOW, upsets.last

    one, two = bench.queues
    tasks = [cocotb.start_soon(use(*pair)) for pair in ((one, two), (two, one))]
    for task in tasks:
        await task
    flips.cancel()
    await RisingEdge(dut.clk_i)
    dut._log.info("%d upsets in %d cycles", upsets.number, bench.memory.cycle)
    for queue, other in ((one, two), (two, one)):
        (result,) = await queue.run(Job(COPY, src=queue.heap, dst=queue.heap + 64, length=64))
        assert result.status == OK
        assert await queue.idle() & 0xF == 1
        # Every access lay in one of the regions.
        for address, length, _ in bench.memory.reads + bench.memory.writes:
            assert any(
                owner.base <= address and address + length <= owner.base + owner.REGION
                for owner in (queue, other)
            )
    status = await bench.registers.read("ERROR_STATUS")
    assert status == 1 << 16, "corrected, and nothing else"
