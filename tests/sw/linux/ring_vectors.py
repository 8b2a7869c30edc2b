"""Vectors for the tile's algorithms by the references of ``cryptile.jobs.oracle``."""

import random

from support.tile_vectors import Vector

from cryptile.catalog import algorithms_on
from cryptile.catalog.schema import Algorithm
from cryptile.jobs.oracle import aes, ascon, chacha20poly1305, keccak, sha2

SYSTEM = "tile"
_NONCES = {"stream": 16, "ccm": 12, "aead": 12, "gcm": 12, "aead16": 16, "cbc": 16, "ctr": 16,
           "xts": 16}  # fmt: skip
_TAKES_AAD = ("gcm", "ccm", "aead", "aead16")
_CUSTOM = ("cshake", "kmac", "cxof")


def vectors(seed: int, most: int) -> list[Vector]:
    """Return a vector of up to so many bytes for each algorithm, and for NOP and COPY."""
    rng = random.Random(seed)
    text = rng.randbytes(most)
    found = [Vector("nop"), Vector("copy", text=text, out=text)]
    return found + [_vector(rng, alg, most) for alg in algorithms_on(SYSTEM).values()]


def _vector(rng: random.Random, alg: Algorithm, most: int) -> Vector:
    size = rng.randint(16, most)
    if alg.form in ("ecb", "cbc"):
        size -= size % 16
    key = rng.randbytes(alg.key or (rng.randint(1, 64) if alg.form in ("hmac", "kmac") else 0))
    iv = rng.randbytes(_NONCES.get(alg.form, 0))
    aad = rng.randbytes(rng.randint(0, 40)) if alg.form in _TAKES_AAD + _CUSTOM else b""
    text = rng.randbytes(size)
    out, tag = _answer(alg, key, iv, aad, text)
    return Vector(alg.name, key, iv, aad, text, out, tag)


def _answer(alg: Algorithm, key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Return what comes out, and the tag, digest or code."""
    number, full = alg.mode.number, alg.mode.tag or 0
    if alg.engine == "aes_modes":
        return aes.crypt(number, key, iv, text, aad)
    if alg.engine == "sha2":
        known = alg.form == "hmac"
        return b"", sha2.digest(number - (sha2.HMAC if known else 0), text, key if known else None)
    if alg.engine == "keccak":
        if alg.form in _CUSTOM:
            name = b"KMAC" if alg.form == "kmac" else b""
            if not name and not aad:
                number -= keccak.CSHAKE128 - keccak.SHAKE128
            aad = keccak.names(name, aad)
        return b"", keccak.digest(number, text, full, aad, key)
    if alg.engine == "chacha20poly1305":
        return chacha20poly1305.crypt(number, key, iv, text, aad)
    if alg.form == "aead16":
        return ascon.aead128(key, iv, aad, text)
    return b"", ascon.end(number, ascon.begin(number, aad=aad), text, full)[1]
