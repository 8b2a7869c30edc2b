"""Words of random bits go round: each to one client, once, and nobody waits long."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge, Timer

CLIENTS = 3


class Words:
    """Drives the port and the clients, and keeps what each of them got."""

    def __init__(self, dut, seed):
        self.dut, self.random = dut, random.Random(seed)
        self.given, self.got = [], [[] for _ in range(CLIENTS)]
        self.word = b""

    async def start(self):
        dut = self.dut
        dut.rst_ni.value = 0
        dut.wipe_i.value = dut.rnd_valid_i.value = dut.rnd_ready_i.value = dut.rnd_i.value = 0
        await self.edge()
        dut.rst_ni.value = 1
        return self

    async def edge(self):
        self.dut.clk_i.value = 0
        await Timer(5, "ns")
        self.dut.clk_i.value = 1
        await RisingEdge(self.dut.clk_i)
        await Timer(5, "ns")

    async def cycle(self, share, ready, wipe=0):
        """A cycle with a word in a share of them, and clients that take what they have."""
        dut = self.dut
        if not self.word and self.random.random() < share:
            self.word = self.random.randbytes(16)
        dut.rnd_valid_i.value = bool(self.word)
        dut.rnd_i.value = int.from_bytes(self.word, "little")
        dut.rnd_ready_i.value = ready
        dut.wipe_i.value = wipe
        await Timer(1, "ns")
        await ReadOnly()
        valid, words = int(dut.rnd_valid_o.value), int(dut.rnd_o.value)
        for client in range(CLIENTS):
            word = (words >> 128 * client & (1 << 128) - 1).to_bytes(16, "little")
            if not valid >> client & 1:
                assert not any(word)
            elif ready >> client & 1:
                self.got[client].append(word)
        if self.word and dut.rnd_ready_o.value == 1:
            self.given.append(self.word)
            self.word = b""
        await Timer(1, "ns")
        await self.edge()


@cocotb.test()
async def rounds(dut):
    """All that was given arrives, once; who always takes gets as much as others do."""
    for seed, share in ((1, 1.0), (2, 0.1), (3, 0.5)):
        words = await Words(dut, seed).start()
        for _ in range(600):
            await words.cycle(share, (1 << CLIENTS) - 1)
        counts = [len(part) for part in words.got]
        assert max(counts) - min(counts) <= 1, counts
        for _ in range(600):
            await words.cycle(share, words.random.randrange(1 << CLIENTS))
        for _ in range(3):
            await words.cycle(0.0, (1 << CLIENTS) - 1)
        assert sorted(word for part in words.got for word in part) == sorted(words.given)


@cocotb.test()
async def wiped(dut):
    """Words at hand are forgotten, and none is taken meanwhile."""
    words = await Words(dut, 4).start()
    for _ in range(20):
        for _ in range(words.random.randrange(6)):
            await words.cycle(1.0, 0)
        number = len(words.given)
        await words.cycle(1.0, 0, wipe=1)
        assert not int(dut.rnd_valid_o.value) and not int(dut.rnd_o.value)
        assert len(words.given) == number
