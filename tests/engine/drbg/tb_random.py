"""cocotb tests of ``cry_random``: three clients of one DRBG, the first of them for bulk output."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from drbg_oracle import Drbg
from drbg_port import GENERATE, INSTANTIATE, OK, RESEED, secrets

CLIENTS, DEPTH, LONG = 3, 2, 64
BULK = 0
WAIT = 60 + 14 * CLIENTS + 6
"""Cycles from room to a block, at most: the end of a request, then a round of the next one."""

TEST, SEED, REQUEST = 1900, 350, 14 * LONG + 60
"""Cycles of the known-answer test, of a seed, and of a long request."""


class Source:
    """Entropy, word by word; none comes while ``silent``."""

    def __init__(self, seed: int):
        self.random, self.silent, self.words = random.Random(seed), False, bytearray()

    def taken(self) -> bytes:
        words, self.words = bytes(self.words), bytearray()
        return words


class Bench:
    """Drives the clients and compares each block of the DRBG with the model, where it goes too.

    A block that a client gets is of the seed that was asked for last, and behind stops and alarms.
    """

    def __init__(self, dut, seed: int):
        self.dut, self.random, self.source = dut, random.Random(seed), Source(seed)
        self.share = [0.0] * CLIENTS
        self.model: Drbg | None = None
        self.blocks: deque[bytes] = deque()
        self.given: list[bytes] = []
        self.got: list[list[bytes]] = [[] for _ in range(CLIENTS)]
        self.at: list[list[int]] = [[] for _ in range(CLIENTS)]
        self.longest, self.cycle = [0] * CLIENTS, 0
        self.waited = [0] * CLIENTS
        self.sizes: list[int] = []
        self.place: dict[bytes, int] = {}
        self.oldest = 0  # block that may be taken now
        self.asked = False  # a reseed that has not begun
        self.command: int | None = None  # that runs
        self.seeds = 0

    async def start(self) -> None:
        dut = self.dut
        for name in ("reseed", "restart", "stop", "ent_valid", "ent_word", "ent_fail", "rnd_ready"):
            getattr(dut, f"{name}_i").value = 0
        dut.rst_ni.value = 0
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        dut.rst_ni.value = 1

    async def run(self, cycles: int) -> None:
        """Let the clients take blocks, each in its share of the cycles."""
        dut, drbg = self.dut, self.dut.u_drbg
        for _ in range(cycles):
            ready = sum((self.random.random() < s) << i for i, s in enumerate(self.share))
            word, there = self.source.random.getrandbits(64), not self.source.silent
            dut.rnd_ready_i.value = ready
            dut.ent_valid_i.value, dut.ent_word_i.value = there, word
            await ReadOnly()
            if int(dut.stop_i.value) or int(dut.restart_i.value):
                self._stopped()
            if there and int(dut.ent_ready_o.value):
                self.source.words += word.to_bytes(8, "little")
            if int(drbg.cmd_valid_i.value) and int(drbg.cmd_ready_o.value):
                self.command = int(drbg.cmd_i.value)
                if self.command >> 35 == GENERATE:
                    assert self.model and not self.blocks
                    size = self.command & 0x1FFFF
                    self.sizes.append(size // 16)
                    data = self.model.generate(size)
                    self.blocks.extend(data[n : n + 16] for n in range(0, size, 16))
                else:
                    self.asked = False
            self.asked |= bool(int(dut.reseed_i.value))
            if int(drbg.out_valid_o.value):
                block = int(drbg.out_data_o.value).to_bytes(16, "little")
                assert block == self.blocks.popleft()
                self.place[block] = len(self.given)
                self.given.append(block)
            if int(drbg.done_valid_o.value) and int(drbg.done_ready_i.value):
                self._ended(int(drbg.done_status_o.value))
            self._clients(ready)
            await RisingEdge(dut.clk_i)
            self.cycle += 1

    async def pulse(self, name: str, cycles: int = 1) -> None:
        """Have an input be high for so many cycles."""
        getattr(self.dut, name).value = 1
        await self.run(cycles)
        getattr(self.dut, name).value = 0
        await self.run(1)

    async def again(self, cycles: int) -> None:
        """Wait until there are random bits, for so many cycles at most."""
        for _ in range(cycles // 10 + 1):
            if int(self.dut.seeded_o.value):
                break
            await self.run(10)
        assert int(self.dut.seeded_o.value)
        given = len(self.given)
        await self.run(WAIT)
        assert len(self.given) > given

    def _stopped(self) -> None:
        self.model, self.command, self.asked = None, None, False
        self.blocks.clear()
        self.source.taken()

    def _ended(self, status: int) -> None:
        command, self.command = self.command, None
        if status != OK:
            self._stopped()
        elif command >> 35 == INSTANTIATE:
            self.model = Drbg(True, self.source.taken())
            self.seeds += 1
        elif command >> 35 == RESEED:
            assert self.model
            self.model.reseed(self.source.taken())
            self.seeds += 1

    def _clients(self, ready: int) -> None:
        valid, data = int(self.dut.rnd_valid_o.value), int(self.dut.rnd_o.value)
        none = not self.model or self.asked or (self.command and self.command >> 35 != GENERATE)
        forgets = int(self.dut.forget_o.value)
        assert forgets or not none
        assert not (forgets and int(self.dut.seeded_o.value))
        for i in range(CLIENTS):
            here = data >> 128 * i & (1 << 128) - 1
            if not valid >> i & 1:
                assert here == 0
                self.waited[i] += 1
                self.longest[i] = max(self.longest[i], self.waited[i])
                continue
            self.waited[i] = 0
            if ready >> i & 1:
                block = here.to_bytes(16, "little")
                assert self.place[block] >= self.oldest
                self.got[i].append(block)
                self.at[i].append(self.cycle)
        if forgets:
            self.oldest = len(self.given)

    def check(self) -> None:
        """No block is given twice, none comes from elsewhere, and each client's are in order."""
        place = {block: n for n, block in enumerate(self.given)}
        assert len(place) == len(self.given)
        every = [place[block] for got in self.got for block in got]
        assert len(set(every)) == len(every)
        for got in self.got:
            places = [place[block] for block in got]
            assert places == sorted(places)


async def ready(dut, seed: int) -> Bench:
    """Start, and wait until every client has its blocks."""
    bench = Bench(dut, seed)
    await bench.start()
    await bench.run(2600)
    assert int(dut.rnd_valid_o.value) == (1 << CLIENTS) - 1
    assert int(dut.seeded_o.value) and not int(dut.alarm_o.value)
    return bench


@cocotb.test()
async def fair(dut):
    """Clients that always take, alone and together: blocks in turn, and a bound for each."""
    bench = await ready(dut, 1)
    for share in ([0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 0.05, 0.3], [0.0, 0.0, 0.02]):
        bench.share = share
        before = [len(got) for got in bench.got]
        bench.longest = [0] * CLIENTS
        await bench.run(3000)
        counts = [len(got) - n for got, n in zip(bench.got, before, strict=True)]
        if share == [1.0, 1.0, 1.0]:
            assert max(counts) - min(counts) <= 1 + DEPTH and min(counts) > 60
        assert all(count for count, part in zip(counts, share, strict=True) if part)
        assert max(bench.longest) <= WAIT, (share, bench.longest)
    bench.check()


@cocotb.test()
async def bulk(dut):
    """The first client alone takes a block every 14 cycles of a request of 64."""
    bench = await ready(dut, 2)
    bench.share = [1.0, 0.0, 0.0]
    await bench.run(4000)
    steps = [b - a for a, b in zip(bench.at[BULK], bench.at[BULK][1:], strict=False)]
    assert steps.count(14) >= 0.95 * len(steps) and LONG in bench.sizes
    # A client that stops taking holds no request up.
    bench.share = [0.0, 0.0, 0.0]
    await bench.run(14 * LONG + 100)
    given = len(bench.given)
    await bench.run(300)
    assert len(bench.given) == given
    bench.check()


@cocotb.test()
async def reseed(dut):
    """On demand, also while requests run: what comes then is of the new seed."""
    bench = await ready(dut, 3)
    bench.share = [0.5, 0.3, 0.3]
    for number in range(6):
        if number == 3:  # one that is asked for in the midst of another
            await bench.pulse("reseed_i")
            await bench.run(bench.random.randrange(REQUEST, REQUEST + SEED // 2))
        if number == 5:  # with all at hand
            bench.share = [0.0] * CLIENTS
            await bench.run(REQUEST)
        await bench.pulse("reseed_i")
        seeds = bench.seeds
        await bench.again(REQUEST + 2 * SEED)
        assert bench.seeds > seeds
        await bench.run(bench.random.randrange(2000))
    bench.share = [1.0] * CLIENTS
    await bench.run(100)
    bench.check()


async def in_alarm(bench: Bench) -> None:
    """Have entropy fail to come in time."""
    bench.source.silent = True
    await bench.pulse("reseed_i")
    await bench.run(REQUEST + 1200)
    assert int(bench.dut.alarm_o.value) and not int(bench.dut.seeded_o.value)
    bench.source.silent = False


@cocotb.test()
async def no_entropy(dut):
    """Without entropy there is an alarm and no block, old or new, until it is ended on purpose."""
    bench = await ready(dut, 4)
    for share in (0.0, 1.0):
        bench.share = [share] * CLIENTS
        await bench.run(300)
        await in_alarm(bench)
        given, got = len(bench.given), [len(got) for got in bench.got]
        bench.share = [1.0] * CLIENTS
        # Neither a reseed nor a source that stops and comes back ends it.
        await bench.pulse("reseed_i")
        await bench.run(500)
        await bench.pulse("stop_i", 100)
        await bench.run(TEST + SEED)
        assert int(dut.alarm_o.value)
        assert len(bench.given) == given and [len(part) for part in bench.got] == got
        await bench.pulse("restart_i")
        assert not int(dut.alarm_o.value)
        await bench.again(TEST + SEED)
        assert len(bench.given) > given
    # So does a restart while the source is off; it takes effect when that is back.
    await in_alarm(bench)
    dut.stop_i.value = 1
    await bench.run(10)
    await bench.pulse("restart_i")
    assert not int(dut.alarm_o.value)
    await bench.run(TEST)
    assert not int(dut.seeded_o.value)
    dut.stop_i.value = 0
    await bench.again(TEST + SEED)
    bench.check()


@cocotb.test()
async def at_any_time(dut):
    """Stops, restarts and reseeds at random: nothing of before or secret stays, all comes back."""
    bench = await ready(dut, 5)
    rng = bench.random
    for number in range(30):
        bench.share = [rng.choice((0.0, 0.05, 1.0)) for _ in range(CLIENTS)]
        await bench.run(rng.choice((0, 1, 2, rng.randrange(100), rng.randrange(1500))))
        name = ("stop_i", "reseed_i", "restart_i")[number % 3]
        await bench.pulse(name, rng.randrange(1, 20) if name == "stop_i" else 1)
        if name != "reseed_i":
            assert not int(dut.rnd_valid_o.value) and not int(dut.rnd_o.value)
            assert not secrets(dut.u_drbg)
        if rng.random() < 0.8:
            await bench.again(2 * TEST + REQUEST + 2 * SEED)
    bench.share = [1.0] * CLIENTS
    await bench.run(2 * TEST + REQUEST)
    assert all(got and bench.place[got[-1]] >= bench.oldest for got in bench.got)
    bench.check()
    # Reset forgets all, at any time.
    dut.rst_ni.value = 0
    await bench.run(2)
    assert not int(dut.rnd_valid_o.value) and int(dut.rnd_o.value) == 0
