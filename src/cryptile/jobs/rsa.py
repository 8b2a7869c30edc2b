"""Random jobs for the public-key engine with rows of 512 bits, which does RSA's primitives.

Its jobs have no key of the engine port: keys are in front of the message's number.
"""

import random
from functools import cache

from cryptile.catalog import Mode, engines
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.rsa import Rsa
from cryptile.jobs.outcome import REFUSED, Outcome
from cryptile.jobs.port import INVALID

NAME = "pka_rsa"

EXPONENT = 64
"""Bytes of a public exponent."""

_BELOW = {2048: (105, 179), 3072: (3453, 4977), 4096: (1557, 2543)}
"""How far two primes of half the length are below its power of two: the largest for 65537."""


def modes() -> dict[int, tuple[int, str, Mode]]:
    """Return bits and operation of each mode, private, public or public64, by number."""
    found = {}
    for name, item in engines()[NAME].modes.items():
        length, operation = name.removeprefix("rsa").split("_")
        found[item.number] = (int(length), operation, item)
    return found


def number(bits: int, operation: str) -> int:
    """Return the mode of an operation."""
    return next(at for at, (*said, _) in modes().items() if said == [bits, operation])


def size(mode: int) -> int:
    """Return the bytes of a mode's message."""
    bits, operation, _ = modes()[mode]
    modulus = bits // 8
    key = {"private": 7 * modulus // 2, "public": modulus, "public64": modulus + EXPONENT}
    return key[operation] + modulus


@cache
def some_key(bits: int) -> bytes:
    """Return a private key, the same one always."""
    p, q = ((1 << bits // 2) - below for below in _BELOW[bits])
    return Rsa(bits // 8).key(p, q)


def jobs(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs of every kind, short ones more often; ``size`` bounds messages that no mode takes."""
    known = modes()
    weights = [1 / item.steps for *_, item in known.values()]
    return [_random(rng, at, size) for at in rng.choices([*known], weights, k=count)]


def _random(rng: random.Random, at: int, most: int) -> Job:
    iv = rng.randbytes(16)
    if rng.random() < 0.2:
        length = rng.choice([0, 1, 255, 511, 513, 576, 1151, 1153, rng.randint(0, most)])
        message = rng.randbytes(length if length != size(at) else length + 1)
        return Job(at, rng.random() < 0.3, 0, iv, message, None, refused=True)
    tag = modes()[at][2].tag or 0
    return Job(at, False, 0, iv, _message(rng, at), None, out_len=rng.choice([0, tag]))


def _message(rng: random.Random, at: int) -> bytes:
    """Return a message of a mode, of which one of five is refused."""
    bits, operation, _ = modes()[at]
    length = bits // 8
    modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
    parts = [modulus.to_bytes(length, "big")]
    if operation == "private":
        parts = [some_key(bits)]
        modulus = int.from_bytes(parts[0][:length], "big")
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
    bits, operation, _ = modes()[job.mode]
    rsa = Rsa(bits // 8)
    found = (rsa.private if operation == "private" else rsa.public)(job.message)
    return Outcome(tag=found) if found else Outcome(INVALID, tag=bytes(bits // 8))


KINDS = {NAME: jobs}
OUTCOMES = {NAME: outcome}
