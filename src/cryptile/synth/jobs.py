"""Jobs that show what an engine consumes: one message each, with the output that must come."""

import hashlib
import random
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

from cryptile.catalog import mode
from cryptile.faults.job import Job

_CHACHA = "chacha20poly1305"

Make = Callable[[random.Random, int], tuple[Job, bytes]]
"""Makes a job of so many bytes and its output."""


def _aes_ecb(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(16), rng.randbytes(size)
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    job = Job(mode("aes", "ecb"), False, 0, bytes(16), message, key)
    return job, cipher.encryptor().update(message)


def _aes_ctr(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, counter, message = rng.randbytes(16), rng.randbytes(16), rng.randbytes(size)
    cipher = Cipher(algorithms.AES(key), modes.CTR(counter))
    job = Job(mode("aes", "ctr"), False, 0, counter, message, key)
    return job, cipher.encryptor().update(message)


def _chacha20(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, message = rng.randbytes(32), rng.randbytes(size)
    start = (1).to_bytes(4, "little") + rng.randbytes(12)
    cipher = Cipher(algorithms.ChaCha20(key, start), None)
    job = Job(mode(_CHACHA, "chacha20"), False, 2, start, message, key)
    return job, cipher.encryptor().update(message)


def _chacha20_poly1305(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(32), rng.randbytes(12), rng.randbytes(size)
    sealed = ChaCha20Poly1305(key).encrypt(nonce, message, b"")
    job = Job(mode(_CHACHA, "chacha20_poly1305"), False, 2, nonce + bytes(4), message, key)
    return job, sealed


def _aes_gcm(rng: random.Random, size: int) -> tuple[Job, bytes]:
    key, nonce, message = rng.randbytes(16), rng.randbytes(12), rng.randbytes(size)
    job = Job(mode("aes_modes", "gcm"), False, 0, nonce, message, key)
    return job, AESGCM(key).encrypt(nonce, message, b"")


def _hash(engine: str, name: str) -> Make:
    def make(rng: random.Random, size: int) -> tuple[Job, bytes]:
        message = rng.randbytes(size)
        job = Job(mode(engine, name), False, 0, b"", message, None)
        return job, hashlib.new(name, message).digest()

    return make


SIZE = 1024
"""Bytes of a message."""

KINDS: dict[str, tuple[Make, int]] = {
    "aes-128-ecb": (_aes_ecb, 4),
    "aes-128-ctr": (_aes_ctr, 4),
    "aes-128-gcm": (_aes_gcm, 4),
    "sha-256": (_hash("sha2", "sha256"), 4),
    "sha-512": (_hash("sha2", "sha512"), 8),
    "sha3-256": (_hash("keccak", "sha3_256"), 17),
    "chacha20": (_chacha20, 4),
    "chacha20-poly1305": (_chacha20_poly1305, 4),
}
"""Kinds of jobs, and after how many beats of 16 bytes everything repeats."""


def make(kind: str) -> tuple[Job, bytes, int]:
    """Return a job of a kind with random content, what it must give, and its period in beats."""
    maker, period = KINDS[kind]
    return *maker(random.Random(1), SIZE), period
