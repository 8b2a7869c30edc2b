"""Random jobs for the public-key engine."""

import random

from cryptile.catalog import engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.pka import BASE256, N256, multiply256, p256_ecdh, x25519
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import INVALID

X25519, P256_ECDH = mode("pka", "x25519"), mode("pka", "p256_ecdh")
SIZE = {item.number: item.block for item in engines()["pka"].modes.values()}
"""Bytes of a point, by mode."""


def pka(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs of every kind; messages are points, so that ``size`` bounds those that are none."""
    return [_random_pka(rng, size) for _ in range(count)]


def _random_pka(rng: random.Random, size: int) -> Job:
    number, key = rng.choice([X25519, P256_ECDH]), rng.randbytes(32)
    if rng.random() < 0.2:
        message = rng.randbytes(rng.choice([0, 31, 33, 63, 65, rng.randint(0, size)]))
        if len(message) != SIZE[number]:
            return Job(number, rng.random() < 0.3, 0, b"", message, None, refused=True)
    message = rng.randbytes(32) if number == X25519 else _point256(rng)
    if rng.random() < 0.15:
        key, message = _invalid(rng, number, key, message)
    return Job(number, False, 0, rng.randbytes(16), message, key, out_len=rng.choice([0, 32]))


def _point256(rng: random.Random) -> bytes:
    point = multiply256(rng.randrange(1, N256), BASE256)
    assert point
    return b"".join(part.to_bytes(32, "big") for part in point)


def _invalid(rng: random.Random, number: int, key: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return a scalar and a point that are refused: of small order, off the curve, out of range."""
    if number == X25519:
        return key, rng.choice([0, 1, 2**255 - 20, 2**255 - 19]).to_bytes(32, "little")
    return rng.choice([
        (bytes(32), message),
        (N256.to_bytes(32, "big"), message),
        (key, message[:63] + bytes([message[63] ^ 1])),
        (key, bytes(64)),
        (key, b"\xff" * 32 + message[32:]),
    ])  # fmt: skip


def pka_outcome(job: Job) -> Outcome:
    """Return what a job gives: a secret, which is zero if scalar or point are refused."""
    if job.refused:
        return REFUSED
    assert job.key
    if job.mode == X25519:
        secret: bytes | None = x25519(job.key, job.message)
        secret = secret if any(secret or b"") else None
    else:
        secret = p256_ecdh(job.key, job.message)
    if secret is None:
        return Outcome(INVALID, tag=bytes(32))
    return Outcome(tag=secret)


KINDS = {"pka": pka}
OUTCOMES = {"pka": pka_outcome}
