"""X25519 and Ed25519 (RFC 7748, 8032), in Python."""

P25519 = 2**255 - 19


def x25519(scalar: bytes, point: bytes) -> bytes:
    """Return the product of a scalar and a coordinate (RFC 7748, section 5)."""
    k = int.from_bytes(scalar, "little") & (1 << 255) - 8 | 1 << 254
    x1 = int.from_bytes(point, "little") & (1 << 255) - 1
    x2, z2, x3, z3, p = 1, 0, x1, 1, P25519
    for bit in range(254, -1, -1):
        swap = k >> bit & 1
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        x3, z3 = (da + cb) ** 2 % p, x1 * (da - cb) ** 2 % p
        x2, z2 = aa * bb % p, (aa - bb) * (aa + 121665 * (aa - bb)) % p
        if swap:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return (x2 * pow(z2, -1, p) % p if z2 else 0).to_bytes(32, "little")


D25519 = -121665 * pow(121666, -1, P25519) % P25519
L25519 = 2**252 + 27742317777372353535851937790883648493
BASE25519 = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


Point25519 = tuple[int, int, int]
"""X, Y and Z, with x = X / Z and y = Y / Z."""


def add25519(left: Point25519, right: Point25519) -> Point25519:
    """Return the sum of two points of edwards25519."""
    (x1, y1, z1), (x2, y2, z2), p = left, right, P25519
    z, cross, both = z1 * z2 % p, (x1 * y2 + x2 * y1) % p, (y1 * y2 + x1 * x2) % p
    t = D25519 * x1 * x2 * y1 * y2 % p
    less, more = (z * z - t) % p, (z * z + t) % p
    return cross * z * less % p, both * z * more % p, less * more % p


def multiply25519(k: int, point: tuple[int, int]) -> Point25519:
    """Return the product of a scalar and a point of edwards25519."""
    product = 0, 1, 1
    for bit in bin(k)[2:]:
        product = add25519(product, product)
        if bit == "1":
            product = add25519(product, (*point, 1))
    return product


def encode25519(point: Point25519) -> bytes:
    """Return the 32 bytes of a point (RFC 8032, 5.1.2)."""
    x, y, z = point
    x, y = (value * pow(z, -1, P25519) % P25519 for value in (x, y))
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode25519(data: bytes) -> tuple[int, int] | None:
    """Return the point of 32 bytes (RFC 8032, 5.1.3), or None."""
    number, p = int.from_bytes(data, "little"), P25519
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D25519 * y * y + 1, -1, p) % p
    x = pow(square, (p + 3) // 8, p)
    if x * x % p != square:
        x = x * pow(2, (p - 1) // 4, p) % p
    if y >= p or x * x % p != square or (x == 0 and sign):
        return None
    return (x if x & 1 == sign else p - x), y


def ed25519_public(key: bytes) -> bytes:
    """Return the public key of the lower half of a seed's hash."""
    a = int.from_bytes(key, "little") & (1 << 254) - 8 | 1 << 254
    return encode25519(multiply25519(a, BASE25519))


def ed25519_commit(nonce: bytes) -> bytes:
    """Return R of a hash of 64 bytes."""
    return encode25519(multiply25519(int.from_bytes(nonce, "little") % L25519, BASE25519))


def ed25519_sign(message: bytes) -> bytes | None:
    """Return R and S of the key's scalar, two hashes and R, or None if R is another one."""
    k, r, h = (int.from_bytes(message[i:j], "little") for i, j in ((0, 32), (32, 96), (96, 160)))
    point = message[160:]
    if ed25519_commit(message[32:96]) != point:
        return None
    a = k & (1 << 254) - 8 | 1 << 254
    return point + ((r + h * a) % L25519).to_bytes(32, "little")


def ed25519_verify(message: bytes) -> bool:
    """Return whether a signature is valid: A, the hash of 64 bytes, R, S."""
    public, h = decode25519(message[:32]), int.from_bytes(message[32:96], "little")
    s = int.from_bytes(message[128:], "little")
    if public is None or s >= L25519:
        return False
    x, y, z = multiply25519(h % L25519, public)
    return encode25519(add25519(multiply25519(s, BASE25519), (-x, y, z))) == message[96:128]
