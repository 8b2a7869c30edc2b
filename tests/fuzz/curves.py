"""P-256, X25519 and Ed25519 by the formulas of the standards, on integers, for the model."""

import hashlib
import hmac

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def _double(p):
    x, y, z = p
    if not y or not z:
        return 0, 1, 0
    s = 4 * x * y * y
    m = 3 * (x - z * z) * (x + z * z)
    x3 = (m * m - 2 * s) % P
    return x3, (m * (s - x3) - 8 * pow(y, 4, P)) % P, 2 * y * z % P


def _add(p, q):
    (x1, y1, z1), (x2, y2, z2) = p, q
    if not z1:
        return q
    if not z2:
        return p
    u1, u2 = x1 * z2 * z2 % P, x2 * z1 * z1 % P
    s1, s2 = y1 * z2**3 % P, y2 * z1**3 % P
    if u1 == u2:
        return _double(p) if s1 == s2 else (0, 1, 0)
    h, r = u2 - u1, s2 - s1
    x3 = (r * r - h**3 - 2 * u1 * h * h) % P
    return x3, (r * (u1 * h * h - x3) - s1 * h**3) % P, h * z1 * z2 % P


def multiply(k, point):
    """Return k times an affine point of P-256, or nothing for the neutral one."""
    sum_, term = (0, 1, 0), (*point, 1)
    while k:
        if k & 1:
            sum_ = _add(sum_, term)
        term = _double(term)
        k >>= 1
    return _affine(sum_)


def _affine(p):
    x, y, z = p
    if not z:
        return None
    i = pow(z, -1, P)
    return x * i * i % P, y * i * i * i % P


def p256_private(data):
    """Return a private key's number, or nothing if it is none."""
    d = int.from_bytes(data, "big")
    return d if 1 <= d < N else None


def p256_point(data):
    """Return the point of an uncompressed public key, or nothing if it is none."""
    x, y = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
    on_curve = x < P and y < P and (y * y - x**3 + 3 * x - B) % P == 0
    return (x, y) if data[0] == 4 and on_curve else None


def p256_public(data):
    x, y = multiply(p256_private(data), G)
    return b"\4" + x.to_bytes(32, "big") + y.to_bytes(32, "big")


def p256_ecdh(private, peer):
    return multiply(p256_private(private), p256_point(peer))[0].to_bytes(32, "big")


def _leftmost(digest):
    return int.from_bytes(digest[:32], "big")


def p256_sign(private, name, digest):
    """Deterministic ECDSA (RFC 6979)."""
    d = p256_private(private)
    reduced = (_leftmost(digest.rjust(32, b"\0") if len(digest) < 32 else digest) % N).to_bytes(32)
    size = hashlib.new(name).digest_size
    v, k = b"\1" * size, bytes(size)
    for mark in (b"\0", b"\1"):
        k = hmac.digest(k, v + mark + private + reduced, name)
        v = hmac.digest(k, v, name)
    while True:
        t = b""
        while len(t) < 32:
            v = hmac.digest(k, v, name)
            t += v
        nonce = _leftmost(t)
        if 1 <= nonce < N:
            r = multiply(nonce, G)[0] % N
            s = pow(nonce, -1, N) * (_leftmost(digest) + r * d) % N
            if r and s:
                return r.to_bytes(32, "big") + s.to_bytes(32, "big")
        k = hmac.digest(k, v + b"\0", name)
        v = hmac.digest(k, v, name)


def p256_verify(public, digest, signature):
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (1 <= r < N and 1 <= s < N):
        return False
    w = pow(s, -1, N)
    one = multiply(_leftmost(digest) * w % N, G)
    two = multiply(r * w % N, p256_point(public))
    both = _affine(_add((*one, 1) if one else (0, 1, 0), (*two, 1)))
    return both is not None and both[0] % N == r


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
