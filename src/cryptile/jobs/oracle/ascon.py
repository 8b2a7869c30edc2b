"""Ascon as NIST SP 800-232 writes it, in Python."""

from collections.abc import Iterable

_MASK = (1 << 64) - 1

State = list[int]
"""Five words of 64 bits."""


def _rotate(x: int, n: int) -> int:
    return (x >> n | x << 64 - n) & _MASK


def permute(state: State, rounds: int) -> State:
    """Return the state after the last ``rounds`` of 12 rounds (section 3)."""
    a, b, c, d, e = state
    for number in range(12 - rounds, 12):
        c ^= 0xF0 - 15 * number
        # The S-box on all 64 columns at once (section 3.3).
        a, c, e = a ^ e, c ^ b, e ^ d
        a, b, c, d, e = a ^ ~b & c, b ^ ~c & d, c ^ ~d & e, d ^ ~e & a, e ^ ~a & b
        a, b, c, d = a ^ e, b ^ a, ~c & _MASK, d ^ c
        a ^= _rotate(a, 19) ^ _rotate(a, 28)
        b ^= _rotate(b, 61) ^ _rotate(b, 39)
        c ^= _rotate(c, 1) ^ _rotate(c, 6)
        d ^= _rotate(d, 10) ^ _rotate(d, 17)
        e ^= _rotate(e, 7) ^ _rotate(e, 41)
    return [a, b, c, d, e]


def words(data: bytes) -> State:
    """Return bytes as words."""
    return [int.from_bytes(data[n : n + 8], "little") for n in range(0, len(data), 8)]


def to_bytes(state: Iterable[int]) -> bytes:
    """Return words as bytes."""
    return b"".join(word.to_bytes(8, "little") for word in state)


def _blocks(data: bytes, rate: int) -> list[bytes]:
    data += b"\x01" + bytes(-(len(data) + 1) % rate)
    return [data[n : n + rate] for n in range(0, len(data), rate)]


def _add(state: State, block: bytes) -> None:
    for at, word in enumerate(words(block)):
        state[at] ^= word


def aead128(
    key: bytes, nonce: bytes, aad: bytes, text: bytes, decrypt: bool = False
) -> tuple[bytes, bytes]:
    """Return the text encrypted or decrypted, and its tag (section 4)."""
    k = words(key)
    s = permute([0x00001000808C0001, *k, *words(nonce)], 12)
    s[3], s[4] = s[3] ^ k[0], s[4] ^ k[1]
    for block in _blocks(aad, 16) if aad else []:
        _add(s, block)
        s = permute(s, 8)
    s[4] ^= 1 << 63
    out = b""
    for at in range(0, len(text) + 1, 16):
        chunk = text[at : at + 16]
        mixed = bytes(a ^ b for a, b in zip(chunk, to_bytes(s[:2]), strict=False))
        out += mixed
        plain = mixed if decrypt else chunk
        _add(s, plain if len(plain) == 16 else plain + b"\x01" + bytes(15 - len(plain)))
        if len(chunk) == 16:
            s = permute(s, 8)
    s[2], s[3] = s[2] ^ k[0], s[3] ^ k[1]
    s = permute(s, 12)
    return out, to_bytes(a ^ b for a, b in zip(s[3:], k, strict=True))


def _sponge(initial: int, prefix: list[bytes], message: bytes, length: int) -> bytes:
    s = permute([initial, 0, 0, 0, 0], 12)
    for block in [*prefix, *_blocks(message, 8)]:
        _add(s, block)
        s = permute(s, 12)
    out = b""
    while len(out) < length:
        out += to_bytes(s[:1])
        s = permute(s, 12)
    return out[:length]


def hash256(message: bytes) -> bytes:
    """Return Ascon-Hash256 (section 5.1)."""
    return _sponge(0x0000080100CC0002, [], message, 32)


def xof128(message: bytes, length: int) -> bytes:
    """Return Ascon-XOF128 (section 5.2)."""
    return _sponge(0x0000080000CC0003, [], message, length)


def cxof128(message: bytes, length: int, custom: bytes) -> bytes:
    """Return Ascon-CXOF128 (section 5.3)."""
    prefix = [(8 * len(custom)).to_bytes(8, "little"), *_blocks(custom, 8)]
    return _sponge(0x0000080000CC0004, prefix, message, length)
