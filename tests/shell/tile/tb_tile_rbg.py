"""From oscillators to memory: a generator (``cry_rbg``) gives the tile its random bits."""

import os
import random
import sys
from pathlib import Path

import cocotb
from cocotb.triggers import ClockCycles

sys.path.append(str(Path(__file__).parents[2] / "engine/rbg"))
from follow import Follower
from sources import sound, stuck
from support.axi_model import Registers
from support.tile_model import NO_RANDOM, OK, OPCODES
from tile_bench import Bench, Job

NAMES = ("Lanes", "Window", "Blocks", "SettleCycles", "PauseCycles")
LANES, WINDOW, BLOCKS, SETTLE, PAUSE = (int(os.environ[name]) for name in NAMES)
PERIOD = 256
START = PAUSE + SETTLE + WINDOW * PERIOD + 3 * 16 * BLOCKS * PERIOD + 5000
"""Cycles in which random bits are there."""

WAIT = 65_536
"""Cycles that a job waits for a word."""

ENABLE = RESTART = 1
RESEED = 2
ALARM = 1 << 20
"""The event of the tile."""


class Ports:
    """The generator's register port, by the names of AXI4-Lite."""

    def __init__(self, dut):
        self.__dict__["dut"] = dut

    def __getattr__(self, name):
        return getattr(self.dut, name.replace("s_axil", "rbg"))


def asked(queue, rng, length):
    room = queue.place(rng.randbytes(length), 16)
    return Job(OPCODES["random"], iv=length.to_bytes(4, "little") + bytes(12), tag=room)


async def seeded(bench, registers):
    for _ in range(START // 100):
        if await registers.read("STATUS") >> 4 & 1:
            return
        await ClockCycles(bench.dut.clk_i, 100)
    raise AssertionError(f"no random bits: {await registers.read('STATUS'):#x}")


def taken(follower, data, after):
    """Return behind which block that the DRBG gave ``data`` ends, each block of it in order."""
    for start in range(0, len(data), 16):
        part = data[start : start + 16]
        after = next(
            n for n, block in enumerate(follower.given) if n > after and block.startswith(part)
        )
    return after


async def started(dut, seed):
    """Start both, with the generator on."""
    registers = Registers(Ports(dut), "rbg")
    bench = Bench(dut, queues=2)
    follower = Follower(
        dut.u_rbg, dut.osc_i, dut.clk_i, lanes=LANES, window=WINDOW, blocks=BLOCKS, seed=seed
    )
    await bench.start()
    cocotb.start_soon(follower.run())
    queue = await bench.queues[1].open()
    await registers.write("CONTROL", ENABLE)
    return registers, bench, follower, queue


@cocotb.test
async def bits(dut):
    """A job's bytes are the DRBG's on a seed of the source's; without a source it ends."""
    registers, bench, follower, queue = await started(dut, 7)
    rng = random.Random(1)
    # It waits for the start-up.
    (result,) = await early(queue, asked(queue, rng, 40))
    assert (result.status, result.written) == (OK, 40)
    last = taken(follower, bench.memory.read(queue.heap, 40), -1)
    for size in (16, 77, 1000):
        job = asked(queue, rng, size)
        (result,) = await queue.run(job)
        assert (result.status, result.written) == (OK, size)
        last = taken(follower, bench.memory.read(job.tag, size), last)

    # The source breaks: an interrupt tells the kernel.
    tile = bench.registers
    await tile.write("ERROR_STATUS", ALARM)
    await tile.write("ERROR_ENABLE", ALARM)
    assert not dut.error_irq_o.value
    follower.ring(stuck)
    for _ in range(2 * WINDOW * PERIOD // 100):
        if await registers.read("STATUS") >> 3 & 1:
            break
        await ClockCycles(dut.clk_i, 100)
    status = await registers.read("STATUS")
    assert status >> 3 & 1 and status >> 16 & 15
    assert dut.error_irq_o.value and await tile.read("ERROR_STATUS") == ALARM
    await tile.write("ERROR_STATUS", ALARM)
    assert await tile.read("ERROR_STATUS") == ALARM, "as long as the alarm lasts"
    # A word that the tile or the generator had at hand is not given, however few are asked for.
    for size in (16, 200):
        job = asked(queue, rng, size)
        (result,) = await early(queue, job)
        assert (result.status, result.written) == (NO_RANDOM, size)
        assert WAIT <= result.cycles < WAIT + 1000
        assert not any(bench.memory.read(job.tag, size))

    # Software restarts it, and all is as before, of the new seed alone.
    follower.ring(sound)
    seeds, last = follower.seeds, len(follower.given) - 1
    await registers.write("COMMAND", RESTART)
    await seeded(bench, registers)
    job = asked(queue, rng, 100)
    (result,) = await early(queue, job)
    assert (result.status, result.written) == (OK, 100)
    taken(follower, bench.memory.read(job.tag, 100), last)
    assert follower.seeds == seeds + 1
    await tile.write("ERROR_STATUS", ALARM)
    assert not await tile.read("ERROR_STATUS") and not dut.error_irq_o.value


async def off(bench, registers, follower):
    await registers.write("CONTROL", 0)
    last = len(follower.given) - 1
    await registers.write("CONTROL", ENABLE)
    return last


async def restart(bench, registers, follower):
    await registers.write("COMMAND", RESTART)
    return len(follower.given) - 1


async def reseed(bench, registers, follower):
    """Behind the seed: the request that was under way has given blocks meanwhile."""
    reseeds = follower.reseeds
    await registers.write("COMMAND", RESEED)
    await seeded(bench, registers)
    assert follower.reseeds == reseeds + 1
    return follower.fresh - 1


@cocotb.test
async def none_of_before(dut):
    """Behind a new seed a job gets no word that tile or generator had, or that a long request of
    before brings; one that is under way gets on with it.
    """
    registers, bench, follower, queue = await started(dut, 8)
    rng, other = random.Random(2), await bench.queues[0].open()
    await seeded(bench, registers)
    for way in (off, restart, reseed):
        for size in (64, 4224):
            long = asked(other, rng, size)
            other.put(long)
            await other.ring_bell()
            if size == 64:  # it has ended, and all have words at hand
                assert [each.status for each in await other.wait(1, 3000)] == [OK]
                await ClockCycles(dut.clk_i, 2000)
            else:
                await ClockCycles(dut.clk_i, 2000)
            last = await way(bench, registers, follower)
            await seeded(bench, registers)
            job = asked(queue, rng, 1600)
            queue.put(job)
            await queue.ring_bell()
            if size != 64:
                assert [each.status for each in await other.wait(1, WAIT + 8000)] == [OK]
                taken(follower, bench.memory.read(long.tag, size), -1)
            assert [each.status for each in await queue.wait(1, WAIT + 8000)] == [OK]
            taken(follower, bench.memory.read(job.tag, 1600), last)


async def early(queue, job):
    """Do a job that may wait for its first word."""
    queue.put(job)
    await queue.ring_bell()
    return await queue.wait(1, WAIT + 2000)
