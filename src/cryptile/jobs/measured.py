"""Jobs that show what an engine consumes: one message each, with the output that must come."""

import random
from collections.abc import Callable

from cryptile.catalog import mode
from cryptile.jobs.job import Job
from cryptile.jobs.oracle import aes, chacha20poly1305, keccak, sha2

Make = Callable[[random.Random, int], tuple[Job, bytes]]
"""Makes a job of so many bytes and its output."""


def _aes_ecb(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ecb"), False, 0, bytes(16), message, key)
    return job, b"".join(aes.crypt(aes.ECB, key, b"", message))


def _aes_ctr(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, counter, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(size)
    job = Job(mode("aes", "ctr"), False, 0, counter, message, key)
    return job, b"".join(aes.crypt(aes.CTR, key, counter, message))


def _aes_gcm(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(16), rng.randbytes(12), rng.randbytes(size)
    job = Job(aes.GCM, False, 0, nonce, message, key)
    return job, b"".join(aes.crypt(aes.GCM, key, nonce, message))


def _chacha20(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(32), rng.randbytes(size)
    return _chacha(chacha20poly1305.CHACHA20, key, b"\1\0\0\0" + rng.randbytes(12), message)


def _chacha20_poly1305(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(32), rng.randbytes(12), rng.randbytes(size)
    return _chacha(chacha20poly1305.AEAD, key, nonce + bytes(4), message)


def _chacha(number: int, key: bytes, iv: bytes, message: bytes) -> tuple[Job, bytes]:
    job = Job(number, False, 2, iv, message, key)
    return job, b"".join(chacha20poly1305.crypt(number, key, iv, message))


def _sha2(name: str) -> Make:
    def make(rng: random.Random, size: int) -> tuple[Job, bytes]:
        number, message = mode("sha2", name), rng.randbytes(size)
        return Job(number, False, 0, b"", message, None), sha2.digest(number, message)

    return make


def _sha3_256(rng: random.Random, size: int) -> tuple[Job, bytes]:
    message = rng.randbytes(size)
    job = Job(keccak.SHA3_256, False, 0, b"", message, None)
    return job, keccak.digest(keccak.SHA3_256, message, keccak.FULL[keccak.SHA3_256])


SIZE = 1024
"""Bytes of a message."""

KINDS: dict[str, tuple[Make, int]] = {
    "aes-128-ecb": (_aes_ecb, 4),
    "aes-128-ctr": (_aes_ctr, 4),
    "aes-128-gcm": (_aes_gcm, 4),
    "sha-256": (_sha2("sha256"), 4),
    "sha-512": (_sha2("sha512"), 8),
    "sha3-256": (_sha3_256, 17),
    "chacha20": (_chacha20, 4),
    "chacha20-poly1305": (_chacha20_poly1305, 4),
}
"""Kinds of jobs, and after how many beats of 16 bytes everything repeats."""


def make(kind: str) -> tuple[Job, bytes, int]:
    """Return a job of a kind with random content, what it must give, and its period in beats."""
    maker, period = KINDS[kind]
    return *maker(random.Random(1), SIZE), period
