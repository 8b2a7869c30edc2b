"""Random jobs for the ChaCha20-Poly1305 engine."""

import random

from cryptile.jobs.job import Job
from cryptile.jobs.oracle.chacha20poly1305 import AEAD, CHACHA20, POLY1305, crypt, next_iv
from cryptile.jobs.outcome import REFUSED, Outcome, judged
from cryptile.jobs.port import BLOCK, OK


def chacha20poly1305(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for ChaCha20-Poly1305: one long stream, or short ones of every kind."""
    if count == 1:
        iv = (1).to_bytes(4, "little") + rng.randbytes(12)
        return [Job(CHACHA20, False, 2, iv, rng.randbytes(size), rng.randbytes(32))]
    return [_random_chacha(rng, size) for _ in range(count)]


def _random_chacha(rng: random.Random, size: int) -> Job:
    kind = rng.choices(["stream", "mac", "aead", "refused"], [2, 1, 6, 0.3])[0]
    message, key = rng.randbytes(rng.randint(0, size)), rng.randbytes(32)
    if kind == "refused":
        key_len = rng.choice([0, 1, 3])
        number = rng.choice([CHACHA20, POLY1305, AEAD])
        return Job(number, False, key_len, rng.randbytes(16), message, None, refused=True)
    if kind == "stream":
        iv = rng.randint(0, 1000).to_bytes(4, "little") + rng.randbytes(12)
        whole = len(message) % 64 == 0
        return Job(
            CHACHA20,
            rng.random() < 0.5,
            2,
            iv,
            message,
            key if message else None,
            ctx_save=whole and rng.random() < 0.5,
        )
    if kind == "mac":
        return Job(POLY1305, False, 2, bytes(16), message, key)
    nonce, aad = rng.randbytes(12), rng.randbytes(rng.choice([0, rng.randint(1, size)]))
    iv = nonce + bytes(4)
    if rng.random() < 0.4:
        return Job(AEAD, False, 2, iv, message, key, aad)
    message, right = crypt(AEAD, key, iv, message, aad)
    tag = bytearray(right)
    if rng.random() < 0.3:
        tag[rng.randrange(BLOCK)] ^= 1 << rng.randrange(8)
    return Job(AEAD, True, 2, iv, message, key, aad, bytes(tag))


def chacha20poly1305_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    key = job.key or bytes(32)
    message, tag = crypt(job.mode, key, job.iv, job.message, job.aad, decrypt=job.decrypt)
    if job.mode == CHACHA20:
        context = next_iv(job.iv, len(message)) if job.ctx_save else b""
        return Outcome(OK, message, context=context)
    return judged(job, tag[: job.out_len or BLOCK], message)


def _measured_stream(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(32), rng.randbytes(size)
    return _measured(CHACHA20, key, b"\1\0\0\0" + rng.randbytes(12), message)


def _measured_aead(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(32), rng.randbytes(12), rng.randbytes(size)
    return _measured(AEAD, key, nonce + bytes(4), message)


def _measured(number: int, key: bytes, iv: bytes, message: bytes) -> tuple[Job, bytes]:
    job = Job(number, False, 2, iv, message, key)
    return job, b"".join(crypt(number, key, iv, message))


KINDS = {"chacha20poly1305": chacha20poly1305}
OUTCOMES = {"chacha20poly1305": chacha20poly1305_outcome}
MEASURED = {"chacha20": (_measured_stream, 4), "chacha20-poly1305": (_measured_aead, 4)}
