"""ECDH and ECDSA on the curves of NIST with a = -3 (SP 800-56A, FIPS 186-5), in Python."""

from dataclasses import dataclass

Affine = tuple[int, int]
Point = Affine | None
"""Affine coordinates; none: infinity."""


@dataclass(frozen=True)
class NistCurve:
    """y^2 = x^3 - 3 x + b modulo p, with a base point of order n.

    Numbers are big-endian strings of ``size`` bytes, points x before y.
    """

    p: int
    b: int
    n: int
    base: Affine

    @property
    def size(self) -> int:
        """Bytes of a number."""
        return self.p.bit_length() // 8

    def numbers(self, text: bytes) -> list[int]:
        """Return the numbers of a string."""
        parts = range(0, len(text), self.size)
        return [int.from_bytes(text[at : at + self.size], "big") for at in parts]

    def text(self, *numbers: int) -> bytes:
        """Return the string of numbers."""
        return b"".join(number.to_bytes(self.size, "big") for number in numbers)

    def has(self, x: int, y: int) -> bool:
        """Return whether a point is on the curve, its coordinates reduced."""
        p = self.p
        return x < p and y < p and (y * y - x**3 + 3 * x - self.b) % p == 0

    def add(self, left: Point, right: Point) -> Point:
        """Return the sum of two points."""
        if left is None or right is None:
            return left or right
        (x1, y1), (x2, y2), p = left, right, self.p
        if x1 == x2:
            if (y1 + y2) % p == 0:
                return None
            slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        return x, (slope * (x1 - x) - y1) % p

    def multiply(self, k: int, point: Point) -> Point:
        """Return the product of a scalar and a point."""
        product: Point = None
        for bit in bin(k)[2:]:
            product = self.add(product, product)
            if bit == "1":
                product = self.add(product, point)
        return product

    def multiple(self, k: int) -> Affine:
        """Return a multiple of the base point that is not infinity."""
        point = self.multiply(k, self.base)
        assert point
        return point

    def ecdh(self, scalar: bytes, point: bytes) -> bytes | None:
        """Return the shared secret of a scalar and a point.

        None: the scalar is out of range, or it is no point of the curve.
        """
        k, x, y = self.numbers(scalar + point)
        if not 0 < k < self.n or not self.has(x, y):
            return None
        product = self.multiply(k, (x, y))
        assert product
        return self.text(product[0])

    def public(self, key: bytes) -> bytes | None:
        """Return the public key, or None: the private one is out of range."""
        (d,) = self.numbers(key)
        return self.text(*self.multiple(d)) if 0 < d < self.n else None

    def verify(self, message: bytes) -> bool:
        """Return whether a signature is valid: of x, y, the hash, r and s."""
        (x, y, e, r, s), n = self.numbers(message), self.n
        if not (self.has(x, y) and 0 < r < n and 0 < s < n):
            return False
        w = pow(s, -1, n)
        both = self.add(self.multiply(e * w % n, self.base), self.multiply(r * w % n, (x, y)))
        return both is not None and both[0] % n == r

    def signed(self, key: bytes, digest: bytes, k: int) -> bytes:
        """Return r and s, made with the nonce k."""
        (d, e), n = self.numbers(key + digest), self.n
        r = self.multiple(k)[0] % n
        return self.text(r, pow(k, -1, n) * (e + r * d) % n)


P256 = NistCurve(
    p=2**256 - 2**224 + 2**192 + 2**96 - 1,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    base=(
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
)

P384 = NistCurve(
    p=2**384 - 2**128 - 2**96 + 2**32 - 1,
    b=int(
        "B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE814112"
        "0314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF",
        16,
    ),
    n=int(
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
        "C7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973",
        16,
    ),
    base=(
        int(
            "AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B98"
            "59F741E082542A385502F25DBF55296C3A545E3872760AB7",
            16,
        ),
        int(
            "3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147C"
            "E9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F",
            16,
        ),
    ),
)
