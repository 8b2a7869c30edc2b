"""cocotb tests of ``cry_random``: three clients of one DRBG, the first of them for bulk output."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from drbg_oracle import Drbg
from drbg_port import GENERATE, INSTANTIATE, OK, RESEED

CLIENTS, DEPTH, LONG = 3, 2, 64
BULK = 0
WAIT = 60 + 14 * CLIENTS + 6
"""Cycles from room to a block, at most: the end of a request, then a round of the next one."""


class Source:
    """Entropy, word by word; none comes while ``silent``."""

    def __init__(self, seed: int):
        self.random, self.silent, self.words = random.Random(seed), False, bytearray()

    def taken(self) -> bytes:
        words, self.words = bytes(self.words), bytearray()
        return words


class Bench:
    """Drives the clients and compares each block of the DRBG with the model, where it goes too."""

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

    async def start(self) -> None:
        dut = self.dut
        for name in ("reseed", "stop", "wipe", "ent_valid", "ent_word", "ent_fail", "rnd_ready"):
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
            if int(drbg.out_valid_o.value):
                block = int(drbg.out_data_o.value).to_bytes(16, "little")
                assert block == self.blocks.popleft()
                self.given.append(block)
            if int(drbg.done_valid_o.value) and int(drbg.done_ready_i.value):
                self._ended(int(drbg.done_status_o.value))
            self._clients(ready)
            await RisingEdge(dut.clk_i)
            self.cycle += 1

    def _ended(self, status: int) -> None:
        if status != OK:
            self.model = None
            self.source.taken()
        elif self.command >> 35 == INSTANTIATE:
            self.model = Drbg(True, self.source.taken())
        elif self.command >> 35 == RESEED:
            assert self.model
            self.model.reseed(self.source.taken())

    def _clients(self, ready: int) -> None:
        valid, data = int(self.dut.rnd_valid_o.value), int(self.dut.rnd_o.value)
        for i in range(CLIENTS):
            here = data >> 128 * i & (1 << 128) - 1
            if not valid >> i & 1:
                assert here == 0
                self.waited[i] += 1
                self.longest[i] = max(self.longest[i], self.waited[i])
                continue
            self.waited[i] = 0
            if ready >> i & 1:
                self.got[i].append(here.to_bytes(16, "little"))
                self.at[i].append(self.cycle)

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
    for _ in range(5):
        dut.reseed_i.value = 1
        await bench.run(1)
        dut.reseed_i.value = 0
        await bench.run(bench.random.randrange(400, 2000))
    bench.check()


@cocotb.test()
async def no_entropy(dut):
    """Without entropy there is an alarm and nothing new, until it is ended and entropy is there."""
    bench = await ready(dut, 4)
    bench.source.silent = True
    dut.reseed_i.value = 1
    await bench.run(1)
    dut.reseed_i.value = 0
    bench.share = [1.0] * CLIENTS
    await bench.run(2200)
    assert int(dut.alarm_o.value) and not int(dut.seeded_o.value)
    assert not int(dut.rnd_valid_o.value)
    given = len(bench.given)
    await bench.run(500)
    assert len(bench.given) == given
    bench.source.silent = False
    dut.reseed_i.value = 1
    await bench.run(1)
    dut.reseed_i.value = 0
    await bench.run(2600)
    assert not int(dut.alarm_o.value) and int(dut.seeded_o.value)
    assert len(bench.given) > given
    # An alarm leaves the block that a port offered, and none behind it.
    bench.share = [0.0] * CLIENTS
    await bench.run(300)
    bench.source.silent = True
    dut.reseed_i.value = 1
    await bench.run(1)
    dut.reseed_i.value = 0
    await bench.run(2200)
    assert int(dut.alarm_o.value)
    before = [len(got) for got in bench.got]
    bench.share = [1.0] * CLIENTS
    await bench.run(50)
    assert [len(got) - n for got, n in zip(bench.got, before, strict=True)] == [1] * CLIENTS
    # Reset forgets all, at any time.
    dut.rst_ni.value = 0
    await bench.run(2)
    assert not int(dut.rnd_valid_o.value) and int(dut.rnd_o.value) == 0
