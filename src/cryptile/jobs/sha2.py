"""Random jobs for the SHA-2 engine."""

import random

from cryptile.catalog import Key, Mode, engines, mode
from cryptile.jobs.found import MakeMeasured
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.sha2 import HMAC, context, digest, finished, resumed
from cryptile.jobs.outcome import REFUSED, Outcome, judged
from cryptile.jobs.port import BLOCK


def sha2(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for SHA-2: SHA-256 of one long message, or short ones of every kind."""
    if count == 1:
        number = mode("sha2", "sha256")
        return [Job(number, False, 0, bytes(16), rng.randbytes(size), None)]
    return [_random_sha2(rng, size) for _ in range(count)]


def _random_sha2(rng: random.Random, size: int) -> Job:
    known = engines()["sha2"].modes
    name = rng.choice([name for name, item in known.items() if item.key is Key.none])
    message, more = rng.randbytes(rng.randint(0, size)), rng.random() < 0.2
    if rng.random() < 0.03:
        return Job(6, False, 0, bytes(16), message, None, refused=True)
    if more:
        message = message[: len(message) // 128 * 128]
    saved = _context(rng, known[name]) if rng.random() < 0.2 else b""
    out_len = rng.choice([0, rng.randint(1, 28)])
    if rng.random() < 0.5:
        return Job(
            known[name].number,
            False,
            0,
            bytes(16),
            message,
            None,
            ctx_save=more,
            is_final=not more,
            out_len=out_len,
            context=saved,
        )
    key_bytes, key = rng.randint(0, 64), rng.randbytes(64)
    tag: bytes | None = None
    if not more and rng.random() < 0.5:
        right = digest(known[name].number, message, key[:key_bytes])
        tag = right[: out_len or len(right)]
        if rng.random() < 0.3:
            tag = tag[:-1] + bytes([tag[-1] ^ 1 << rng.randrange(8)])
    return Job(
        known[f"hmac_{name}"].number,
        tag is not None,
        0,
        bytes(16),
        message,
        key,
        tag=tag,
        ctx_save=more,
        is_final=not more,
        key_bytes=key_bytes,
        out_len=out_len,
        context=saved,
    )


def _context(rng: random.Random, item: Mode) -> bytes:
    """Return any saved context that there can be: behind whole blocks.

    Words of 32 bits are in the upper halves, above zeros.
    """
    saved = rng.randbytes(BLOCK * item.context)
    words, size = saved[:64], bytes([saved[64] & -item.block % 256]) + saved[65:]
    if item.block == 64:
        words = b"".join(bytes(4) + words[at + 4 : at + 8] for at in range(0, 64, 8))
    return words + size


def sha2_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    number = job.mode % HMAC
    key = job.key[: job.key_bytes] if job.key is not None else None
    if job.ctx_save:
        if job.context:
            return Outcome(context=resumed(number, job.context, job.message))
        return Outcome(context=context(number, job.message, key))
    if job.context:
        tag = finished(number, job.context, job.message, key)
    else:
        tag = digest(number, job.message, key)
    return judged(job, tag[: job.out_len or None])


def _measured(name: str) -> MakeMeasured:
    def make(rng: random.Random, size: int) -> tuple[Job, bytes]:
        number, message = mode("sha2", name), rng.randbytes(size)
        return Job(number, False, 0, b"", message, None), digest(number, message)

    return make


KINDS = {"sha2": sha2}
OUTCOMES = {"sha2": sha2_outcome}
MEASURED = {"sha-256": (_measured("sha256"), 4), "sha-512": (_measured("sha512"), 8)}
