"""Any engine behind the shell: every mode that it can serve works, all others are refused."""

import os
import random
from dataclasses import replace

import cocotb
from hwpe_model import BAD_PARAM, BASE, OK, ctrl, span, start, unwritten
from support.engine_port import give_random
from support.shell_jobs import carried, refused, steps, word

from cryptile.catalog import engines
from cryptile.jobs.found import outcomes
from cryptile.jobs.job import Job

NAME = os.environ["CRYPTILE_ENGINE_NAME"]
MODES = {item.number: item for item in engines()[NAME].modes.values()}
TAGGED = {number for number, item in MODES.items() if item.tag and item.key.transfers}
"""Modes with a tag under a key."""
SERVED = {
    number
    for number, item in MODES.items()
    if item.key.transfers < 2 and not item.needs_aad and not (item.output and number in TAGGED)
}
STALLS = (0.0, 0.0, 0.3, 0.8)
LIMIT = 400
"""Cycles in which a refusal must have come."""
LATEST = 20_000 + 2 * steps(NAME)
"""Likewise, the end of a job."""


async def started(dut):
    """Start memory and core, and give the engine random bits."""
    memory, core = await start(dut)
    cocotb.start_soon(give_random(dut, word(NAME)))
    return memory, core


def good_jobs(rng: random.Random, number: int, count: int) -> list[Job]:
    """Draw jobs in a mode, without associated data."""
    return [replace(job, aad=b"") for job in carried(NAME, number, rng, count)]


async def give(memory, core, rng, job: Job, place: int) -> dict[str, int]:
    """Put a job's data into a part of memory and start it; return the addresses."""
    at = {
        name: BASE + 8192 * place + offset + rng.randrange(32)
        for name, offset in (("SRC_PTR", 0), ("DST_PTR", 2048), ("KEY_PTR", 4096), ("IV_PTR", 6144))
    }
    for name, data in (("SRC_PTR", job.message), ("KEY_PTR", job.key or b""), ("IV_PTR", job.iv)):
        memory.load(at[name], data)
    word = ctrl(job.mode, int(job.decrypt), job.key_len, int(job.ctx_save))
    await core.job(LEN=len(job.message), CTRL=word, **at)
    return at


def check(memory, job: Job, at: dict[str, int]) -> set[int]:
    """Compare what was written with the model; return where."""
    wanted = outcomes()[NAME](job)
    output = wanted.message + wanted.tag
    assert memory.read(at["DST_PTR"], len(output)) == output, job
    assert memory.read(at["IV_PTR"], len(wanted.context)) == wanted.context, job
    return span(at["DST_PTR"], len(output)) | span(at["IV_PTR"], len(wanted.context))


@cocotb.test()
async def features(dut):
    _, core = await started(dut)
    assert await core.read("FEATURES") >> 16 == sum(1 << number for number in SERVED)


@cocotb.test()
async def every_mode(dut):
    memory, core = await started(dut)
    rng = random.Random(51)
    context = 0
    for number in sorted(SERVED):
        for job in good_jobs(rng, number, 3):
            memory.stall = [rng.choice(STALLS) for _ in range(4)]
            memory.forget()
            at = await give(memory, core, rng, job, 0)
            await core.wait(limit=LATEST)
            assert await core.result(context) == OK, job
            assert memory.written == check(memory, job, at)
            context = 1 - context


@cocotb.test()
async def what_is_not_served_is_refused(dut):
    """At once, without an access; a job that waits behind it is done as if it were alone."""
    memory, core = await started(dut)
    rng = random.Random(52)
    good = [job for number in SERVED for job in good_jobs(rng, number, 1)]
    for turn, job in enumerate(list(refused(SERVED, TAGGED, rng))[:: 15 if steps(NAME) else 1]):
        memory.stall = [rng.choice(STALLS) for _ in range(4)]
        memory.forget()
        await give(memory, core, rng, job, 0)
        if turn % 2:
            await core.wait(limit=LIMIT)
            assert not memory.accesses, job
        job_behind = rng.choice(good)
        at = await give(memory, core, rng, job_behind, 1)
        before = bytearray(memory.bytes)
        await core.wait(1 if turn % 2 else 2, LATEST)
        assert await core.result(0) == BAD_PARAM, job
        assert await core.result(1) == OK, job_behind
        unwritten(memory, before, check(memory, job_behind, at))
        assert await core.read("STATUS") == 0
