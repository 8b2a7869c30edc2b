"""Random jobs for the public-key engine.

Those whose results are random, signatures and new keys, are asked for with what is refused alone.
"""

import random

from cryptile.catalog import Key, engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.pka import (
    BASE256,
    N256,
    ed25519_commit,
    ed25519_public,
    ed25519_sign,
    ed25519_verify,
    multiply256,
    p256_ecdh,
    p256_public,
    p256_signed,
    p256_verify,
    x25519,
)
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import INVALID

MODES = {item.number: item for item in engines()["pka"].modes.values()}
X25519, P256_ECDH = mode("pka", "x25519"), mode("pka", "p256_ecdh")
P256_SIGN, P256_VERIFY = mode("pka", "p256_sign"), mode("pka", "p256_verify")
P256_PUBLIC, P256_KEYGEN = mode("pka", "p256_public"), mode("pka", "p256_keygen")
ED_PUBLIC, ED_COMMIT = mode("pka", "ed25519_public"), mode("pka", "ed25519_commit")
ED_SIGN, ED_VERIFY = mode("pka", "ed25519_sign"), mode("pka", "ed25519_verify")
SIZE = {
    **{X25519: 32, P256_ECDH: 64, P256_SIGN: 32, P256_VERIFY: 160, P256_PUBLIC: 0, P256_KEYGEN: 0},
    **{ED_PUBLIC: 0, ED_COMMIT: 64, ED_SIGN: 192, ED_VERIFY: 160},
}
"""Bytes of a message, by mode."""


def pka(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs of every kind; messages are what modes take, and ``size`` bounds those that are not."""
    return [_random_pka(rng, size) for _ in range(count)]


def _random_pka(rng: random.Random, size: int) -> Job:
    number = rng.choice(list(SIZE))
    if number == P256_KEYGEN or rng.random() < 0.2:
        message = rng.randbytes(rng.choice([1, 31, 33, 63, 65, 159, rng.randint(0, size)]))
        message = message if len(message) != SIZE[number] else message + b"+"
        return Job(number, rng.random() < 0.3, 0, b"", message, None, refused=True)
    key = rng.randbytes(32) if MODES[number].key != Key.none else None
    bad = number == P256_SIGN or rng.random() < 0.15
    key, message = _invalid(rng, number, key) if bad else (key, _message(rng, number))
    tag = MODES[number].tag or 0
    return Job(number, False, 0, rng.randbytes(16), message, key, out_len=rng.choice([0, tag]))


def _message(rng: random.Random, number: int) -> bytes:
    """Return a message that a mode accepts."""
    if number == P256_ECDH:
        return point256(rng)
    if number == P256_VERIFY:
        key, digest = rng.randrange(1, N256).to_bytes(32, "big"), rng.randbytes(32)
        return (p256_public(key) or b"") + digest + p256_signed(key, digest, rng.randrange(1, N256))
    if number in (ED_SIGN, ED_VERIFY):
        key, nonce, digest = rng.randbytes(32), rng.randbytes(64), rng.randbytes(64)
        said = key + nonce + digest + ed25519_commit(nonce)
        if number == ED_SIGN:
            return said
        return ed25519_public(key) + digest + (ed25519_sign(said) or b"")
    return rng.randbytes(SIZE[number])


def point256(rng: random.Random) -> bytes:
    """Return a point of P-256."""
    point = multiply256(rng.randrange(1, N256), BASE256)
    assert point
    return b"".join(part.to_bytes(32, "big") for part in point)


def _invalid(rng: random.Random, number: int, key: bytes | None) -> tuple[bytes | None, bytes]:
    """Return a key and a message that are refused: small order, off the curve, out of range."""
    message = _message(rng, number)
    if number in (ED_PUBLIC, ED_COMMIT):
        return key, message  # they refuse nothing
    if number == ED_SIGN:
        return key, message[:160] + bytes([message[160] ^ 1]) + message[161:]
    if number == X25519:
        return key, rng.choice([0, 1, 2**255 - 20, 2**255 - 19]).to_bytes(32, "little")
    if number in (P256_VERIFY, ED_VERIFY):
        at = rng.choice([0, 63, 95, 127, 159])
        return key, message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
    bad_key = rng.choice([0, N256, 2**256 - 1]).to_bytes(32, "big")
    if number != P256_ECDH:
        return bad_key, message
    return rng.choice(
        [
            (bad_key, message),
            (key, message[:63] + bytes([message[63] ^ 1])),
            (key, bytes(64)),
            (key, b"\xff" * 32 + message[32:]),
        ]
    )


def pka_outcome(job: Job) -> Outcome:
    """Return what a job gives: a result, which is zero if key or message are refused."""
    if job.refused:
        return REFUSED
    result = _result(job)
    return Outcome(tag=result) if result else Outcome(INVALID, tag=bytes(MODES[job.mode].tag or 0))


def _result(job: Job) -> bytes | None:
    if job.mode == P256_VERIFY:
        return job.message[96:128] if p256_verify(job.message) else None
    if job.mode == ED_VERIFY:
        return job.message[96:128] if ed25519_verify(job.message) else None
    if job.mode == ED_COMMIT:
        return ed25519_commit(job.message)
    if job.mode == ED_SIGN:
        return ed25519_sign(job.message)
    assert job.key
    if job.mode == ED_PUBLIC:
        return ed25519_public(job.key)
    if job.mode == X25519:
        secret = x25519(job.key, job.message)
        return secret if any(secret) else None
    if job.mode == P256_ECDH:
        return p256_ecdh(job.key, job.message)
    assert not 0 < int.from_bytes(job.key, "big") < N256 or job.mode == P256_PUBLIC
    return p256_public(job.key)


KINDS = {"pka": pka}
OUTCOMES = {"pka": pka_outcome}
