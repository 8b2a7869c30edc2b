"""Random jobs for the Ascon engine."""

import random

from cryptile.jobs.job import Job
from cryptile.jobs.oracle.ascon import (
    AEAD128,
    CXOF128,
    FULL,
    HASH256,
    RATE,
    aead128,
    begin,
    end,
    from_context,
    to_context,
    update,
)
from cryptile.jobs.outcome import REFUSED, Outcome, judged


def ascon(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for Ascon: AEAD128 of one long message, or short ones of every kind."""
    if count == 1:
        return [Job(AEAD128, False, 0, rng.randbytes(16), rng.randbytes(size), rng.randbytes(16))]
    return [_random_ascon(rng, size) for _ in range(count)]


def _random_ascon(rng: random.Random, size: int) -> Job:
    number = rng.choice([AEAD128, *RATE])
    message, iv = rng.randbytes(rng.randint(0, size)), rng.randbytes(16)
    if rng.random() < 0.03:
        return Job(4, False, 0, iv, message, None, refused=True)
    sealed = number == AEAD128
    key = rng.randbytes(16) if sealed else None
    aad = rng.randbytes(rng.choice([0, rng.randint(1, size)])) if sealed else b""
    if number == CXOF128:
        aad = rng.randbytes(rng.randint(0, min(256, size)))
    if key and rng.random() < 0.4:
        message, tag = _sealed(rng, key, iv, aad, message)
        return Job(number, True, 0, iv, message, key, aad, tag)
    context = b""
    if rng.random() < 0.2:
        aad, context = b"", rng.randbytes(40) + bytes(8)
    more = rng.random() < 0.2
    if more:
        message = message[: len(message) // RATE[number] * RATE[number]]
    most = FULL[number] if number in (AEAD128, HASH256) else max(32, size)
    return Job(
        number,
        False,
        0,
        iv,
        message,
        key,
        aad,
        ctx_save=more,
        is_final=not more,
        out_len=rng.choice([0, rng.randint(1, most)]),
        context=context,
    )


def _sealed(
    rng: random.Random, key: bytes, nonce: bytes, aad: bytes, text: bytes
) -> tuple[bytes, bytes]:
    """Return an encrypted message and its tag, which is wrong now and then."""
    ciphertext, right = aead128(key, nonce, aad, text)
    tag = bytearray(right)
    if rng.random() < 0.3:
        tag[rng.randrange(16)] ^= 1 << rng.randrange(8)
    return ciphertext, bytes(tag)


def ascon_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    key = (job.key or b"")[:16]
    state = from_context(job.context) if job.context else begin(job.mode, key, job.iv, job.aad)
    if job.ctx_save:
        state, message = update(job.mode, state, job.message, job.decrypt)
        return Outcome(message=message, context=to_context(state))
    size = job.out_len or FULL[job.mode]
    message, tag = end(job.mode, state, job.message, size, key, job.decrypt)
    return judged(job, tag, message)


def _measured(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(size)
    job = Job(AEAD128, False, 0, nonce, message, key)
    return job, b"".join(aead128(key, nonce, b"", message))


KINDS = {"ascon": ascon}
OUTCOMES = {"ascon": ascon_outcome}
MEASURED = {"ascon-aead128": (_measured, 1)}
