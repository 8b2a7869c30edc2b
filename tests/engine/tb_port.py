"""cocotb tests of the rules of the engine port; CRYPTILE_ENGINE_NAME says of which engine.

Jobs are random ones of every kind, also with contexts, wrong tags and bad parameters, and what
they give comes from ``cryptile.jobs``. Every simulation has the port's checker.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge
from support.engine_port import give_random
from support.job_port import JobPort, Result

from cryptile.catalog import engines
from cryptile.jobs import found, job, kinds
from cryptile.jobs.port import (
    AUTH_FAILED,
    BAD_PARAM,
    FAULT_CORRECTED,
    FAULT_DETECTED,
    OK,
    bytes_of,
    kind_of,
    pack_beat,
)
from cryptile.jobs.random import WORD

NAME = os.environ["CRYPTILE_ENGINE_NAME"]
PROTECT = os.environ["CRYPTILE_PROTECT"]
MODES = {item.number: item for item in engines()[NAME].modes.values()}
CHANNELS = ("job", "key", "src", "dst", "done")
SECRETS = any(item.key.transfers for item in MODES.values())
DECRYPTS = any(item.decrypt for item in engines()[NAME].configs.values())
SMALL, LARGE = 40, 200
"""Bytes of messages and of associated data, at most."""
STEPS = max(item.steps for item in MODES.values())
"""Cycles of a job whatever its length: an engine in which they are many is slow."""


@dataclass(frozen=True)
class Driven:
    """A job as the driver of the port wants it."""

    job: job.Job

    def pack(self) -> int:
        return self.job.word()

    def keys(self, _rng: random.Random) -> list[int]:
        return self.job.transfers()

    def src(self) -> list[int]:
        return list(self.job.beats())


def model(driven: Driven) -> Result:
    """Compute what a job should give."""
    outcome = found.outcomes()[NAME](driven.job)
    return Result(outcome.status, outcome.beats())


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)

    async def take(self, channel: str) -> int:
        """Take a beat. Behind a message's end it is zero, but of an engine that knows no secret."""
        value = await super().take(channel)
        if channel == "done" or SECRETS:
            return value
        return pack_beat(bytes_of(value), kind_of(value), last=bool(value >> 2 & 1))


async def start(dut, seed: int = 0) -> Port:
    port = Port(dut, seed)
    port.timeout += 10 * STEPS
    await port.start()
    cocotb.start_soon(give_random(dut, WORD if NAME == "random" else b""))
    return port


def random_jobs(rng: random.Random, count: int, size: int) -> list[Driven]:
    """Draw jobs; not one job alone, which would be a long one. Of a slow engine: a tenth of them.

    Those are first one for each way in which they end.
    """
    drawn = kinds.make(NAME, rng.getrandbits(32), max(count, 2), size)[:count]
    if STEPS:
        firsts = {found.outcomes()[NAME](item).status: item for item in reversed(drawn)}
        drawn = [*firsts.values()][: max(1, count // 10)]
    return [Driven(item) for item in drawn]


def unknown(rng: random.Random) -> Iterator[Driven]:
    """Yield a job in each mode that the engine has not."""
    for number in set(range(16)) - MODES.keys():
        yield Driven(
            job.Job(
                number,
                rng.random() < 0.5,
                rng.randrange(3),
                rng.randbytes(16),
                rng.randbytes(rng.choice([0, 16, 33])),
                None,
                refused=True,
            )
        )


@cocotb.test()
async def back_to_back(dut):
    """Modes, keys, lengths, parts and directions change from job to job; nothing stalls."""
    rng = random.Random(1)
    port = await start(dut)
    jobs = random_jobs(rng, 40, LARGE) + random_jobs(rng, 40, SMALL)
    results = await port.check(jobs)
    assert {result.status for result in results} >= {OK} | (
        {AUTH_FAILED}
        if any(item.tag and item.key.transfers for item in MODES.values()) and DECRYPTS
        else set()
    )


@cocotb.test()
async def empty_and_unknown(dut):
    """Messages of a byte or none, and between them modes that there are not."""
    rng = random.Random(2)
    port = await start(dut, 2)
    port.stalls = {"done": 0.5}
    for refused in list(unknown(rng))[:: 7 if STEPS else 1]:
        results = await port.check([*random_jobs(rng, 3, 1), refused, *random_jobs(rng, 1, SMALL)])
        assert results[-2].status == BAD_PARAM


@cocotb.test()
async def stalls(dut):
    """Each channel alone, all of them, and an output that hardly moves."""
    rng = random.Random(3)
    port = await start(dut, 3)
    settings = [{name: 0.7} for name in CHANNELS]
    for setting in [*settings, dict.fromkeys(CHANNELS, 0.6), {"dst": 0.95, "src": 0.2}]:
        port.stalls = setting
        await port.check(random_jobs(rng, 6, LARGE))


@cocotb.test()
async def clear_and_reset(dut):
    """Abort at every phase of jobs of every kind; then nothing comes, and a job runs well."""
    rng = random.Random(4)
    port = await start(dut, 4)
    port.stalls = {"dst": 0.3, "src": 0.3}
    for number in range(4 if STEPS else 24):
        port.begin(random_jobs(rng, 4, SMALL))
        for _ in range(rng.choice([rng.randrange(1, 20), rng.randrange(1, 400 + STEPS)])):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        assert not int(dut.dst_valid_o.value) and not int(dut.done_valid_o.value)
        await port.check(random_jobs(rng, 1, SMALL))


@cocotb.test(skip=PROTECT == "none")
async def injected(dut):
    """What the injection port upsets, if there is something behind it, does no harm."""
    rng = random.Random(5)
    port = await start(dut, 5)
    reported = False
    for _ in range(30):
        jobs = random_jobs(rng, 2, SMALL)
        results = port.begin(jobs)
        for _ in range(rng.randrange(1, 100)):
            await RisingEdge(dut.clk_i)
        dut.fault_inject_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.fault_inject_i.value = 0
        await port.finish(results)
        for driven, wanted, result in zip(jobs, port.expected, results, strict=True):
            if PROTECT == "detect" and result.status == FAULT_DETECTED:
                assert result.beats == wanted.beats[: len(result.beats)], driven
                break
            assert result.beats == wanted.beats, driven
            assert result.status == wanted.status or (
                (result.status, wanted.status) == (FAULT_CORRECTED, OK)
            ), driven
            reported |= result.status == FAULT_CORRECTED
    assert reported or PROTECT != "tmr"
