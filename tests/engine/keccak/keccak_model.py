"""What the engine makes of its jobs: the functions by mode, and a job's begin and end."""

import hashlib

from support.keccak import absorb, bytepad, encode_string, right_encode, squeeze

SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE128, SHAKE256 = range(6)
CSHAKE128, CSHAKE256, KMAC128, KMAC256, KMACXOF128, KMACXOF256 = range(6, 12)

RATE = [144, 136, 104, 72] + [168, 136] * 4
"""Bytes per block, by mode."""

FULL = [28, 32, 48, 64] + [32, 64] * 4
"""Bytes of output when a job does not say, by mode."""


def names(name: bytes, custom: bytes) -> bytes:
    """The associated data that a caller makes."""
    return encode_string(name) + encode_string(custom)


def head(mode: int, aad: bytes, key: bytes) -> bytes:
    """What is absorbed before the message."""
    if mode < CSHAKE128:
        return b""
    blocks = bytepad(aad, RATE[mode])
    return blocks + bytepad(encode_string(key), RATE[mode]) if mode >= KMAC128 else blocks


def tail(mode: int, size: int, length: int) -> bytes:
    """What is absorbed behind a message of some length."""
    out = b""
    if mode >= KMAC128:
        out = right_encode(8 * size if mode < KMACXOF128 else 0)
    out += bytes([6 if mode < SHAKE128 else 0x1F if mode < CSHAKE128 else 4])
    out += bytes(-(length + len(out)) % RATE[mode])
    return out[:-1] + bytes([out[-1] | 0x80])


def digest(mode: int, data: bytes, size: int, aad: bytes = b"", key: bytes = b"") -> bytes:
    """One message as a whole."""
    if mode < SHAKE128:
        return hashlib.new(("sha3_224", "sha3_256", "sha3_384", "sha3_512")[mode], data).digest()[
            :size
        ]
    if mode < CSHAKE128:
        return (hashlib.shake_128, hashlib.shake_256)[mode - SHAKE128](data).digest(size)
    state = absorb(
        bytes(200), RATE[mode], head(mode, aad, key) + data + tail(mode, size, len(data))
    )
    return squeeze(state, RATE[mode], size)
