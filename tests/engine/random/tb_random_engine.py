"""cocotb tests of ``cry_random_engine``: each word once, in order, also across aborts."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from support.job_port import JobPort, Result

from cryptile.jobs import job
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.port import NO_RANDOM, OK, TAG, pack_beats

RANDOM_CYCLES = 64
"""In which a word must come."""


class Job(job.Job):
    """A job as the driver of the port wants it."""

    def pack(self) -> int:
        return self.word()

    def keys(self, _rng: random.Random) -> list[int]:
        return []

    def src(self) -> list[int]:
        return []


class Port(JobPort):
    """Runs jobs, and gives words of which none comes twice."""

    @staticmethod
    def model(said: Job) -> Result:
        return Result(OK, pack_beats(bytes(said.out_len or 32), TAG))

    words: list[bytes]

    async def feed(self, share: float) -> None:
        """Give words, each in a share of the cycles, and keep those that are taken."""
        dut, word = self.dut, b""
        while True:
            if not word and self.random.random() < share:
                word = self.random.randbytes(16)
            dut.rnd_valid_i.value = bool(word)
            dut.rnd_i.value = int.from_bytes(word, "little")
            await ReadOnly()
            if word and int(dut.rnd_ready_o.value):
                self.words.append(word)
                word = b""
            await RisingEdge(dut.clk_i)


def asked(size: int) -> Job:
    return Job(0, False, 0, b"", b"", None, out_len=size)


async def started(dut, seed: int, share: float) -> Port:
    port = Port(dut, seed)
    port.words = []
    await port.start()
    cocotb.start_soon(port.feed(share))
    return port


async def compare(port: Port, sizes: list[int]) -> None:
    """Run jobs; each gives the words that were taken for it, cut at its end."""
    port.words.clear()
    results = await port.run([asked(size) for size in sizes])
    given = iter(port.words)
    for size, result in zip(sizes, results, strict=True):
        whole = b"".join(next(given) for _ in range(-(-(size or 32) // 16)))
        assert result.status == OK
        assert result.beats == Outcome(tag=whole[: size or 32]).beats()
    assert not [*given]


@cocotb.test()
async def in_order(dut):
    """All lengths to 50 and some longer ones, words at once and seldom, outputs that stall."""
    for seed, share, stall in ((1, 1.0, 0.0), (2, 0.2, 0.0), (3, 0.6, 0.6)):
        port = await started(dut, seed, share)
        port.stalls = {"dst": stall, "done": stall}
        await compare(port, [*range(50), 64, 255, 1024])


@cocotb.test()
async def beat_each_cycle(dut):
    port = await started(dut, 4, 1.0)
    (result,) = await port.run([asked(4096)])
    assert result.cycles == [*range(result.cycles[0], result.cycles[0] + 256)]


@cocotb.test()
async def without_words(dut):
    """A job that has waited long enough gives zeros, takes no late word, and the next one does."""
    port = Port(dut, 6)
    await port.start()
    for size, stall in ((1, 0.0), (16, 0.5), (100, 0.5)):
        port.stalls = {"dst": stall}
        (result,) = await port.run([asked(size)])
        assert result.status == NO_RANDOM
        assert result.beats == Outcome(tag=bytes(size)).beats()
        assert result.cycles[0] >= RANDOM_CYCLES
    port.words = []
    cocotb.start_soon(port.feed(0.9))
    await compare(port, [40])


@cocotb.test()
async def aborted(dut):
    """A word that an aborted job took comes no more; words that wait for it go to the next one."""
    port = await started(dut, 5, 0.7)
    for number in range(30):
        port.stalls = {"dst": 0.5}
        port.begin([asked(500)])
        for _ in range(port.random.randrange(1, 60)):
            await RisingEdge(dut.clk_i)
        await (port.reset() if number % 3 == 0 else port.clear())
        await RisingEdge(dut.clk_i)
        assert not int(dut.dst_valid_o.value) and not int(dut.done_valid_o.value)
        await compare(port, [40])
