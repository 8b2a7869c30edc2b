"""Random jobs for the public-key engine with rows of 512 bits, which does RSA's primitives.

Keys are in front of the message's number. Private ones may be sealed, under a key of the engine
port. What is sealed, and keys for that, are random: they are asked for with what is refused alone.
"""

import random
from functools import cache

from cryptile.catalog import Key, Mode, engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.rsa import SEAL, Rsa
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import AUTH_FAILED, INVALID

NAME = "pka_rsa"

EXPONENT = 64
"""Bytes of a public exponent."""

SEALING_KEY = mode(NAME, "sealing_key")
"""The mode that makes keys under which private keys are sealed."""

_BELOW = {2048: (105, 179), 3072: (3453, 4977), 4096: (1557, 2543)}
"""How far two primes of half the length are below its power of two: the largest for 65537."""


def modes() -> dict[int, tuple[int, str, Mode]]:
    """Return bits and operation of each mode of a length, by number.

    Operations are private, public, public64, sealed (private with a sealed key) and seal.
    """
    found = {}
    for name, item in engines()[NAME].modes.items():
        if item.number != SEALING_KEY:
            length, operation = name.removeprefix("rsa").split("_")
            found[item.number] = (int(length), operation, item)
    return found


def number(bits: int, operation: str) -> int:
    """Return the mode of an operation."""
    return next(at for at, (*said, _) in modes().items() if said == [bits, operation])


def size(mode: int) -> int:
    """Return the bytes of a mode's message."""
    if mode == SEALING_KEY:
        return 0
    bits, operation, _ = modes()[mode]
    modulus = bits // 8
    private = 7 * modulus // 2
    if operation == "seal":
        return private
    key = {
        "private": private,
        "public": modulus,
        "public64": modulus + EXPONENT,
        "sealed": private + 2 * SEAL,
    }
    return key[operation] + modulus


@cache
def some_key(bits: int) -> bytes:
    """Return a private key, the same one always."""
    p, q = ((1 << bits // 2) - below for below in _BELOW[bits])
    return Rsa(bits // 8).key(p, q)


def jobs(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs of every kind, short ones more often; ``size`` bounds messages that no mode takes."""
    known = {at: item for at, (*_, item) in modes().items() if not item.fresh}
    weights = [1 / item.steps for item in known.values()]
    return [_random(rng, at, size) for at in rng.choices([*known], weights, k=count)]


def _random(rng: random.Random, at: int, most: int) -> Job:
    iv = rng.randbytes(16)
    if rng.random() < 0.2:
        at = rng.choice([*modes(), SEALING_KEY])
        length = rng.choice([0, 1, 255, 511, 513, 576, 1151, 1153, rng.randint(0, most)])
        message = rng.randbytes(length if length != size(at) else length + 1)
        return Job(at, rng.random() < 0.3, 0, iv, message, None, refused=True)
    *_, item = modes()[at]
    key = rng.randbytes(SEAL) if item.key is Key.sized else None
    message, out_len = _message(rng, at, key), rng.choice([0, item.tag or 0])
    return Job(at, False, 0, iv, message, key, out_len=out_len)


def _message(rng: random.Random, at: int, key: bytes | None) -> bytes:
    """Return a message of a mode, of which one of five is refused."""
    bits, operation, _ = modes()[at]
    length = bits // 8
    modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
    parts = [modulus.to_bytes(length, "big")]
    if operation in ("private", "sealed"):
        parts = [some_key(bits)]
        modulus = int.from_bytes(parts[0][:length], "big")
        if key:
            parts = [Rsa(length).sealed(parts[0], key, rng.randbytes(SEAL))]
    elif operation == "public64":
        parts.append((rng.getrandbits(64) | 3).to_bytes(EXPONENT, "big"))
    parts.append(rng.randrange(modulus).to_bytes(length, "big"))
    whole = bytearray(b"".join(parts))
    if rng.random() < 0.2:
        wrong = rng.choice([0, length - 1, -length])
        if wrong == -length:
            whole[-length:] = b"\xff" * length  # not below the modulus
        else:
            whole[wrong] ^= 1 if wrong else 128  # which is even, or too short
    return bytes(whole)


def outcome(job: Job) -> Outcome:
    """Return what a job gives: a number, which is zero if what it brings is refused."""
    if job.refused or len(job.message) != size(job.mode):
        return REFUSED
    bits, operation, item = modes()[job.mode]
    rsa, none = Rsa(bits // 8), bytes(bits // 8)
    assert not item.fresh
    if operation == "sealed":
        assert job.key
        sealed, number = job.message[: -rsa.size], job.message[-rsa.size :]
        key = rsa.opened(sealed, job.key[:SEAL])
        if key is None:
            return Outcome(AUTH_FAILED, tag=none)
        found = rsa.private(key + number)
    else:
        found = (rsa.private if operation == "private" else rsa.public)(job.message)
    return Outcome(tag=found) if found else Outcome(INVALID, tag=none)


KINDS = {NAME: jobs}
OUTCOMES = {NAME: outcome}
