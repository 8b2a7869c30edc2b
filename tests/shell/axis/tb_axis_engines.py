"""Any engine behind the shell: every mode that it can serve works, all others are refused."""

import os
import random
from dataclasses import replace

import cocotb
from shell_model import AUTH_FAILED, BAD_PARAM, Shell, beats
from support.engine_port import give_random
from support.shell_jobs import carried, refused, steps, word

from cryptile.catalog import Key, engines
from cryptile.jobs.found import outcomes
from cryptile.jobs.job import Job

NAME = os.environ["CRYPTILE_ENGINE_NAME"]
MODES = {item.number: item for item in engines()[NAME].modes.values()}
TAGGED = {number for number, item in MODES.items() if item.tag and item.key.transfers}
"""Modes with a tag under a key."""
OPENED = TAGGED if any(item.decrypt for item in engines()[NAME].configs.values()) else set()
"""Of these, those in which a tag can come in."""
SERVED = {number for number, item in MODES.items() if item.key is not Key.bytes}
STALLS = (0.0, 0.0, 0.3, 0.8)
LIMIT = 5000 + steps(NAME)
"""Reads of a result until it must be there."""


async def started(dut) -> Shell:
    """Start the shell, and give its engine random bits, which change in a reset at most."""
    cocotb.start_soon(give_random(dut, word(NAME)))
    return await Shell(dut).start()


async def give(shell, job: Job, *, late: bool = False):
    """Start a job, and send its packet before or after that."""
    sections = [part for part in (job.aad, job.message, job.tag or b"") if part]
    if sections and not late:
        shell.source.send(*sections)
    key = job.key or bytes(64)
    await shell.job(
        mode=job.mode,
        decrypt=int(job.decrypt),
        key_len=job.key_len,
        key=key[:32],
        key2=key[32:],
        iv=job.iv,
        aad=len(job.aad),
        length=len(job.message),
        save=int(job.ctx_save),
    )
    if sections and late:
        shell.source.send(*sections)


async def check(shell, job: Job, number: int):
    """Compare result and packet with the model."""
    wanted = outcomes()[NAME](job)
    assert await shell.result(LIMIT) == (number % 256, wanted.status), job
    packet = beats(wanted.message, wanted.tag, wanted.context) or [b""]
    assert await shell.packet() == packet, job


def good_jobs(rng: random.Random, number: int) -> list[Job]:
    """Random jobs in a mode, with a tag also their other direction; there the last tag is wrong."""
    jobs = carried(NAME, number, rng, 3)
    if number not in OPENED:
        return jobs
    opened = []
    for job in jobs:
        made = outcomes()[NAME](job)
        message = made.message if MODES[number].output else job.message
        opened.append(replace(job, decrypt=True, message=message, tag=made.tag))
    wrong = bytes([made.tag[0] ^ 1]) + made.tag[1:]
    return [*jobs, *opened, replace(opened[-1], tag=wrong)]


@cocotb.test()
async def features(dut):
    shell = await started(dut)
    assert await shell.read("FEATURES") >> 16 == sum(1 << number for number in SERVED)


@cocotb.test()
async def every_mode(dut):
    shell = await started(dut)
    rng = random.Random(61)
    jobs = [job for number in sorted(SERVED) for job in good_jobs(rng, number)]
    for number, job in enumerate(jobs):
        shell.source.stall, shell.sink.stall = rng.choice(STALLS), rng.choice(STALLS)
        await give(shell, job, late=rng.random() < 0.5)
        await check(shell, job, number)
    statuses = {outcomes()[NAME](job).status for job in jobs}
    assert (AUTH_FAILED in statuses) == bool(SERVED & OPENED)


@cocotb.test()
async def what_is_not_served_is_refused(dut):
    """At once; its packet is discarded, and the job behind it finds its own."""
    shell = await started(dut)
    rng = random.Random(62)
    good = [job for number in SERVED for job in good_jobs(rng, number)]
    for turn, job in enumerate(list(refused(SERVED, set(), rng))[:: 15 if steps(NAME) else 1]):
        shell.source.stall, shell.sink.stall = rng.choice(STALLS), rng.choice(STALLS)
        if job.decrypt and job.mode in TAGGED:
            job = replace(job, tag=bytes(16))
        if turn % 2:
            job = replace(job, aad=rng.randbytes(21))
        behind = rng.choice(good)
        await give(shell, job, late=turn % 3 == 0)
        await give(shell, behind, late=turn % 5 == 0)
        assert await shell.result() == (2 * turn % 256, BAD_PARAM), job
        assert await shell.packet() == [b""], job
        await check(shell, behind, 2 * turn + 1)
        assert not shell.source.beats and not shell.sink.packets
