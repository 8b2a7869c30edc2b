"""X25519 (RFC 7748) and ECDH on P-256 (SP 800-56A Rev. 3, SP 800-186), on Python's integers."""

P25519 = 2**255 - 19

P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
B256 = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
N256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE256 = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

Point = tuple[int, int] | None
"""Affine coordinates; none: infinity."""


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


def on_p256(x: int, y: int) -> bool:
    """Return whether a point is on the curve, its coordinates reduced."""
    return x < P256 and y < P256 and (y * y - x**3 + 3 * x - B256) % P256 == 0


def add256(left: Point, right: Point) -> Point:
    """Return the sum of two points of P-256."""
    if left is None or right is None:
        return left or right
    (x1, y1), (x2, y2) = left, right
    if x1 == x2:
        if (y1 + y2) % P256 == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P256)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P256)
    x = (slope * slope - x1 - x2) % P256
    return x, (slope * (x1 - x) - y1) % P256


def multiply256(k: int, point: Point) -> Point:
    """Return the product of a scalar and a point of P-256."""
    product: Point = None
    for bit in bin(k)[2:]:
        product = add256(product, product)
        if bit == "1":
            product = add256(product, point)
    return product


def p256_ecdh(scalar: bytes, point: bytes) -> bytes | None:
    """Return the shared secret of a scalar and a point, x before y, all of them big-endian.

    None: the scalar is out of range, or it is no point of the curve.
    """
    k, x, y = (int.from_bytes(part, "big") for part in (scalar, point[:32], point[32:]))
    if not 0 < k < N256 or not on_p256(x, y):
        return None
    product = multiply256(k, (x, y))
    assert product
    return product[0].to_bytes(32, "big")
