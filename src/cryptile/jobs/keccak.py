"""Random jobs for the Keccak engine."""

import random

from cryptile.catalog import Key, engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle import keccak as oracle
from cryptile.jobs.oracle.keccak import FULL, SHA3_256, digest
from cryptile.jobs.outcome import REFUSED, Outcome, judged

_KMAC_SAMPLE = "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"
"""KMAC128 of 00010203 with the key 40 .. 5f: sample 1 of NIST."""


def keccak(rng: random.Random, count: int, size: int) -> list[Job]:
    """Jobs for SHA-3 and KMAC: SHA3-256 of one long message, or short ones of every kind."""
    if count == 1:
        number = mode("keccak", "sha3_256")
        return [Job(number, False, 0, bytes(16), rng.randbytes(size), None)]
    return [_random_keccak(rng, size) for _ in range(count)]


def _random_keccak(rng: random.Random, size: int) -> Job:
    known = engines()["keccak"].modes
    name = rng.choice(list(known))
    item, message, iv = known[name], rng.randbytes(rng.randint(0, size)), bytes(16)
    fixed, keyed = name.startswith("sha3"), item.key is not Key.none
    names = b"\x01\x20KMAC\x01\x00"
    if rng.random() < 0.03:
        return Job(12, False, 0, iv, message, None, refused=True)
    if rng.random() < 0.15:
        tag = bytearray.fromhex(_KMAC_SAMPLE)
        if rng.random() < 0.3:
            tag[rng.randrange(32)] ^= 1 << rng.randrange(8)
        number, key = known["kmac128"].number, bytes(range(0x40, 0x80))
        return Job(number, True, 0, iv, bytes(range(4)), key, names, bytes(tag), key_bytes=32)
    more, context = rng.random() < 0.2, b""
    if rng.random() < 0.2:
        names, context = b"", rng.randbytes(200) + bytes(8)
    if more:
        message = message[: len(message) // item.block * item.block]
    out_len = rng.choice([0, rng.randint(1, 28 if fixed else max(28, size))])
    key_bytes, secret = rng.randint(0, 64), rng.randbytes(64) if keyed else None
    customized = keyed or name.startswith("cshake")
    return Job(
        item.number,
        False,
        0,
        iv,
        message,
        secret,
        names if customized else b"",
        ctx_save=more,
        is_final=not more,
        key_bytes=key_bytes,
        out_len=out_len,
        context=context,
    )


def keccak_outcome(job: Job) -> Outcome:
    """Return what a job gives."""
    if job.refused:
        return REFUSED
    key = (job.key or b"")[: job.key_bytes]
    if job.ctx_save:
        if job.context:
            return Outcome(context=oracle.next_context(job.mode, job.context, job.message))
        return Outcome(context=oracle.context(job.mode, job.message, job.aad, key))
    size = job.out_len or FULL[job.mode]
    if job.context:
        return judged(job, oracle.resumed(job.mode, job.context, job.message, size))
    return judged(job, digest(job.mode, job.message, size, job.aad, key))


def _measured(rng: random.Random, size: int) -> tuple[Job, bytes]:
    message = rng.randbytes(size)
    job = Job(SHA3_256, False, 0, b"", message, None)
    return job, digest(SHA3_256, message, FULL[SHA3_256])


KINDS = {"keccak": keccak}
OUTCOMES = {"keccak": keccak_outcome}
MEASURED = {"sha3-256": (_measured, 17)}
