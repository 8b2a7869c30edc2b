"""Random jobs for the AES engine of ECB, CBC and CTR."""

import random

from cryptile.catalog import engines, mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle.aes import CTR, ECB, crypt
from cryptile.jobs.port import BLOCK


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


def _measured_ecb(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ecb"), False, 0, bytes(16), message, key)
    return job, b"".join(crypt(ECB, key, b"", message))


def _measured_ctr(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, counter, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ctr"), False, 0, counter, message, key)
    return job, b"".join(crypt(CTR, key, counter, message))


KINDS = {"aes": aes}
MEASURED = {"aes-128-ecb": (_measured_ecb, 4), "aes-128-ctr": (_measured_ctr, 4)}
