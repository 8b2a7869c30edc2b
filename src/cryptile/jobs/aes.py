"""Random jobs for the AES engine of ECB, CBC and CTR."""

import random

from cryptile.catalog import engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.aes import CTR, ECB, crypt, next_iv
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import BLOCK, OK


def aes(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for AES: one long message in CTR, or short ones in every mode and key length."""
    if count == 1:
        iv = rng.randbytes(16)
        return [Job(mode("aes", "ctr"), False, 0, iv, rng.randbytes(size), rng.randbytes(32))]
    return [_random_aes(rng, size) for _ in range(count)]


def _random_aes(rng: random.Random, size: int) -> Job:
    known = engines()["aes"].modes
    name, refused = rng.choice(list(known)), rng.random() < 0.03
    length = rng.randint(0, size) if name == "ctr" else BLOCK * rng.randint(0, size // BLOCK)
    number = known[name].number
    if refused:
        number = rng.choice([3, 9, 15])
    takes_key = not refused and length > 0
    return Job(
        number,
        rng.random() < 0.5,
        rng.choice([0, 1, 2]),
        rng.randbytes(16),
        rng.randbytes(length),
        rng.randbytes(32) if takes_key else None,
        ctx_save=rng.random() < 0.2,
        is_final=rng.random() < 0.5,
        refused=refused,
    )


def aes_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    key = (job.key or b"")[: 16 + 8 * job.key_len]
    message, _ = crypt(job.mode, key, job.iv, job.message, decrypt=job.decrypt)
    sealed = job.message if job.decrypt else message
    context = next_iv(job.mode, key, job.iv, sealed) if job.ctx_save else b""
    return Outcome(OK, message, context=context)


def _measured_ecb(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ecb"), False, 0, bytes(16), message, key)
    return job, b"".join(crypt(ECB, key, b"", message))


def _measured_ctr(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, counter, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ctr"), False, 0, counter, message, key)
    return job, b"".join(crypt(CTR, key, counter, message))


KINDS = {"aes": aes}
OUTCOMES = {"aes": aes_outcome}
MEASURED = {"aes-128-ecb": (_measured_ecb, 4), "aes-128-ctr": (_measured_ctr, 4)}
