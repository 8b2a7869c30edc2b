"""The curves of the public-key engine, as its tests see them."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from cryptile.pka.builder import Image
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH576, Width
from cryptile.pka.machine import Machine
from cryptile.pka.programs.curve import P256, P384, P521, Curve, Point
from support import pka


@dataclass(frozen=True)
class OnCurve:
    """A curve with its names elsewhere, and its programs in the simulator."""

    curve: Curve
    openssl: ec.EllipticCurve
    nist: str
    width: Width
    """Its machine."""

    @property
    def name(self) -> str:
        """The curve's, with that of its machine if that is not the first one."""
        return next(name for name, at in (CURVES | FAST).items() if at == self)

    @property
    def n(self) -> int:
        return self.curve.n

    @property
    def p(self) -> int:
        return self.curve.p

    @property
    def bits(self) -> int:
        """Bits of a row."""
        return self.width.bits

    @property
    def length(self) -> int:
        """Bits of a number."""
        return self.curve.bits

    @property
    def size(self) -> int:
        """Bytes of a number."""
        return -(-self.length // 8)

    @property
    def most(self) -> int:
        """The largest number of a row."""
        return self.width.most

    @property
    def longest(self) -> int:
        """The largest hash."""
        return (1 << self.length) - 1

    @property
    def image(self) -> Image:
        return pka.image(self.width)

    def started(self, rows: dict[str, int], draws: Iterator[int]) -> Machine:
        return pka.started(rows, draws, self.width)

    def entry(self, name: str) -> int:
        return self.image.entries[f"{self.curve.name}_{name}"]

    def run(
        self, name: str, rows: dict[str, int], draws: Iterator[int] | None = None
    ) -> list[int] | None:
        """Return the rows of a result, or None if the program refused."""
        entry = f"{self.curve.name}_{name}"
        draws = iter(()) if draws is None else draws
        results, outcome = pka.run_all(entry, rows, draws, self.width)
        assert not (outcome.flag and any(results))
        return None if outcome.flag else results

    def seeded(self, seed: int, *first: int) -> Iterator[int]:
        """Give some rows and then random ones."""
        return pka.seeded(seed, *first, bits=self.bits)

    def public(self, secret: int) -> Point:
        """Return a multiple of the base point, by OpenSSL."""
        key = ec.derive_private_key(secret, self.openssl).public_key().public_numbers()
        return key.x, key.y

    def square(self, x: int) -> int:
        """Return the square of y."""
        return (x**3 - 3 * x + self.curve.b) % self.p

    def root(self, x: int) -> int | None:
        """Return a y of the curve; p is 3 modulo 4."""
        y = pow(self.square(x), (self.p + 1) // 4, self.p)
        return y if y * y % self.p == self.square(x) else None

    def leftmost(self, digest: bytes) -> int:
        """Return of a hash what ECDSA takes."""
        return int.from_bytes(digest, "big") >> max(8 * len(digest) - self.length, 0)

    def signed(self, d: int, e: int, k: int) -> tuple[int, int]:
        """Sign by big integers."""
        r = self.public(k)[0] % self.n
        return r, pow(k, -1, self.n) * (e + r * d) % self.n

    def right(self, d: int, e: int, r: int, s: int) -> bool:
        """Return whether a signature is right, from the private key."""
        if not (0 < r < self.n and 0 < s < self.n):
            return False
        point = self.public(pow(s, -1, self.n) * (e + r * d) % self.n)
        return point[0] % self.n == r


CURVES = {
    "p256": OnCurve(P256, ec.SECP256R1(), "P-256", WIDTH256),
    "p384": OnCurve(P384, ec.SECP384R1(), "P-384", WIDTH384),
    "p521": OnCurve(P521, ec.SECP521R1(), "P-521", WIDTH576),
}
FAST = {"p256-fast": OnCurve(P256, ec.SECP256R1(), "P-256", FAST256)}
"""P-256 on the machine with another multiplier, and with instructions for its programs."""

_fast = [pytest.param(at, id=name, marks=pytest.mark.soak) for name, at in FAST.items()]

each = pytest.mark.parametrize(
    "at", [*(pytest.param(at, id=name) for name, at in CURVES.items()), *_fast]
)
"""Runs a test for each curve; with the other multiplier in ``make soak`` alone."""

each_soaking = pytest.mark.parametrize(
    "at",
    [
        *(
            pytest.param(at, id=name, marks=[pytest.mark.soak] if name == "p521" else [])
            for name, at in CURVES.items()
        ),
        *_fast,
    ],
)
"""Likewise, and for P-521, which takes longest, in ``make soak`` alone, too."""

every = pytest.mark.parametrize("at", (CURVES | FAST).values(), ids=CURVES | FAST)
"""Runs a test for each curve and machine."""
