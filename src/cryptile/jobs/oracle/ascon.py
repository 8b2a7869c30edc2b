"""Ascon as NIST SP 800-232 writes it, in Python."""

from collections.abc import Iterable

from cryptile.catalog import engines

_MODES = engines()["ascon"].modes.values()
AEAD128, HASH256, XOF128, CXOF128 = (item.number for item in _MODES)

RATE = {item.number: item.block for item in _MODES}
"""Bytes per block, by mode."""

FULL = {item.number: item.tag or 0 for item in _MODES}
"""Bytes of tag or output when a job does not say, by mode."""

_INITIAL = {
    AEAD128: 0x00001000808C0001,
    HASH256: 0x0000080100CC0002,
    XOF128: 0x0000080000CC0003,
    CXOF128: 0x0000080000CC0004,
}

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


def _add(state: State, block: bytes) -> None:
    for at, word in enumerate(words(block)):
        state[at] ^= word


def _absorb(state: State, data: bytes, rate: int, rounds: int) -> State:
    """Absorb data with its padding."""
    data += b"\x01" + bytes(-(len(data) + 1) % rate)
    for at in range(0, len(data), rate):
        _add(state, data[at : at + rate])
        state = permute(state, rounds)
    return state


def begin(mode: int, key: bytes = b"", nonce: bytes = b"", aad: bytes = b"") -> State:
    """Return the state in front of the message; of CXOF128 ``aad`` is the customization string."""
    if mode != AEAD128:
        state = permute([_INITIAL[mode], 0, 0, 0, 0], 12)
        if mode == CXOF128:
            _add(state, (8 * len(aad)).to_bytes(8, "little"))
            state = _absorb(permute(state, 12), aad, RATE[mode], 12)
        return state
    k = words(key)
    state = permute([_INITIAL[mode], *k, *words(nonce)], 12)
    state[3], state[4] = state[3] ^ k[0], state[4] ^ k[1]
    if aad:
        state = _absorb(state, aad, RATE[mode], 8)
    state[4] ^= 1 << 63
    return state


def _mix(state: State, block: bytes, decrypt: bool) -> bytes:
    """Add a block of the message; return what of it leaves."""
    out = bytes(a ^ b for a, b in zip(block, to_bytes(state[:2]), strict=False))
    _add(state, out if decrypt else block)
    return out


def update(mode: int, state: State, data: bytes, decrypt: bool = False) -> tuple[State, bytes]:
    """Return the state behind whole blocks of a message, and what of them leaves."""
    state, out = list(state), b""
    for at in range(0, len(data), RATE[mode]):
        out += _mix(state, data[at : at + RATE[mode]], decrypt)
        state = permute(state, 8 if mode == AEAD128 else 12)
    return state, out if mode == AEAD128 else b""


def end(
    mode: int, state: State, data: bytes, size: int, key: bytes = b"", decrypt: bool = False
) -> tuple[bytes, bytes]:
    """Return what leaves of the rest of a message, and ``size`` bytes of tag or digest."""
    whole = len(data) // RATE[mode] * RATE[mode]
    state, out = update(mode, state, data[:whole], decrypt)
    text = _mix(state, data[whole:], decrypt)
    _add(state, bytes(len(data) - whole) + b"\x01")
    if mode == AEAD128:
        k = words(key)
        state[2], state[3] = state[2] ^ k[0], state[3] ^ k[1]
        state = permute(state, 12)
        return out + text, to_bytes(a ^ b for a, b in zip(state[3:], k, strict=True))[:size]
    digest = b""
    while len(digest) < size:
        state = permute(state, 12)
        digest += to_bytes(state[:1])
    return b"", digest[:size]


def aead128(
    key: bytes, nonce: bytes, aad: bytes, text: bytes, decrypt: bool = False
) -> tuple[bytes, bytes]:
    """Return the text encrypted or decrypted, and its tag (section 4)."""
    return end(AEAD128, begin(AEAD128, key, nonce, aad), text, 16, key, decrypt)


def hash256(message: bytes) -> bytes:
    """Return Ascon-Hash256 (section 5.1)."""
    return end(HASH256, begin(HASH256), message, 32)[1]


def xof128(message: bytes, length: int) -> bytes:
    """Return Ascon-XOF128 (section 5.2)."""
    return end(XOF128, begin(XOF128), message, length)[1]


def cxof128(message: bytes, length: int, custom: bytes) -> bytes:
    """Return Ascon-CXOF128 (section 5.3)."""
    return end(CXOF128, begin(CXOF128, aad=custom), message, length)[1]


def to_context(state: State) -> bytes:
    """Return the saved context of an engine."""
    return to_bytes(state) + bytes(8)


def from_context(context: bytes) -> State:
    """Return the state in a saved context."""
    return words(context[:40])
