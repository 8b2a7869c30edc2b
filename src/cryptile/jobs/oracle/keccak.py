"""Keccak as FIPS 202 and NIST SP 800-185 write it, in Python."""

import hashlib

from cryptile.catalog import engines

_MODES = {item.number: (name, item) for name, item in engines()["keccak"].modes.items()}
(
    SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE128, SHAKE256,
    CSHAKE128, CSHAKE256, KMAC128, KMAC256, KMACXOF128, KMACXOF256,
) = _MODES  # fmt: skip

RATE = {number: item.block for number, (_, item) in _MODES.items()}
"""Bytes per block, by mode."""

FULL = {number: item.tag or 0 for number, (_, item) in _MODES.items()}
"""Bytes of output when a job does not say, by mode."""

MASK = (1 << 64) - 1


def _tables() -> tuple[list[int], list[int]]:
    """Round constants from the shift register, and rotations from the walk (FIPS 202, 3.2)."""
    register, constants = 1, []
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register = register << 1 ^ (register >> 7) * 0x171
        constants.append(constant)
    x, y, turns = 1, 0, [0] * 25
    for t in range(24):
        turns[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return constants, turns


CONSTANTS, TURNS = _tables()


def _turn(value: int, by: int) -> int:
    return (value << by | value >> (64 - by)) & MASK


def permute(state: bytes) -> bytes:
    """Keccak-f[1600]."""
    a = [int.from_bytes(state[8 * i : 8 * i + 8], "little") for i in range(25)]
    for constant in CONSTANTS:
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        d = [c[x - 1] ^ _turn(c[(x + 1) % 5], 1) for x in range(5)]
        b = [0] * 25
        for i in range(25):
            x, y = i % 5, i // 5
            b[y + 5 * ((2 * x + 3 * y) % 5)] = _turn(a[i] ^ d[x], TURNS[i])
        for i in range(25):
            row = i - i % 5
            a[i] = b[i] ^ (~b[row + (i + 1) % 5] & b[row + (i + 2) % 5] & MASK)
        a[0] ^= constant
    return b"".join(lane.to_bytes(8, "little") for lane in a)


def absorb(state: bytes, rate: int, data: bytes) -> bytes:
    """Absorb whole blocks."""
    assert len(data) % rate == 0
    for start in range(0, len(data), rate):
        block = data[start : start + rate]
        state = bytes(s ^ b for s, b in zip(state, block, strict=False)) + state[rate:]
        state = permute(state)
    return state


def squeeze(state: bytes, rate: int, size: int) -> bytes:
    """Return so many bytes of output."""
    out = state[:rate]
    while len(out) < size:
        state = permute(state)
        out += state[:rate]
    return out[:size]


def _big_endian(value: int) -> bytes:
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def left_encode(value: int) -> bytes:
    """Return a number with its length before it (SP 800-185, section 2.3.1)."""
    return bytes([len(_big_endian(value))]) + _big_endian(value)


def right_encode(value: int) -> bytes:
    """Return a number with its length behind it (SP 800-185, section 2.3.1)."""
    return _big_endian(value) + bytes([len(_big_endian(value))])


def encode_string(value: bytes) -> bytes:
    """Return a string with its length before it (SP 800-185, section 2.3.2)."""
    return left_encode(8 * len(value)) + value


def bytepad(data: bytes, rate: int) -> bytes:
    """Return bytes behind the rate, padded to whole blocks (SP 800-185, section 2.3.3)."""
    data = left_encode(rate) + data
    return data + bytes(-len(data) % rate)


def sponge(rate: int, suffix: int, message: bytes, length: int) -> bytes:
    """Return so many bytes from a sponge."""
    padded = bytearray(message + bytes([suffix]))
    padded += bytes(-len(padded) % rate)
    padded[-1] ^= 0x80
    return squeeze(absorb(bytes(200), rate, bytes(padded)), rate, length)


def cshake(rate: int, message: bytes, length: int, name: bytes, custom: bytes) -> bytes:
    """Return cSHAKE (SP 800-185, section 3)."""
    if not name and not custom:
        return sponge(rate, 0x1F, message, length)
    prefix = bytepad(encode_string(name) + encode_string(custom), rate)
    return sponge(rate, 0x04, prefix + message, length)


def kmac(
    rate: int, key: bytes, message: bytes, length: int, custom: bytes, xof: bool = False
) -> bytes:
    """Return KMAC or KMACXOF (SP 800-185, section 4)."""
    text = bytepad(encode_string(key), rate) + message + right_encode(0 if xof else 8 * length)
    return cshake(rate, text, length, b"KMAC", custom)


def names(name: bytes, custom: bytes) -> bytes:
    """Return the associated data that a caller makes."""
    return encode_string(name) + encode_string(custom)


def head(mode: int, aad: bytes, key: bytes) -> bytes:
    """Return what is absorbed before the message."""
    if mode < CSHAKE128:
        return b""
    blocks = bytepad(aad, RATE[mode])
    return blocks + bytepad(encode_string(key), RATE[mode]) if mode >= KMAC128 else blocks


def tail(mode: int, size: int, length: int) -> bytes:
    """Return what is absorbed behind a message of some length."""
    out = b""
    if mode >= KMAC128:
        out = right_encode(8 * size if mode < KMACXOF128 else 0)
    out += bytes([6 if mode < SHAKE128 else 0x1F if mode < CSHAKE128 else 4])
    out += bytes(-(length + len(out)) % RATE[mode])
    return out[:-1] + bytes([out[-1] | 0x80])


def digest(mode: int, data: bytes, size: int, aad: bytes = b"", key: bytes = b"") -> bytes:
    """Return so many bytes of output of a message as a whole."""
    if mode < SHAKE128:
        return hashlib.new(_MODES[mode][0], data).digest()[:size]
    if mode < CSHAKE128:
        return (hashlib.shake_128, hashlib.shake_256)[mode - SHAKE128](data).digest(size)
    whole = head(mode, aad, key) + data + tail(mode, size, len(data))
    return squeeze(absorb(bytes(200), RATE[mode], whole), RATE[mode], size)


def context(mode: int, data: bytes, aad: bytes = b"", key: bytes = b"") -> bytes:
    """Return the saved context behind whole blocks of a message."""
    return next_context(mode, bytes(200), head(mode, aad, key) + data)


def next_context(mode: int, before: bytes, data: bytes) -> bytes:
    """Return the saved context behind whole blocks that continue a context."""
    return absorb(before[:200], RATE[mode], data) + bytes(8)


def resumed(mode: int, before: bytes, data: bytes, size: int) -> bytes:
    """Return so many bytes of output of a message that continues a context."""
    state = absorb(before[:200], RATE[mode], data + tail(mode, size, len(data)))
    return squeeze(state, RATE[mode], size)
