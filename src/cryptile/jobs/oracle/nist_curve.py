"""ECDH and ECDSA on the curves of NIST with a = -3 (SP 800-56A, FIPS 186-5), in Python."""

from dataclasses import dataclass

from cryptile import nist_curves

Affine = tuple[int, int]
Point = Affine | None
"""Affine coordinates; none: infinity."""


@dataclass(frozen=True)
class NistCurve(nist_curves.Parameters):
    """A curve; numbers are big-endian strings of ``size`` bytes, points x before y.

    They are whole beats of the engine port: those of P-521 have zeros in front.
    """

    @property
    def size(self) -> int:
        """Bytes of a number."""
        return -(-self.p.bit_length() // 128) * 16

    @property
    def longer(self) -> bool:
        """Whether strings have more bits than n."""
        return 8 * self.size > self.n.bit_length()

    def leftmost(self, text: bytes) -> bytes:
        """Return as many of a string's first bits as n has, as a number."""
        return self.text(int.from_bytes(text, "big") >> 8 * len(text) - self.n.bit_length())

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
        point = self.multiply(k, self.g)
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
        if not (self.has(x, y) and 0 < r < n and 0 < s < n) or e >> n.bit_length():
            return False
        w = pow(s, -1, n)
        both = self.add(self.multiply(e * w % n, self.g), self.multiply(r * w % n, (x, y)))
        return both is not None and both[0] % n == r

    def signed(self, key: bytes, digest: bytes, k: int) -> bytes:
        """Return r and s, made with the nonce k."""
        (d, e), n = self.numbers(key + digest), self.n
        r = self.multiple(k)[0] % n
        return self.text(r, pow(k, -1, n) * (e + r * d) % n)


P256 = NistCurve(**vars(nist_curves.P256))
P384 = NistCurve(**vars(nist_curves.P384))
P521 = NistCurve(**vars(nist_curves.P521))
