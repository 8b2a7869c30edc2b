"""Paddings of RSA signatures (RFC 8017, 9), as far as others' vectors ask for them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa


def _function(name: str) -> hashes.HashAlgorithm:
    """Return a hash function by Wycheproof's name for it."""
    family, _, length = name.partition("-")
    between = "_" if family[-1].isdigit() else ""
    found = getattr(hashes, f"{family}{between}{length}".replace("/", "_"))()
    assert isinstance(found, hashes.HashAlgorithm)
    return found


def _hash(name: str, data: bytes) -> bytes:
    state = hashes.Hash(_function(name))
    state.update(data)
    return state.finalize()


@cache
def _signer(bits: int) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, bits)


def verified(group: Mapping[str, Any], encoded: bytes, message: bytes, bits: int) -> bool:
    """Whether what a signature's public operation gave is the message's, as a group pads it."""
    if group["type"] == "RsassaPssVerify":
        return _pss(group, encoded, message, bits)
    return encoded == padded(group["sha"], message, bits).to_bytes(len(encoded), "big")


def padded(function: str, message: bytes, bits: int) -> int:
    """Return what a signature of PKCS #1 v1.5 is made of (EMSA-PKCS1-v1_5, 9.2).

    It is what OpenSSL signs with a key of the same length, of which this is the public operation.
    """
    key = _signer(bits)
    signature = key.sign(message, padding.PKCS1v15(), _function(function))
    public = key.public_key().public_numbers()
    return pow(int.from_bytes(signature, "big"), public.e, public.n)


def _pss(group: Mapping[str, Any], encoded: bytes, message: bytes, bits: int) -> bool:
    """EMSA-PSS-VERIFY (9.1.2)."""
    function, salt = group["sha"], group["sLen"]
    digest = _hash(function, message)
    size = len(digest)
    masked, found, end = encoded[: -size - 1], encoded[-size - 1 : -1], encoded[-1]
    mask = _mgf1(group["mgfSha"], found, len(masked))
    data = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    above = int.from_bytes(encoded, "big") >> bits - 1
    data &= (1 << 8 * len(masked) - (8 * len(encoded) - bits + 1)) - 1
    block = data.to_bytes(len(masked), "big")
    front = block[: len(block) - salt]
    again = _hash(function, bytes(8) + digest + block[len(block) - salt :])
    return end == 0xBC and not above and front == bytes(len(front) - 1) + b"\1" and found == again


def _mgf1(function: str, seed: bytes, size: int) -> bytes:
    counts = range(-(-size // len(_hash(function, b""))))
    return b"".join(_hash(function, seed + n.to_bytes(4, "big")) for n in counts)[:size]
