"""ECDSA when a nonce is out of range: RFC 6979, section 3.2, step h.3.

On P-256 that happens once in 2^32 signatures, on the other curves never; here a hash function gives
what makes such a nonce.
"""

import ctypes
import hashlib
import hmac
from collections.abc import Collection
from ctypes import CFUNCTYPE, c_char_p, c_uint8, c_uint16, c_void_p

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from native_lib import OK, lib

CURVES = {
    "p256": (
        ec.SECP256R1(),
        "sha256",
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    ),
    "p384": (
        ec.SECP384R1(),
        "sha384",
        2**384 - 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D,
    ),
    "p521": (
        ec.SECP521R1(),
        "sha512",
        2**521 - 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7,
    ),
}
"""The curve, a hash function, and the order."""


FINAL = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)


class Hash(ctypes.Structure):
    """cryptile_hash_alg_t."""

    _fields_ = [
        ("name", c_char_p),
        ("digest_size", c_uint8),
        ("block_size", c_uint8),
        ("stack", c_uint16),
        ("init", c_void_p),
        ("update", c_void_p),
        ("final", c_void_p),
        ("initial", c_void_p),
        ("blocks", c_void_p),
        ("oid", c_uint8),
    ]


def forging(name: str, forged: Collection[int], value: bytes) -> Hash:
    """Return a hash function of which the digests with these numbers, from 1 on, are a value."""
    made = Hash.from_buffer_copy(Hash.in_dll(lib, f"cryptile_{name}"))
    final, count = FINAL(made.final), 0

    def forge(alg: int, state: int, digest: int) -> None:
        nonlocal count
        final(alg, state, digest)
        count += 1
        if count in forged:
            ctypes.memmove(digest, value * made.digest_size, made.digest_size)

    made.forge = FINAL(forge)  # lives as long
    made.final = ctypes.cast(made.forge, c_void_p)
    return made


def signature(kind: str, private: int, digest: bytes, bad: int, value: bytes) -> bytes:
    """Sign as RFC 6979 says it; the first ``bad`` nonces begin with a value."""
    curve, name, n = CURVES[kind]
    bits = curve.key_size
    size = (bits + 7) // 8
    number = int.from_bytes(digest, "big") >> max(0, 8 * len(digest) - bits)
    seed = private.to_bytes(size, "big") + (number % n).to_bytes(size, "big")
    key, v = bytes(len(digest)), b"\1" * len(digest)
    for tag in (b"\0", b"\1"):
        key = hmac.digest(key, v + tag + seed, name)
        v = hmac.digest(key, v, name)
    while True:
        candidate = b""
        while len(candidate) < size:
            v = hmac.digest(key, v, name)
            if bad and not candidate:
                v = value * len(digest)
            candidate += v
        nonce = int.from_bytes(candidate[:size], "big") >> 8 * size - bits
        if not bad:
            break
        assert not 0 < nonce < n
        bad -= 1
        key = hmac.digest(key, v + b"\0", name)
        v = hmac.digest(key, v, name)
    r = ec.derive_private_key(nonce, curve).public_key().public_numbers().x % n
    s = pow(nonce, -1, n) * (number + r * private) % n
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


@pytest.mark.parametrize(
    ("kind", "value"), [*((kind, b"\xff") for kind in CURVES), ("p256", b"\0")]
)
@pytest.mark.parametrize("bad", [0, 1, 2])
def test_nonces_out_of_range(kind: str, value: bytes, bad: int) -> None:
    curve, name, n = CURVES[kind]
    size = (curve.key_size + 7) // 8
    private, digest = int("123456789" * 8, 16) % n, hashlib.new(name, b"text").digest()
    in_a_draw = 2 * -(-size // len(digest))  # digests: two for each HMAC
    forged = [10 + again * (4 + in_a_draw) for again in range(bad)]
    made, out = forging(name, forged, value), ctypes.create_string_buffer(2 * size)
    sign = getattr(lib, f"cryptile_{kind}_sign")
    assert sign(out, private.to_bytes(size, "big"), ctypes.byref(made), digest) == OK
    assert out.raw == signature(kind, private, digest, bad, value)
