"""The curves of NIST, X25519 and Ed25519 by the formulas of the standards, on integers."""

import hashlib
import hmac


class Curve:
    """A curve y^2 = x^3 - 3 x + b over a prime field, of prime order n."""

    def __init__(self, p, n, b, generator):
        self.p, self.n, self.b, self.generator = p, n, b, generator
        self.bits = n.bit_length()
        self.size = (self.bits + 7) // 8

    def _double(self, point):
        x, y, z = point
        if not y or not z:
            return 0, 1, 0
        s = 4 * x * y * y
        m = 3 * (x - z * z) * (x + z * z)
        x3 = (m * m - 2 * s) % self.p
        return x3, (m * (s - x3) - 8 * pow(y, 4, self.p)) % self.p, 2 * y * z % self.p

    def _add(self, left, right):
        (x1, y1, z1), (x2, y2, z2) = left, right
        if not z1:
            return right
        if not z2:
            return left
        p = self.p
        u1, u2 = x1 * z2 * z2 % p, x2 * z1 * z1 % p
        s1, s2 = y1 * z2**3 % p, y2 * z1**3 % p
        if u1 == u2:
            return self._double(left) if s1 == s2 else (0, 1, 0)
        h, r = u2 - u1, s2 - s1
        x3 = (r * r - h**3 - 2 * u1 * h * h) % p
        return x3, (r * (u1 * h * h - x3) - s1 * h**3) % p, h * z1 * z2 % p

    def multiply(self, k, point):
        """Return k times an affine point, or nothing for the neutral one."""
        sum_, term = (0, 1, 0), (*point, 1)
        while k:
            if k & 1:
                sum_ = self._add(sum_, term)
            term = self._double(term)
            k >>= 1
        return self._affine(sum_)

    def _affine(self, point):
        x, y, z = point
        if not z:
            return None
        i = pow(z, -1, self.p)
        return x * i * i % self.p, y * i * i * i % self.p

    def _bytes(self, number):
        return number.to_bytes(self.size, "big")

    def private(self, data):
        """Return a private key's number, or nothing if it is none."""
        d = int.from_bytes(data, "big")
        return d if 1 <= d < self.n else None

    def point(self, data):
        """Return the point of an uncompressed public key, or nothing if it is none."""
        x, y = (int.from_bytes(part, "big") for part in self._halves(data[1:]))
        on_curve = x < self.p and y < self.p and (y * y - x**3 + 3 * x - self.b) % self.p == 0
        return (x, y) if data[0] == 4 and on_curve else None

    def _halves(self, data):
        return data[: self.size], data[self.size :]

    def public(self, data):
        return b"\4" + b"".join(map(self._bytes, self.multiply(self.private(data), self.generator)))

    def ecdh(self, private, peer):
        return self._bytes(self.multiply(self.private(private), self.point(peer))[0])

    def _leftmost(self, data):
        return int.from_bytes(data, "big") >> max(0, 8 * len(data) - self.bits)

    def sign(self, private, name, digest):
        """Deterministic ECDSA (RFC 6979)."""
        n, d = self.n, self.private(private)
        reduced = self._bytes(self._leftmost(digest) % n)
        size = hashlib.new(name).digest_size
        v, k = b"\1" * size, bytes(size)
        for mark in (b"\0", b"\1"):
            k = hmac.digest(k, v + mark + private + reduced, name)
            v = hmac.digest(k, v, name)
        while True:
            t = b""
            while 8 * len(t) < self.bits:
                v = hmac.digest(k, v, name)
                t += v
            nonce = self._leftmost(t)
            if 1 <= nonce < n:
                r = self.multiply(nonce, self.generator)[0] % n
                s = pow(nonce, -1, n) * (self._leftmost(digest) + r * d) % n
                if r and s:
                    return self._bytes(r) + self._bytes(s)
            k = hmac.digest(k, v + b"\0", name)
            v = hmac.digest(k, v, name)

    def verify(self, public, digest, signature):
        n = self.n
        r, s = (int.from_bytes(part, "big") for part in self._halves(signature))
        if not (1 <= r < n and 1 <= s < n):
            return False
        w = pow(s, -1, n)
        one = self.multiply(self._leftmost(digest) * w % n, self.generator)
        two = self.multiply(r * w % n, self.point(public))
        both = self._affine(self._add((*one, 1) if one else (0, 1, 0), (*two, 1)))
        return both is not None and both[0] % n == r


P256 = Curve(
    2**256 - 2**224 + 2**192 + 2**96 - 1,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    (
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
)
P384 = Curve(
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    2**384 - 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D,
    int(
        "B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875A"
        "C656398D8A2ED19D2A85C8EDD3EC2AEF",
        16,
    ),
    (
        int(
            "AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A38"
            "5502F25DBF55296C3A545E3872760AB7",
            16,
        ),
        int(
            "3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C0"
            "0A60B1CE1D7E819D7A431D7C90EA0E5F",
            16,
        ),
    ),
)
P521 = Curve(
    2**521 - 1,
    2**521 - 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7,
    int(
        "0051953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF1"
        "09E156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B50"
        "3F00",
        16,
    ),
    (
        int(
            "00C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D"
            "3DBAA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5"
            "BD66",
            16,
        ),
        int(
            "011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E"
            "662C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD1"
            "6650",
            16,
        ),
    ),
)

Q = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q
_ROOT = pow(2, (Q - 1) // 4, Q)


def x25519(secret, peer):
    k = int.from_bytes(secret, "little") & ~7 & (1 << 255) - 1 | 1 << 254
    u = int.from_bytes(peer, "little") % 2**255
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb = d * a, c * b
        x3, z3 = (da + cb) ** 2 % Q, u * (da - cb) ** 2 % Q
        aa, bb = a * a % Q, b * b % Q
        e = aa - bb
        x2, z2 = aa * bb % Q, e * (aa + 121665 * e) % Q
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, -1, Q) % Q if z2 else 0).to_bytes(32, "little")


def _edwards_add(p, q):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = p, q
    a, b = (y1 - x1) * (y2 - x2) % Q, (y1 + x1) * (y2 + x2) % Q
    c, d = 2 * D * t1 * t2 % Q, 2 * z1 * z2 % Q
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % Q, g * h % Q, f * g % Q, e * h % Q


def _edwards_multiply(k, point):
    sum_ = (0, 1, 1, 0)
    while k:
        if k & 1:
            sum_ = _edwards_add(sum_, point)
        point = _edwards_add(point, point)
        k >>= 1
    return sum_


def _encode(point):
    x, y, z, _ = point
    i = pow(z, -1, Q)
    return (y * i % Q | (x * i % Q & 1) << 255).to_bytes(32, "little")


def ed25519_point(data):
    """Decode a point (RFC 8032, 5.1.3), or return nothing if the encoding is none."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    if y >= Q:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    if x * x % Q != square:
        x = x * _ROOT % Q
    if x * x % Q != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = Q - x
    return x, y, 1, x * y % Q


_BASE = ed25519_point((4 * pow(5, -1, Q) % Q).to_bytes(32, "little"))


def _secret(seed):
    half = hashlib.sha512(seed).digest()
    return int.from_bytes(half[:32], "little") & ~7 & (1 << 255) - 1 | 1 << 254, half[32:]


def _scalar(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def ed25519_public(seed):
    return _encode(_edwards_multiply(_secret(seed)[0], _BASE))


def ed25519_sign(message, seed, public):
    a, prefix = _secret(seed)
    r = _scalar(prefix, message)
    commitment = _encode(_edwards_multiply(r, _BASE))
    s = (r + _scalar(commitment, public, message) * a) % L
    return commitment + s.to_bytes(32, "little")


def ed25519_verify(signature, message, public):
    point, s = ed25519_point(public), int.from_bytes(signature[32:], "little")
    if s >= L:
        return False
    x, y, z, t = point
    k = _scalar(signature[:32], public, message)
    found = _edwards_add(_edwards_multiply(s, _BASE), _edwards_multiply(k, (Q - x, y, z, Q - t)))
    return _encode(found) == signature[:32]
