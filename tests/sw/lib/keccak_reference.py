"""Keccak as FIPS 202 and NIST SP 800-185 write it, in Python, for tests to compare with."""

_MASK = (1 << 64) - 1


def _rotate(x, n):
    return (x << n | x >> 64 - n) & _MASK


def permute(state):
    """Return Keccak-f[1600] of 25 lanes."""
    a = {(x, y): state[x + 5 * y] for x in range(5) for y in range(5)}
    shift = 1
    for _ in range(24):
        c = [a[x, 0] ^ a[x, 1] ^ a[x, 2] ^ a[x, 3] ^ a[x, 4] for x in range(5)]
        a = {(x, y): w ^ c[x - 1] ^ _rotate(c[(x + 1) % 5], 1) for (x, y), w in a.items()}
        b, x, y = {(0, 0): a[0, 0]}, 1, 0
        for t in range(24):
            b[y, (2 * x + 3 * y) % 5] = _rotate(a[x, y], (t + 1) * (t + 2) // 2 % 64)
            x, y = y, (2 * x + 3 * y) % 5
        a = {(x, y): w ^ ~b[(x + 1) % 5, y] & b[(x + 2) % 5, y] for (x, y), w in b.items()}
        for power in range(7):
            a[0, 0] ^= (shift & 1) << 2**power - 1
            shift = shift << 1 ^ (0x171 if shift >> 7 else 0)
    return [a[x, y] for y in range(5) for x in range(5)]


def sponge(rate, suffix, message, length):
    """Return ``length`` bytes from a sponge."""
    padded = bytearray(message + bytes([suffix]))
    padded += bytes(-len(padded) % rate)
    padded[-1] ^= 0x80
    state, out = [0] * 25, b""
    for at in range(0, len(padded), rate):
        block = bytes(padded[at : at + rate]) + bytes(200 - rate)
        for lane in range(25):
            state[lane] ^= int.from_bytes(block[8 * lane : 8 * lane + 8], "little")
        state = permute(state)
    while len(out) < length:
        out += b"".join(lane.to_bytes(8, "little") for lane in state)[:rate]
        state = permute(state)
    return out[:length]


def _number(value):
    return value.to_bytes(max(1, -(-value.bit_length() // 8)), "big")


def _left(value):
    return bytes([len(_number(value))]) + _number(value)


def _string(text):
    return _left(8 * len(text)) + text


def _bytepad(text, rate):
    text = _left(rate) + text
    return text + bytes(-len(text) % rate)


def cshake(rate, message, length, name, custom):
    """Return cSHAKE (SP 800-185, section 3)."""
    if not name and not custom:
        return sponge(rate, 0x1F, message, length)
    prefix = _bytepad(_string(name) + _string(custom), rate)
    return sponge(rate, 0x04, prefix + message, length)


def kmac(rate, key, message, length, custom, xof=False):
    """Return KMAC or KMACXOF (SP 800-185, section 4)."""
    wanted = _number(0 if xof else 8 * length)
    text = _bytepad(_string(key), rate) + message + wanted + bytes([len(wanted)])
    return cshake(rate, text, length, b"KMAC", custom)
