"""Random jobs for the public-key engines, with rows of 256 and of 384 bits.

Those whose results are random, signatures and new keys, are asked for with what is refused alone.
"""

import random

from cryptile.catalog import Key, engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.curve25519 import (
    ed25519_commit,
    ed25519_public,
    ed25519_sign,
    ed25519_verify,
    x25519,
)
from cryptile.jobs.oracle.nist_curve import P256, P384, NistCurve
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import INVALID

_WIDE = {item.number for item in engines()["pka384"].modes.values()}
MODES = {item.number: item for name in ("pka", "pka384") for item in engines()[name].modes.values()}
X25519, P256_ECDH = mode("pka", "x25519"), mode("pka", "p256_ecdh")
P256_SIGN, P256_VERIFY = mode("pka", "p256_sign"), mode("pka", "p256_verify")
P256_PUBLIC, P256_KEYGEN = mode("pka", "p256_public"), mode("pka", "p256_keygen")
ED_PUBLIC, ED_COMMIT = mode("pka", "ed25519_public"), mode("pka", "ed25519_commit")
ED_SIGN, ED_VERIFY = mode("pka", "ed25519_sign"), mode("pka", "ed25519_verify")
P384_ECDH, P384_SIGN = mode("pka384", "p384_ecdh"), mode("pka384", "p384_sign")
P384_VERIFY, P384_PUBLIC = mode("pka384", "p384_verify"), mode("pka384", "p384_public")
P384_KEYGEN = mode("pka384", "p384_keygen")

ECDH, SIGN, VERIFY = {P256_ECDH, P384_ECDH}, {P256_SIGN, P384_SIGN}, {P256_VERIFY, P384_VERIFY}
PUBLIC, KEYGEN = {P256_PUBLIC, P384_PUBLIC}, {P256_KEYGEN, P384_KEYGEN}

SIZE = {
    **{X25519: 32, ED_PUBLIC: 0, ED_COMMIT: 64, ED_SIGN: 192, ED_VERIFY: 160},
    **{P256_ECDH: 64, P256_SIGN: 32, P256_VERIFY: 160, P256_PUBLIC: 0, P256_KEYGEN: 0},
    **{P384_ECDH: 96, P384_SIGN: 48, P384_VERIFY: 240, P384_PUBLIC: 0, P384_KEYGEN: 0},
}
"""Bytes of a message, by mode."""


def curve(number: int) -> NistCurve:
    """Return the curve of a mode."""
    return P384 if number in _WIDE else P256


def key_bytes(number: int) -> int:
    """Return ``key_bytes`` of a mode's jobs: what a key of its own length has, else 0."""
    return curve(number).size if MODES[number].key == Key.bytes else 0


def pka(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs of every kind; messages are what modes take, and ``size`` bounds those that are not."""
    return _random_jobs("pka", rng, count, size)


def pka384(rng: random.Random, count: int, size: int) -> list[Job]:
    """As ``pka``, of the engine with rows of 384 bits."""
    return _random_jobs("pka384", rng, count, size)


def _random_jobs(engine: str, rng: random.Random, count: int, size: int) -> list[Job]:
    numbers = [item.number for item in engines()[engine].modes.values()]
    return [_random(rng, rng.choice(numbers), size) for _ in range(count)]


def _random(rng: random.Random, number: int, size: int) -> Job:
    if number in KEYGEN or rng.random() < 0.2:
        message = rng.randbytes(rng.choice([1, 31, 33, 63, 65, 159, rng.randint(0, size)]))
        message = message if len(message) != SIZE[number] else message + b"+"
        return Job(number, rng.random() < 0.3, 0, b"", message, None, refused=True)
    length = key_bytes(number)
    key = rng.randbytes(length or 32) if MODES[number].key != Key.none else None
    bad = number in SIGN or rng.random() < 0.15
    key, message = _invalid(rng, number, key) if bad else (key, _message(rng, number))
    tag, iv = MODES[number].tag or 0, rng.randbytes(16)
    out_len = rng.choice([0, tag])
    return Job(number, False, 0, iv, message, key, key_bytes=length, out_len=out_len)


def _message(rng: random.Random, number: int) -> bytes:
    """Return a message that a mode accepts."""
    on = curve(number)
    if number in ECDH:
        return point(rng, on)
    if number in VERIFY:
        key, digest = on.text(rng.randrange(1, on.n)), rng.randbytes(on.size)
        return (on.public(key) or b"") + digest + on.signed(key, digest, rng.randrange(1, on.n))
    if number in (ED_SIGN, ED_VERIFY):
        key, nonce, digest = rng.randbytes(32), rng.randbytes(64), rng.randbytes(64)
        said = key + nonce + digest + ed25519_commit(nonce)
        if number == ED_SIGN:
            return said
        return ed25519_public(key) + digest + (ed25519_sign(said) or b"")
    return rng.randbytes(SIZE[number])


def point(rng: random.Random, on: NistCurve) -> bytes:
    """Return a point of a curve."""
    return on.text(*on.multiple(rng.randrange(1, on.n)))


def _invalid(rng: random.Random, number: int, key: bytes | None) -> tuple[bytes | None, bytes]:
    """Return a key and a message that are refused: small order, off the curve, out of range."""
    message, on = _message(rng, number), curve(number)
    if number in (ED_PUBLIC, ED_COMMIT):
        return key, message  # they refuse nothing
    if number == ED_SIGN:
        return key, message[:160] + bytes([message[160] ^ 1]) + message[161:]
    if number == X25519:
        return key, rng.choice([0, 1, 2**255 - 20, 2**255 - 19]).to_bytes(32, "little")
    if number in VERIFY or number == ED_VERIFY:
        at = rng.choice([0, *(on.size * n - 1 for n in (2, 3, 4, 5))])
        return key, message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :]
    bad_key = on.text(rng.choice([0, on.n, 256**on.size - 1]))
    if number not in ECDH:
        return bad_key, message
    return rng.choice(
        [
            (bad_key, message),
            (key, message[:-1] + bytes([message[-1] ^ 1])),
            (key, bytes(2 * on.size)),
            (key, b"\xff" * on.size + message[on.size :]),
        ]
    )


def pka_outcome(job: Job) -> Outcome:
    """Return what a job gives: a result, which is zero if key or message are refused."""
    if job.refused:
        return REFUSED
    result = _result(job)
    return Outcome(tag=result) if result else Outcome(INVALID, tag=bytes(MODES[job.mode].tag or 0))


def _result(job: Job) -> bytes | None:
    on = curve(job.mode)
    if job.mode in VERIFY:
        return job.message[3 * on.size : 4 * on.size] if on.verify(job.message) else None
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
    if job.mode in ECDH:
        return on.ecdh(job.key, job.message)
    public = on.public(job.key)
    assert not public or job.mode in PUBLIC
    return public


KINDS = {"pka": pka, "pka384": pka384}
OUTCOMES = {"pka": pka_outcome, "pka384": pka_outcome}
