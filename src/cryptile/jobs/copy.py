"""Random jobs for the data mover."""

import random

from cryptile.jobs.job import Job
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import BLOCK, OK


def copy(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for the data mover: one long message, or short ones with and without the IV back."""
    if count == 1:
        return [Job(0, False, 0, bytes(BLOCK), rng.randbytes(size), None)]
    return [_random_copy(rng, size) for _ in range(count)]


def _random_copy(rng: random.Random, size: int) -> Job:
    message, refused = rng.randbytes(rng.randint(0, size)), rng.random() < 0.1
    number, decrypt, aad = 0, False, b""
    if refused:
        number, decrypt, aad = rng.choice(
            [(rng.randrange(1, 16), False, b""), (0, True, b""), (0, False, rng.randbytes(9))]
        )
    return Job(
        number,
        decrypt,
        rng.randrange(4),
        rng.randbytes(BLOCK),
        message,
        None,
        aad,
        ctx_save=rng.random() < 0.3,
        is_final=rng.random() < 0.5,
        refused=refused,
    )


def copy_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    return Outcome(OK, job.message, context=job.iv if job.ctx_save else b"")


KINDS = {"copy": copy}
OUTCOMES = {"copy": copy_outcome}
