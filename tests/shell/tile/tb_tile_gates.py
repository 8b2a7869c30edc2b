"""Clocks of lanes: one without a job stands, no cycle is lost, and nothing else is different.

``tile_gates_probe`` compares every output with those of a tile without gates, in every cycle.
"""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from support.tile_model import COPY, OK
from tile_bench import Bench, Job
from tile_jobs import ALGORITHMS, Maker

LINGER = 128
"""Cycles for which a lane's clock runs behind its last job."""

HEALING = 64
"""Cycles of which one has an edge while a protected lane sleeps."""

PROTECTED = os.environ["CRYPTILE_PROTECT"] != "none"

ASLEEP = 256 if PROTECTED else LINGER
"""Cycles behind its last job from which on a lane heals, or has no clock."""


def edges(dut, opcode):
    return int(dut.edges_o.value) >> 32 * (opcode - 1) & 0xFFFF_FFFF


def other(dut):
    """The other opcode, which has the last lane."""
    return len(dut.edges_o) // 32


async def asleep(dut):
    """All clocks stand, after a while."""
    await ClockCycles(dut.clk_i, ASLEEP + 10)
    for opcode in (COPY, other(dut)):
        before = edges(dut, opcode)
        await ClockCycles(dut.clk_i, HEALING * 8)
        assert edges(dut, opcode) - before == (8 if PROTECTED else 0)


@cocotb.test(skip=PROTECTED)
async def sleep(dut):
    """A lane has edges for its own jobs alone, and for a while behind them and behind reset."""
    bench = await Bench(dut, queues=2).start()
    (queue, _) = bench.queues
    await queue.open()
    await asleep(dut)
    assert LINGER <= edges(dut, COPY) <= LINGER + 3
    job = Job(COPY, src=queue.heap, dst=queue.heap + 64, length=64)
    copied, others = edges(dut, COPY), edges(dut, other(dut))
    (result,) = await queue.run(job)
    assert result.status == OK
    await asleep(dut)
    assert LINGER + 10 < edges(dut, COPY) - copied < LINGER + result.cycles
    assert edges(dut, other(dut)) == others
    # A job for nobody, and one that begins and ends with nothing to do.
    copied = edges(dut, COPY)
    (result,) = await queue.run(Job(15))
    assert result.status != OK and edges(dut, COPY) == copied
    (result,) = await queue.run(Job(COPY))
    assert result.status == OK and edges(dut, COPY) > copied
    await asleep(dut)


@cocotb.test()
async def at_any_time(dut):
    """Jobs that come while clocks run, run out, and stand."""
    bench = await Bench(dut, queues=2).start()
    rng = random.Random(5)
    names = [name for name in ALGORITHMS if name != "nop"]
    for queue in bench.queues:
        await queue.open()
    makers = [Maker(queue, rng) for queue in bench.queues]
    for gap in [*range(0, 40, 3), *range(60, 160, 5), 200]:
        queue = bench.queues[gap % 2]
        job = makers[gap % 2].job(rng.choice(names))
        (verdict, changed) = bench.expect(job)
        (result,) = await queue.run(job)
        assert (result.status, result.written) == verdict[0], job
        bench.check(changed)
        await ClockCycles(dut.clk_i, gap)


@cocotb.test()
async def ends(dut):
    """Aborts, soft resets and tampering find lanes at work, on the way to sleep, and asleep."""
    bench = await Bench(dut, queues=2).start()
    (queue, _) = bench.queues
    for wait in (0, 5, 20, 40, 60, 120, 300, 1000):
        for way in ("abort", "reset"):
            await queue.open()
            for length in (3000, 64):
                queue.put(Job(COPY, src=queue.heap, dst=queue.heap + 0x4000, length=length))
            await queue.ring_bell()
            await ClockCycles(dut.clk_i, wait)
            before = edges(dut, COPY)
            if way == "abort":
                await queue.write("CONTROL", 2)
                await queue.idle()
                await queue.write("CONTROL", 0)
            else:
                await bench.registers.write("CONTROL", 2)
                while await bench.registers.read("CONTROL") & 2:
                    pass
                await asleep(dut)
                assert edges(dut, COPY) >= before + LINGER, "what is reset has a clock"
    await queue.open()
    job = Job(COPY, src=queue.heap, dst=queue.heap + 64, length=64)
    assert (await queue.run(job))[0].status == OK
    await asleep(dut)
    dut.tamper_i.value = 1
    await ClockCycles(dut.clk_i, 1)
    dut.tamper_i.value = 0
    await queue.ring_bell()
    await ClockCycles(dut.clk_i, 300)
    assert await queue.read("CONTROL") & 1 == 0
