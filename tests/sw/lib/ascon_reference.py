"""Ascon as NIST SP 800-232 writes it, in Python, for tests to compare with."""

_MASK = (1 << 64) - 1


def _rotate(x, n):
    return (x >> n | x << 64 - n) & _MASK


def permute(state, rounds):
    """Return the state after the last ``rounds`` of 12 rounds (section 3)."""
    s = list(state)
    for number in range(12 - rounds, 12):
        s[2] ^= 0xF0 - 15 * number
        # The S-box by table (section 3.3), bit by bit.
        columns = [_SBOX[sum((s[n] >> bit & 1) << (4 - n) for n in range(5))] for bit in range(64)]
        s = [sum((c >> (4 - n) & 1) << bit for bit, c in enumerate(columns)) for n in range(5)]
        turns = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
        s = [x ^ _rotate(x, a) ^ _rotate(x, b) for x, (a, b) in zip(s, turns, strict=True)]
    return s


_SBOX = bytes.fromhex("040b1f141a1509021b0508121d03061c1e13070e000d1118100c0119160a0f17")


def _words(data):
    return [int.from_bytes(data[n : n + 8], "little") for n in range(0, len(data), 8)]


def _blocks(data, rate):
    data += b"\x01" + bytes(-(len(data) + 1) % rate)
    return [data[n : n + rate] for n in range(0, len(data), rate)]


def aead128(key, nonce, aad, text, decrypt=False):
    """Return the text encrypted or decrypted, and its tag (section 4)."""
    k = _words(key)
    s = permute([0x00001000808C0001, *k, *_words(nonce)], 12)
    s[3], s[4] = s[3] ^ k[0], s[4] ^ k[1]
    for block in _blocks(aad, 16) if aad else []:
        s[:2] = (a ^ b for a, b in zip(s, _words(block), strict=False))
        s = permute(s, 8)
    s[4] ^= 1 << 63
    out = b""
    for at in range(0, len(text) + 1, 16):
        chunk = text[at : at + 16]
        stream = s[0].to_bytes(8, "little") + s[1].to_bytes(8, "little")
        mixed = bytes(a ^ b for a, b in zip(chunk, stream, strict=False))
        out += mixed
        plain = mixed if decrypt else chunk
        padded = plain if len(plain) == 16 else plain + b"\x01" + bytes(15 - len(plain))
        s[:2] = (a ^ b for a, b in zip(s, _words(padded), strict=False))
        if len(chunk) == 16:
            s = permute(s, 8)
    s[2], s[3] = s[2] ^ k[0], s[3] ^ k[1]
    s = permute(s, 12)
    return out, b"".join((a ^ b).to_bytes(8, "little") for a, b in zip(s[3:], k, strict=True))


def _sponge(initial, prefix, message, length):
    s = permute([initial, 0, 0, 0, 0], 12)
    for block in [*prefix, *_blocks(message, 8)]:
        s[0] ^= int.from_bytes(block, "little")
        s = permute(s, 12)
    out = b""
    while len(out) < length:
        out += s[0].to_bytes(8, "little")
        s = permute(s, 12)
    return out[:length]


def hash256(message):
    """Return Ascon-Hash256 (section 5.1)."""
    return _sponge(0x0000080100CC0002, [], message, 32)


def xof128(message, length):
    """Return Ascon-XOF128 (section 5.2)."""
    return _sponge(0x0000080000CC0003, [], message, length)


def cxof128(message, length, custom):
    """Return Ascon-CXOF128 (section 5.3)."""
    prefix = [(8 * len(custom)).to_bytes(8, "little"), *_blocks(custom, 8)]
    return _sponge(0x0000080000CC0004, prefix, message, length)
