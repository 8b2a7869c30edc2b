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
ALARM = 1 << 20
"""The event of the tile."""

AT_HAND = 2
"""Words that behind an alarm may still come: of the generator's port, and of the tile's."""


class Ports:
    """The generator's register port, by the names of AXI4-Lite."""

    def __init__(self, dut):
        self.__dict__["dut"] = dut

    def __getattr__(self, name):
        return getattr(self.dut, name.replace("s_axil", "rbg"))


def asked(queue, rng, length):
    room = queue.place(rng.randbytes(length), 16)
    return Job(OPCODES["random"], iv=length.to_bytes(4, "little") + bytes(12), tag=room)


async def stopped(registers):
    return await registers.read("STATUS") >> 5 & 1


async def running(bench, registers):
    for _ in range(START // 100):
        if not await stopped(registers):
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


@cocotb.test
async def bits(dut):
    """A job's bytes are the DRBG's on a seed of the source's; without a source it ends."""
    registers = Registers(Ports(dut), "rbg")
    bench = Bench(dut, queues=2)
    follower = Follower(
        dut.u_rbg, dut.osc_i, dut.clk_i, lanes=LANES, window=WINDOW, blocks=BLOCKS, seed=7
    )
    await bench.start()
    cocotb.start_soon(follower.run())
    rng, queue = random.Random(1), await bench.queues[1].open()
    await registers.write("CONTROL", ENABLE)
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
        if await stopped(registers):
            break
        await ClockCycles(dut.clk_i, 100)
    status = await registers.read("STATUS")
    assert status >> 3 & 1 and status >> 16 & 15
    assert dut.error_irq_o.value and await tile.read("ERROR_STATUS") == ALARM
    await tile.write("ERROR_STATUS", ALARM)
    assert await tile.read("ERROR_STATUS") == ALARM, "as long as the alarm lasts"
    job = asked(queue, rng, 200)
    (result,) = await early(queue, job)
    assert (result.status, result.written) == (NO_RANDOM, 200)
    assert WAIT <= result.cycles < WAIT + 1000
    data = bench.memory.read(job.tag, 200)
    assert not any(data[16 * AT_HAND :])
    last = taken(follower, data[: 16 * AT_HAND], last)

    # Software restarts it, and all is as before.
    follower.ring(sound)
    seeds = follower.seeds
    await registers.write("COMMAND", RESTART)
    await running(bench, registers)
    job = asked(queue, rng, 100)
    (result,) = await early(queue, job)
    assert (result.status, result.written) == (OK, 100)
    taken(follower, bench.memory.read(job.tag, 100), last)
    assert follower.seeds == seeds + 1
    await tile.write("ERROR_STATUS", ALARM)
    assert not await tile.read("ERROR_STATUS") and not dut.error_irq_o.value


async def early(queue, job):
    """Do a job that may wait for its first word."""
    queue.put(job)
    await queue.ring_bell()
    return await queue.wait(1, WAIT + 2000)
