"""Soft clear, and a job given behind it while accesses of the dropped one wait for their grant.

The accesses of the dropped job are finished as they were asked for: the memory model holds every
lane to the TCDM rule, and nobody asks for a word that belongs to neither job.
"""

import random

import cocotb
from cocotb.triggers import ClockCycles, Timer
from hwpe_model import BASE, DRAIN, OK, ctrl, span, start, words

STALLS = (0.0, 0.5, 0.9, 1.0)


def draw(rng, where):
    """Registers of a job in a part of memory of its own, what it may read, and what it writes."""
    src, dst, iv = (BASE + where + at + rng.randrange(32) for at in (0, 2048, 4096))
    length, save = rng.choice((rng.randrange(1, 20), rng.randrange(100))), rng.randrange(2)
    job = {"SRC_PTR": src, "DST_PTR": dst, "LEN": length, "IV_PTR": iv, "CTRL": ctrl(ctx_save=save)}
    context = 16 if save else 0
    reads = words(src, length) | words(iv, context)
    return job, reads, span(dst, length) | span(iv, context)


async def drained(core, limit=200):
    """Wait as software does."""
    while await core.read("STATUS") & DRAIN:
        limit -= 1
        assert limit > 0, "the accesses of the dropped job do not end"


@cocotb.test()
async def job_behind_a_clear(dut):
    """Jobs of any shape, cleared in any cycle with any lanes waiting, and the next one at once."""
    memory, core = await start(dut)
    rng = random.Random(21)
    for turn in range(300):
        old, old_reads, old_writes = draw(rng, 0)
        new, new_reads, new_writes = draw(rng, 8192)
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        memory.forget()
        await core.job(**old)
        if rng.randrange(3) == 0:
            await core.job(trigger=rng.randrange(2))  # one more waits
        if turn % 32:
            await ClockCycles(dut.clk_i, turn % 32)
            await Timer(1, "ns")
        await core.write("SOFT_CLEAR", rng.randrange(2))
        core.events.clear()
        expected = memory.read(new["SRC_PTR"], new["LEN"])
        await core.job(**new)
        both = rng.randrange(2)
        if both:  # the second context is as free as the first
            await core.job()
            assert not await core.read("RESULT") >> 31
        await ClockCycles(dut.clk_i, rng.randrange(8))
        await Timer(1, "ns")
        memory.stall = [rng.choice((0.0, 0.7)) for _ in range(4)]
        await core.wait(1 + both)
        assert await core.result(0) == OK
        assert memory.read(new["DST_PTR"], new["LEN"]) == expected
        assert memory.read_words <= old_reads | new_reads, (turn, old, new)
        assert memory.written <= old_writes | new_writes, (turn, old, new)
        await core.write("SOFT_CLEAR", 1)


@cocotb.test()
async def drain_tells_of_late_accesses(dut):
    """Once STATUS.drain is 0 no access of the dropped job comes; with grants it ends soon."""
    memory, core = await start(dut)
    rng = random.Random(22)
    seen = 0
    for turn in range(120):
        job, _, _ = draw(rng, 0)
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        await core.job(**job)
        if turn % 40:
            await ClockCycles(dut.clk_i, turn % 40)
            await Timer(1, "ns")
        await core.write("SOFT_CLEAR", 0)
        if dut.tcdm_req_o.value != 0 and 1.0 in memory.stall:
            # For as long as the memory holds a lane back.
            await ClockCycles(dut.clk_i, rng.randrange(40))
            await Timer(1, "ns")
            waiting = int(dut.tcdm_req_o.value)
            if any(waiting >> lane & 1 and memory.stall[lane] == 1.0 for lane in range(4)):
                assert await core.read("STATUS") == DRAIN
                seen += 1
        memory.stall = [0.3] * 4
        await drained(core)
        memory.forget()
        assert await core.read("STATUS") == 0
        await ClockCycles(dut.clk_i, 30)
        await Timer(1, "ns")
        assert not memory.accesses and not memory.asked
    assert seen > 20


@cocotb.test()
async def clears_upon_clears(dut):
    """A clear while the last one drains, and jobs between them: nothing of them is left."""
    memory, core = await start(dut)
    rng = random.Random(23)
    for _ in range(60):
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        memory.forget()
        reads, writes = set(), set()
        for part in range(3):
            job, its_reads, its_writes = draw(rng, 8192 * part)
            reads |= its_reads
            writes |= its_writes
            await core.job(**job)
            await ClockCycles(dut.clk_i, rng.randrange(1, 12))
            await Timer(1, "ns")
            await core.write("SOFT_CLEAR", rng.randrange(2))
        core.events.clear()
        memory.stall = [0.5] * 4
        await drained(core)
        await ClockCycles(dut.clk_i, 20)
        await Timer(1, "ns")
        assert not core.events and await core.read("FINISHED") == 0
        assert memory.read_words <= reads and memory.written <= writes
