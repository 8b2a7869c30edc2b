"""cocotb tests of ``cry_rbg``, for several clients: nothing outlives what stops it, or a reseed."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from tb_rbg import (
    AGAIN,
    ENABLE,
    LANES,
    MESSAGE,
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
    SETTLING,
    START,
    STARTUP,
    started,
)

CLIENTS = int(os.environ["CRYPTILE_CLIENTS"])


async def off(bench):
    await bench.registers.write("CONTROL", 0)
    await ClockCycles(bench.dut.clk_i, 40)
    assert (await bench.status())["source"] == OFF
    given = len(bench.follower.given)
    await bench.registers.write("CONTROL", ENABLE)
    return given


async def read_raw(bench):
    bench.dut.read_allowed_i.value = 1
    await bench.registers.write("CONTROL", ENABLE | RAW << 4)
    await ClockCycles(bench.dut.clk_i, PAUSE + SETTLE + 40)
    assert (await bench.status())["source"] == READ
    given = len(bench.follower.given)
    await bench.registers.write("CONTROL", ENABLE)
    return given


async def restart(bench):
    """The tests of the source come again, and the DRBG's."""
    given, seeds = len(bench.follower.given), bench.follower.seeds
    await bench.registers.write("COMMAND", RESTART)
    for source, cycles in ((PAUSED, PAUSE), (SETTLING, SETTLE), (STARTUP, PERIOD)):
        status = await bench.status()
        assert (status["source"], status["seeded"], status["drbg"]) == (source, 0, 0)
        await ClockCycles(bench.dut.clk_i, cycles)
    await bench.until("source", RUN)
    assert bench.follower.seeds == seeds
    return given


async def reseed(bench):
    """Random bits are there when the seed is, and not before."""
    reseeds = bench.follower.reseeds
    await bench.registers.write("COMMAND", RESEED)
    assert not (await bench.status())["seeded"]
    await bench.until("seeded", 1)
    assert bench.follower.reseeds == reseeds + 1
    return bench.follower.fresh


async def tampered(bench):
    """Behind a pulse it is off, until software turns it on."""
    bench.dut.wipe_i.value = 1
    await ClockCycles(bench.dut.clk_i, 1)
    bench.dut.wipe_i.value = 0
    await ClockCycles(bench.dut.clk_i, 2 * PAUSE + SETTLE)
    assert (await bench.status())["source"] == OFF
    assert await bench.registers.read("CONTROL") == 0
    given = len(bench.follower.given)
    await bench.registers.write("CONTROL", ENABLE)
    return given


@cocotb.test
async def none_of_before(dut):
    """What was at hand, and what a request under way brings, is given to nobody behind these."""
    bench = await started(dut, 7)
    for way in (off, read_raw, restart, reseed, tampered):
        await ClockCycles(dut.clk_i, 500)
        assert int(dut.rnd_valid_o.value) & 1
        await bench.anew(await way(bench))
        await bench.take(1)  # and in the midst of a request
        await ClockCycles(dut.clk_i, 30)
        await bench.anew(await way(bench))
    bench.follower.check(bench.got)


async def client(bench, number, rng, got):
    """Take what a port offers, for a while, and then none for a while."""
    dut = bench.dut
    while True:
        await RisingEdge(dut.clk_i)
        if bench.ready >> number & int(dut.rnd_valid_o.value) >> number & 1:
            got.append(bench.block(number))
        if rng.random() < 0.02:
            bench.ready ^= 1 << number
            dut.rnd_ready_i.value = bench.ready


@cocotb.test
async def wiped(dut):
    """Tampering, off, restart and reset at any time, whatever the DRBG does and clients take: no
    block, no seed, no key; and it begins anew.
    """
    rng = random.Random(CLIENTS)
    bench = await started(dut, 5)
    bench.ready = 0
    core, follower = dut.u_random.u_drbg.u_core, bench.follower
    got = [[] for _ in range(CLIENTS)]
    tasks = [cocotb.start_soon(client(bench, n, rng, got[n])) for n in range(CLIENTS)]
    for number in range(12):
        # In its tests, in the first seed, in a request, a reseed, or at rest.
        await ClockCycles(dut.clk_i, rng.choice((rng.randrange(START), rng.randrange(3 * MESSAGE))))
        way = ("off", "wipe", "restart", "reset")[number % 4]
        if way == "wipe":
            dut.wipe_i.value = 1
        elif way == "reset":
            dut.rst_ni.value = 0
        else:
            name, value = {"off": ("CONTROL", 0), "restart": ("COMMAND", RESTART)}[way]
            await bench.registers.write(name, value)
        await ClockCycles(dut.clk_i, 4)
        old = len(follower.given)
        assert not int(core.key_q.value) and not int(core.v_q.value)
        assert not int(dut.rnd_valid_o.value) and not int(dut.rnd_o.value)
        await ClockCycles(dut.clk_i, LANES + 4)
        assert not int(dut.u_entropy.u_conditioner.u_core.block_q.value)
        dut.rst_ni.value = 1
        assert (await bench.status())["source"] == (PAUSED if way == "restart" else OFF)
        dut.wipe_i.value = 0
        before = [len(part) for part in got]
        await bench.registers.write("CONTROL", ENABLE)
        if rng.random() < 0.5:
            await bench.seeded(AGAIN)
            await ClockCycles(dut.clk_i, 1000)
            for part, count in zip(got, before, strict=True):
                follower.check(part[count:], old)
    await bench.seeded(AGAIN)
    for task in tasks:
        task.cancel()
    assert all(got)
    for part in got:
        follower.check(part)
