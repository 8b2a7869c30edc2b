"""Messages of the AES engine of all modes in parts: what each gives, and the contexts between.

From the standards' text, as no library shows a message half done. Contexts are those of the engine
(rtl/engine/aes_modes/README.md).
"""

from itertools import accumulate, repeat

from cryptile.jobs.oracle.aes import CBC, ECB, counter_stream, crypt, encrypt_block, ghash, step32
from cryptile.jobs.port import BLOCK

_COUNTED = 2**36
"""GCM's bytes are counted up to here."""


def gcm(
    key: bytes, context: bytes, data: bytes, aad: bytes, *, decrypt: bool, ends: bool
) -> tuple[bytes, bytes]:
    """Return message, and tag or context, of a part of a message in GCM."""
    counter, value, mask = context[:16], context[16:32], context[48:64]
    sizes = [int.from_bytes(context[at : at + 8], "little") for at in (32, 40)]
    blocks = -(-len(data) // BLOCK)
    *counters, after = accumulate(
        repeat(None, blocks), lambda last, _: step32(last), initial=counter
    )
    stream, _ = crypt(ECB, key, b"", b"".join(counters))
    out = bytes(a ^ b for a, b in zip(data, stream, strict=False))
    value = ghash(key, _padded(aad) + _padded(data if decrypt else out), value)
    sizes = [(size + len(part)) % _COUNTED for size, part in zip(sizes, (aad, data), strict=True)]
    if not ends:
        lengths = b"".join(size.to_bytes(8, "little") for size in sizes)
        return out, after + value + lengths + mask + bytes(BLOCK)
    value = ghash(key, b"".join((8 * size).to_bytes(8, "big") for size in sizes), value)
    return out, _xor(value, mask)


def gcm_begin(key: bytes, iv: bytes) -> bytes:
    """Return the context before a message in GCM."""
    first = iv + bytes([0, 0, 0, 1])
    if len(iv) != 12:
        first = ghash(key, _padded(iv) + bytes(8) + (8 * len(iv)).to_bytes(8, "big"))
    return step32(first) + bytes(2 * BLOCK) + encrypt_block(key, first) + bytes(BLOCK)


def ccm(
    key: bytes, context: bytes, data: bytes, *, decrypt: bool, ends: bool
) -> tuple[bytes, bytes]:
    """Return message, and tag or context, of a part of a message in CCM."""
    counter, mac = context[:16], context[16:]
    out = counter_stream(key, counter, data)
    mac = _cbc_mac(key, mac, _padded(out if decrypt else data))
    if ends:
        return out, _xor(mac, encrypt_block(key, _counted(counter, 0)))
    after = int.from_bytes(counter, "big") + len(data) // BLOCK
    return out, (after % 2**128).to_bytes(BLOCK, "big") + mac


def ccm_begin(key: bytes, iv: bytes, aad: bytes, tag_len: int) -> bytes:
    """Return the context behind the associated data, of fewer than 65,280 bytes."""
    flags = iv[0] | (tag_len - 2) // 2 << 3 | bool(aad) << 6
    head = len(aad).to_bytes(2, "big") + aad if aad else b""
    return _counted(iv, 1) + _cbc_mac(key, bytes(BLOCK), bytes([flags]) + iv[1:] + _padded(head))


def cmac(key: bytes, mac: bytes, data: bytes, *, ends: bool) -> bytes:
    """Return tag or context of a part of a message in CMAC."""
    if not ends:
        return _cbc_mac(key, mac, data)
    subkey = _cmac_double(encrypt_block(key, bytes(BLOCK)))
    at = max(len(data) - 1, 0) // BLOCK * BLOCK
    last = data[at:]
    if len(last) < BLOCK:
        subkey, last = _cmac_double(subkey), (last + b"\x80").ljust(BLOCK, b"\0")
    return _cbc_mac(key, mac, data[:at] + _xor(last, subkey))


def xts(key: bytes, tweak: bytes, data: bytes, *, decrypt: bool) -> tuple[bytes, bytes]:
    """Return message and next tweak of a part of a message in XTS, by its first block's tweak."""

    def turn(block: bytes, by: bytes) -> bytes:
        return _xor(crypt(ECB, key, b"", _xor(block, by), decrypt=decrypt)[0], by)

    whole = [data[at : at + BLOCK] for at in range(0, len(data) - len(data) % BLOCK, BLOCK)]
    tweaks = list(accumulate(repeat(None, len(whole)), lambda t, _: _xts_double(t), initial=tweak))
    rest = data[BLOCK * len(whole) :]
    if not rest:
        return b"".join(map(turn, whole, tweaks)), tweaks[-1]
    # Ciphertext stealing; decryption takes the last two tweaks the other way round.
    *most, last = whole
    first, second = tweaks[-2:]
    if decrypt:
        first, second = second, first
    stolen = turn(last, first)
    end = turn(rest + stolen[len(rest) :], second)
    return b"".join(map(turn, most, tweaks)) + end + stolen[: len(rest)], b""


def _cbc_mac(key: bytes, mac: bytes, data: bytes) -> bytes:
    return (mac + crypt(CBC, key, mac, data)[0])[-BLOCK:]


def _counted(iv: bytes, number: int) -> bytes:
    """Return counter block ``number`` of CCM."""
    width = (iv[0] & 7) + 1
    return iv[:-width] + number.to_bytes(width, "big")


def _cmac_double(block: bytes) -> bytes:
    value = int.from_bytes(block, "big") << 1
    return (value ^ (0x87 | 1 << 128 if value >> 128 else 0)).to_bytes(BLOCK, "big")


def _xts_double(block: bytes) -> bytes:
    return _cmac_double(block[::-1])[::-1]


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % BLOCK)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))
