"""RSA's primitives (RFC 8017, 5), and private keys that are sealed, in Python."""

from dataclasses import dataclass

from cryptile.jobs.oracle.ascon import aead128

E = 65537
"""The public exponent of private keys."""

ROW = 64
"""Bytes of a result that are not all zero, from any multiple of them on: else it is refused."""

SEAL = 16
"""Bytes of a nonce, of a tag, and of the key under which private keys are sealed."""


@dataclass(frozen=True)
class Rsa:
    """Keys with a modulus of so many bytes; numbers are big-endian strings, primes half as long."""

    size: int

    @property
    def half(self) -> int:
        """Bytes of a prime."""
        return self.size // 2

    def key(self, p: int, q: int) -> bytes:
        """Return the private key of two primes: n, p, q, d mod p - 1, d mod q - 1, 1 / q mod p."""
        exponents = (pow(E, -1, prime - 1) for prime in (p, q))
        parts = (p, q, *exponents, pow(q, -1, p))
        texts = [number.to_bytes(self.half, "big") for number in parts]
        return b"".join([(p * q).to_bytes(self.size, "big"), *texts])

    def sealed(self, key: bytes, under: bytes, nonce: bytes) -> bytes:
        """Return a private key sealed: nonce, n, the others under Ascon-AEAD128, tag."""
        modulus, secret = key[: self.size], key[self.size :]
        return b"".join([nonce, modulus, *aead128(under, nonce, self._bound(modulus), secret)])

    def opened(self, sealed: bytes, under: bytes) -> bytes | None:
        """Return the private key of a sealed one. None: the tag is wrong."""
        nonce, rest, tag = sealed[:SEAL], sealed[SEAL:-SEAL], sealed[-SEAL:]
        modulus, secret = rest[: self.size], rest[self.size :]
        plain, right = aead128(under, nonce, self._bound(modulus), secret, decrypt=True)
        return modulus + plain if tag == right else None

    def _bound(self, modulus: bytes) -> bytes:
        """Return the associated data of a sealed key."""
        return f"RSA-{8 * self.size}-private".encode() + modulus

    def private(self, message: bytes) -> bytes | None:
        """Return what a private key makes of the number behind it. None: no right result."""
        key, said = message[: -self.size], message[-self.size :]
        modulus, number = _number(key[: self.size]), _number(said)
        p, q, d_p, d_q, inverse = (
            _number(key[at : at + self.half]) for at in range(self.size, len(key), self.half)
        )
        if not (self._takes(modulus, number) and p and q):
            return None
        above = pow(number, d_q, q)
        found = above + q * ((pow(number, d_p, p) - above) * inverse % p)
        return self._given(found) if pow(found, E, modulus) == number else None

    def public(self, message: bytes) -> bytes | None:
        """Return the power of the number behind a modulus, and behind an exponent if one is there.

        None: it is refused.
        """
        modulus, number = _number(message[: self.size]), _number(message[-self.size :])
        given = message[self.size : -self.size]
        exponent = _number(given) if given else E
        if not self._takes(modulus, number) or exponent in (0, 1) or exponent % 2 == 0:
            return None
        return self._given(pow(number, exponent, modulus)) if exponent < 1 << 64 else None

    def _takes(self, modulus: int, number: int) -> bool:
        return modulus % 2 == 1 and modulus.bit_length() == 8 * self.size and number < modulus

    def _given(self, number: int) -> bytes | None:
        """Return a number, if none of its rows is zero."""
        text = number.to_bytes(self.size, "big")
        rows = (text[at : at + ROW] for at in range(0, self.size, ROW))
        return text if all(map(any, rows)) else None


def _number(text: bytes) -> int:
    return int.from_bytes(text, "big")
