"""cocotb tests of ``cry_rbg``: from samples to random bits, alarms, restarts, read-out."""

import os

import cocotb
import smoke
from cocotb.triggers import ClockCycles, RisingEdge
from follow import Follower
from sources import biased, sound, stuck
from support.axi_model import Registers, reset

NAMES = ("Lanes", "Period", "Window", "Blocks", "SettleCycles", "PauseCycles", "ReseedInterval")
LANES, PERIOD, WINDOW, BLOCKS, SETTLE, PAUSE, INTERVAL = (int(os.environ[name]) for name in NAMES)
TEST = 1900
"""Cycles of the DRBG's known-answer test."""

MESSAGE = 16 * BLOCKS * PERIOD
START = SETTLE + WINDOW * PERIOD + 3 * MESSAGE + TEST + 1000
"""Cycles in which random bits are there, from off."""

SMOKE = int(os.environ.get("CRYPTILE_SMOKE", "512"))
"""Blocks of the statistical test."""

AGAIN = PAUSE + START + 2 * TEST
"""From a restart."""

ENABLE, RESTART, RESEED = 1, 1, 2
RAW, CONDITIONED = 1, 4
OFF, SETTLING, STARTUP, RUN, READ, PAUSED, ALARM = range(7)


class Bench:
    def __init__(self, dut, seed):
        self.dut = dut
        self.follower = Follower(
            dut, dut.osc_i, dut.clk_i, lanes=LANES, window=WINDOW, blocks=BLOCKS, seed=seed
        )
        self.got: list[bytes] = []  # by the first client

    async def start(self):
        dut = self.dut
        dut.wipe_i.value = dut.read_allowed_i.value = dut.rnd_ready_i.value = 0
        self.registers = Registers(dut, "rbg")
        await reset(dut)
        cocotb.start_soon(self.follower.run())
        cocotb.start_soon(self.forgetful())
        return self

    async def status(self):
        value = await self.registers.read("STATUS")
        return {
            "source": value & 7,
            "alarm": value >> 3 & 1,
            "seeded": value >> 4 & 1,
            "stopped": value >> 5 & 1,
            "drbg": value >> 6 & 1,
            "lane": value >> 8 & 31,
            "fails": value >> 16 & 31,
            "valid": value >> 24 & 1,
            "first": value >> 25 & 1,
            "lost": value >> 26 & 1,
        }

    async def take(self, count, limit=500):
        """Take blocks; return how many came in ``limit`` cycles each."""
        dut = self.dut
        dut.rnd_ready_i.value = 1
        for number in range(count):
            for _ in range(limit):
                await RisingEdge(dut.clk_i)
                if int(dut.rnd_valid_o.value) & 1:
                    self.got.append(self.block(0))
                    break
            else:
                dut.rnd_ready_i.value = 0
                return number
        dut.rnd_ready_i.value = 0
        return count

    def block(self, client):
        """What a port offers."""
        return (int(self.dut.rnd_o.value) >> 128 * client & (1 << 128) - 1).to_bytes(16, "little")

    async def forgetful(self):
        """Watch that no port offers anything while, and just behind what, receivers forget."""
        dut, forgot = self.dut, False
        while True:
            await RisingEdge(dut.clk_i)
            assert not forgot or not (int(dut.rnd_valid_o.value) or int(dut.rnd_o.value))
            forgot = bool(int(dut.rnd_forget_o.value))

    async def anew(self, behind, limit=AGAIN):
        """Wait for the seed, as STATUS tells it, and take blocks: none is of before ``behind``."""
        await self.until("seeded", 1, limit)
        count = len(self.got)
        assert await self.take(10) == 10
        self.follower.check(self.got[count:], behind)

    async def until(self, name, value, limit=AGAIN):
        """Wait until STATUS says so."""
        for _ in range(limit // 20):
            status = await self.status()
            if status[name] == value:
                return
            await ClockCycles(self.dut.clk_i, 20)
        raise AssertionError(f"{name} is not {value}: {status}")

    async def seeded(self, limit=START):
        """Wait until there are random bits."""
        for _ in range(limit // 20):
            await ClockCycles(self.dut.clk_i, 20)
            if int(self.dut.rnd_valid_o.value):
                return
        raise AssertionError(f"no random bits: {await self.status()}")


async def started(dut, seed):
    bench = await Bench(dut, seed).start()
    await bench.registers.write("CONTROL", ENABLE)
    await bench.seeded()
    return bench


@cocotb.test
async def bits(dut):
    """Blocks are what models make of the samples; nothing runs until it is switched on."""
    bench = await Bench(dut, 1).start()
    await ClockCycles(dut.clk_i, 3000)
    assert not int(dut.osc_enable_o.value) and not int(dut.rnd_valid_o.value)
    status = await bench.status()
    assert (status["source"], status["seeded"], status["stopped"]) == (OFF, 0, 1)
    await bench.registers.write("CONTROL", ENABLE)
    await bench.seeded()
    status = await bench.status()
    assert (status["source"], status["seeded"], status["stopped"]) == (RUN, 1, 0)
    assert await bench.take(20) == 20
    # A seed on demand is made of samples behind the demand.
    await ClockCycles(dut.clk_i, 3 * MESSAGE)
    await bench.registers.write("COMMAND", RESEED)
    await ClockCycles(dut.clk_i, 2 * MESSAGE + 1000)
    assert (bench.follower.seeds, bench.follower.reseeds) == (1, 1)
    # So is the one that is due behind so many requests, of two blocks at most.
    await ClockCycles(dut.clk_i, 3 * MESSAGE)
    assert await bench.take(2 * INTERVAL + 4, 2 * MESSAGE + 1000) == 2 * INTERVAL + 4
    assert bench.follower.reseeds in (2, 3)
    bench.follower.check(bench.got)


@cocotb.test
async def statistics(dut):
    """Nothing stands out in what a client gets of many seeds."""
    bench = await started(dut, 6)
    assert await bench.take(SMOKE, 2 * MESSAGE + 1000) == SMOKE
    assert bench.follower.reseeds >= SMOKE // (2 * INTERVAL)
    bench.follower.check(bench.got)
    smoke.check(b"".join(bench.got))


@cocotb.test
async def alarm(dut):
    """A source that breaks: no new bits, the DRBG is wiped, until a restart."""
    bench = await started(dut, 2)
    follower = bench.follower
    follower.ring(biased)
    for _ in range(2 * WINDOW * PERIOD // 50):
        await ClockCycles(dut.clk_i, 50)
        if int(dut.alarm_o.value):
            break
    given = len(follower.given)
    assert int(dut.alarm_o.value)
    status = await bench.status()
    assert (status["source"], status["alarm"], status["seeded"]) == (ALARM, 1, 0)
    assert status["stopped"] and status["fails"] and status["lane"] <= LANES
    assert await bench.take(3) == 0
    follower.ring(sound)
    for _ in range(2):  # neither of these ends it
        await bench.registers.write("COMMAND", RESEED)
        await bench.registers.write("CONTROL", 0)
        await bench.registers.write("CONTROL", ENABLE)
        await ClockCycles(dut.clk_i, 500)
    assert (await bench.status())["source"] == ALARM and len(follower.given) == given
    await bench.registers.write("COMMAND", RESTART)
    await bench.anew(given)
    status = await bench.status()
    assert (status["source"], status["alarm"], status["fails"]) == (RUN, 0, 0)
    assert follower.seeds == 2
    follower.check(bench.got)


@cocotb.test
async def broken_from_the_start(dut):
    """No bit comes of a source that never passes."""
    bench = await Bench(dut, 3).start()
    bench.follower.ring(stuck)
    await bench.registers.write("CONTROL", ENABLE)
    await ClockCycles(dut.clk_i, START)
    status = await bench.status()
    assert status["alarm"] and status["stopped"] and not bench.follower.given
    assert not int(dut.rnd_valid_o.value)


@cocotb.test
async def read_out(dut):
    """What is read is part of no seed; there are no bits meanwhile, and new ones behind it."""
    bench = await started(dut, 4)
    assert await bench.take(2) == 2
    await bench.registers.write("CONTROL", ENABLE | RAW << 4)
    await ClockCycles(dut.clk_i, 200)
    status = await bench.status()  # the life cycle does not permit it
    assert (status["source"], status["stopped"], status["valid"]) == (RUN, 0, 0)
    dut.read_allowed_i.value = 1
    await ClockCycles(dut.clk_i, PAUSE + SETTLE + 10)
    status = await bench.status()
    assert (status["source"], status["seeded"], status["stopped"]) == (READ, 0, 1)
    first = True
    for _ in range(5):
        while not (status := await bench.status())["valid"]:
            await ClockCycles(dut.clk_i, 10)
        assert (status["first"], status["lost"]) == (first, 0)
        first = False
        await bench.registers.read("READ_HI")
        await bench.registers.read("READ_LO")
        assert await bench.registers.read("READ_LO") == 0
    assert await bench.take(1, 2000) == 0
    await bench.registers.write("CONTROL", ENABLE | CONDITIONED << 4)
    await ClockCycles(dut.clk_i, PAUSE + SETTLE + WINDOW * PERIOD + MESSAGE + 600)
    assert (await bench.status())["valid"]
    assert await bench.registers.read("READ_HI")
    assert await bench.registers.read("READ_LO")
    await bench.registers.write("CONTROL", ENABLE)
    await bench.seeded(START + PAUSE)
    assert await bench.registers.read("READ_LO") == await bench.registers.read("READ_HI") == 0
    assert await bench.take(10) == 10
    bench.follower.check(bench.got)
