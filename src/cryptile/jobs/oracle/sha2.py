"""SHA-2 and HMAC, with the compression in Python for contexts, which ``hashlib`` does not show."""

import hashlib
import hmac
import math
from functools import cache, reduce

from cryptile.catalog import Key, engines

_MODES = engines()["sha2"].modes
NAMES = {item.number: name for name, item in _MODES.items() if item.key is Key.none}
"""The hashes by mode; as ``hashlib`` calls them."""

HMAC = 8
"""What a hash's mode is added to for its HMAC."""

_INNER = 0x36
"""The byte by which HMAC's inner key differs."""

_OUTER = 0x5C
"""The byte by which its outer key does."""


def digest_size(hash_mode: int) -> int:
    """Return the bytes of a digest."""
    return _MODES[NAMES[hash_mode]].tag or 0


def block_size(hash_mode: int) -> int:
    """Return the bytes of a block."""
    return _MODES[NAMES[hash_mode]].block


def digest(hash_mode: int, data: bytes, key: bytes | None = None) -> bytes:
    """Return the digest of a message, or with a key its HMAC."""
    if key is None:
        return hashlib.new(NAMES[hash_mode], data).digest()
    return hmac.digest(key, data, NAMES[hash_mode])


def context(hash_mode: int, data: bytes, key: bytes | None = None) -> bytes:
    """Return the saved context behind whole blocks, of a hash or of an HMAC."""
    block = b""
    if key is not None:
        block = bytes(byte ^ _INNER for byte in key.ljust(block_size(hash_mode), b"\0"))
    return _context(hash_mode, block + data)


@cache
def _primes(count: int) -> tuple[int, ...]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return tuple(found)


def _cube_root(number: int) -> int:
    root: int = 1 << -(-number.bit_length() // 3)
    while (better := (2 * root + number // root**2) // 3) < root:
        root = better
    return root


@cache
def _constants(bits: int) -> list[int]:
    mask = (1 << bits) - 1
    return [_cube_root(p << 3 * bits) & mask for p in _primes(80 if bits == 64 else 64)]


@cache
def initial(hash_mode: int) -> list[int]:
    """Return the initial value of a hash."""
    roots = [math.isqrt(p << 128) & 2**64 - 1 for p in _primes(16)]
    if hash_mode == 0:
        return [root & 2**32 - 1 for root in roots[8:]]
    if hash_mode == 1:
        return [root >> 32 for root in roots[:8]]
    if hash_mode in (2, 3):
        return roots[8:] if hash_mode == 2 else roots[:8]
    name = b"SHA-512/256" if hash_mode == 4 else b"SHA-512/224"
    block = name + b"\x80" + bytes(127 - len(name) - 2) + (8 * len(name)).to_bytes(2, "big")
    return compress([root ^ 0xA5A5A5A5A5A5A5A5 for root in roots[:8]], block, 64)


def compress(state: list[int], block: bytes, bits: int) -> list[int]:
    """Return the chaining value after one block of words of ``bits`` bits."""
    mask = (1 << bits) - 1
    wide = bits == 64
    size = bits // 8

    def mix(x: int, a: int, b: int, c: int, shift: bool = False) -> int:
        turned = [(x >> by | x << bits - by) & mask for by in (a, b, c)]
        return turned[0] ^ turned[1] ^ (x >> c if shift else turned[2])

    w = [int.from_bytes(block[i : i + size], "big") for i in range(0, 16 * size, size)]
    for t in range(16, 80 if wide else 64):
        low = mix(w[t - 15], *((1, 8, 7) if wide else (7, 18, 3)), shift=True)
        high = mix(w[t - 2], *((19, 61, 6) if wide else (17, 19, 10)), shift=True)
        w.append((w[t - 16] + low + w[t - 7] + high) & mask)
    a, b, c, d, e, f, g, h = state
    for word, constant in zip(w, _constants(bits), strict=True):
        one = h + mix(e, *((14, 18, 41) if wide else (6, 11, 25)))
        one += (e & f ^ ~e & g) + constant + word
        two = mix(a, *((28, 34, 39) if wide else (2, 13, 22))) + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = (one + two) & mask, a, b, c, (d + one) & mask, e, f, g
    after = (a, b, c, d, e, f, g, h)
    return [(old + new) & mask for old, new in zip(state, after, strict=True)]


def _context(hash_mode: int, data: bytes) -> bytes:
    """Return the saved context after whole blocks."""
    return _save(hash_mode, _compress_all(hash_mode, initial(hash_mode), data), len(data))


def _word(hash_mode: int) -> int:
    """Return the bits of a word."""
    return 32 if hash_mode < 2 else 64


def _compress_all(hash_mode: int, state: list[int], data: bytes) -> list[int]:
    """Return the chaining value after whole blocks."""
    size = block_size(hash_mode)
    assert len(data) % size == 0
    blocks = [data[i : i + size] for i in range(0, len(data), size)]
    return reduce(lambda value, block: compress(value, block, _word(hash_mode)), blocks, state)


_SAVED = (3, 7, 2, 6, 1, 5, 0, 4)
"""The words of a chaining value in the order of a saved context: pairs d h, c g, b f, a e."""


def _save(hash_mode: int, state: list[int], size: int) -> bytes:
    """Return the saved context of a chaining value behind so many bytes.

    Words of SHA-256 are in the upper halves of 64-bit words; all is little-endian.
    """
    words = [state[i] << 64 - _word(hash_mode) for i in _SAVED]
    return b"".join(word.to_bytes(8, "little") for word in [*words, size % 2**64, 0])


def _load(hash_mode: int, saved: bytes) -> tuple[list[int], int]:
    """Return chaining value and number of bytes of a saved context."""
    *words, size, _ = (int.from_bytes(saved[i : i + 8], "little") for i in range(0, 80, 8))
    return [words[_SAVED.index(i)] >> 64 - _word(hash_mode) for i in range(8)], size


def resumed(hash_mode: int, saved: bytes, data: bytes) -> bytes:
    """Return the saved context behind whole blocks that continue another context."""
    state, before = _load(hash_mode, saved)
    return _save(hash_mode, _compress_all(hash_mode, state, data), before + len(data))


def finished(hash_mode: int, saved: bytes, data: bytes, key: bytes | None = None) -> bytes:
    """Return the digest of a message that continues a context, or with a key its HMAC."""
    state, before = _load(hash_mode, saved)
    bits, size = _word(hash_mode), block_size(hash_mode)
    length = (8 * (before + len(data)) % 2 ** (2 * bits)).to_bytes(bits // 4, "big")
    padding = b"\x80" + bytes(-(len(data) + 1 + len(length)) % size) + length
    state = _compress_all(hash_mode, state, data + padding)
    inner = b"".join(word.to_bytes(bits // 8, "big") for word in state)[: digest_size(hash_mode)]
    if key is None:
        return inner
    return digest(hash_mode, bytes(byte ^ _OUTER for byte in key.ljust(size, b"\0")) + inner)
