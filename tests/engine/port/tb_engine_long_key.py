"""cocotb tests of a key of many transfers, in shares, with fresh random bits (long_key_engine)."""

import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from support.job_port import JobPort, Result

from cryptile.jobs.port import BAD_PARAM, OK, TAG, pack_beats, pack_job, pack_key

TRANSFERS, WIDTH = 16, 256
MASK = (1 << WIDTH) - 1


@dataclass(frozen=True)
class Folded:
    """A job with its key; any mode but 0 is refused."""

    key: bytes
    share: bytes
    mode: int = 0

    def pack(self) -> int:
        return pack_job(mode=self.mode, key_len=0)

    def keys(self, _rng: random.Random) -> list[int]:
        other = bytes(a ^ b for a, b in zip(self.key, self.share, strict=True))
        pairs = zip(pack_key(self.share), pack_key(other), strict=True)
        return [] if self.mode else [part for pair in pairs for part in pair]

    def src(self) -> list[int]:
        return []


def model(job: Folded) -> Result:
    """Fold the key itself."""
    if job.mode:
        return Result(BAD_PARAM)
    found = 0
    for part in pack_key(job.key):
        found = (found << 1 & MASK | found >> WIDTH - 1) ^ part
    return Result(OK, pack_beats(found.to_bytes(WIDTH // 8, "little"), TAG))


class Port(JobPort):
    """Runs jobs and gives random bits."""

    model = staticmethod(model)

    async def randomise(self) -> None:
        """Drive the channel of random bits for ever."""
        dut = self.dut
        while True:
            while self.stalled("rnd"):
                await RisingEdge(dut.clk_i)
            dut.rnd_valid_i.value = 1
            dut.rnd_i.value = self.random.getrandbits(len(dut.rnd_i))
            await ReadOnly()
            while not int(dut.rnd_ready_o.value):
                await RisingEdge(dut.clk_i)
                await ReadOnly()
            await RisingEdge(dut.clk_i)
            dut.rnd_valid_i.value = 0


async def start(dut, seed: int) -> Port:
    port = Port(dut, seed)
    await port.start()
    cocotb.start_soon(port.randomise())
    return port


def jobs(rng: random.Random, count: int) -> list[Folded]:
    size = TRANSFERS * WIDTH // 8
    return [Folded(rng.randbytes(size), rng.randbytes(size)) for _ in range(count)]


@cocotb.test()
async def delivered(dut):
    """Every bit of the key arrives, in its order, with stalls on each channel."""
    rng = random.Random(1)
    port = await start(dut, 1)
    for channel in (None, "key", "rnd", "dst", "done", "job"):
        port.stalls = {channel: 0.6} if channel else {}
        await port.check(jobs(rng, 4))
    assert len(port.handshakes["key"]) == 4 * 2 * TRANSFERS


@cocotb.test()
async def refused(dut):
    """A bad parameter takes no key; the job behind it gets its own."""
    rng = random.Random(2)
    port = await start(dut, 2)
    good = jobs(rng, 3)
    await port.check([good[0], Folded(good[1].key, good[1].share, 5), good[2]])


@cocotb.test()
async def cleared(dut):
    """Abort in the middle of the key; nothing of it is in what the next job gives."""
    rng = random.Random(3)
    port = await start(dut, 3)
    for _ in range(6):
        port.begin(jobs(rng, 1))
        for _ in range(rng.randrange(2, 40)):
            await RisingEdge(dut.clk_i)
        await port.clear()
        await port.check(jobs(rng, 1))
