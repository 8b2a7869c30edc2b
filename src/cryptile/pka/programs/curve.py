"""The curves y^2 = x^3 - 3 x + b of SP 800-186 that there are programs for."""

from dataclasses import dataclass

from cryptile import nist_curves
from cryptile.pka.isa import WIDTH256, WIDTH384, WIDTH576, Width
from cryptile.pka.programs.powers import Link

Point = tuple[int, int]


@dataclass(frozen=True)
class Curve(nist_curves.Parameters):
    """A curve, the machine that its numbers fit, and what programs choose for it.

    Attributes:
        name: begins the names of its programs.
        blind: bits of r in ECDH's scalar k + r n. It is 64, or more if n is so near to a power of
            two that these would leave bits of k as they are.
        columns, interleaved: of the base point's comb.
        inverse: from ``pz`` to ``t`` = pz^(p - 2), where that is made by squarings, beside which
            there is room for another inverse; row eN is a power to 2^N - 1.
    """

    name: str
    width: Width
    blind: int
    columns: int
    interleaved: bool
    inverse: tuple[Link, ...] = ()

    @property
    def r(self) -> int:
        """Montgomery's factor."""
        return 1 << self.width.bits

    @property
    def bits(self) -> int:
        """Bits of a scalar, and of a coordinate: fewer than a row's, or as many."""
        return self.n.bit_length()

    @property
    def powers(self) -> list[str]:
        """Rows of the powers that ``inverse`` keeps."""
        return sorted({d for _, _, _, d in self.inverse} - {"t"})


P256 = Curve(
    **vars(nist_curves.P256),
    name="p256",
    width=WIDTH256,
    blind=64,
    columns=26,
    interleaved=True,
    inverse=(
        (1, "pz", "pz", "e2"),
        (1, "e2", "pz", "t"),
        (3, "t", "t", "e32"),
        (6, "e32", "e32", "e32"),
        (3, "e32", "t", "e32"),
        (15, "e32", "e32", "e30"),
        (2, "e30", "e2", "e32"),
        (32, "e32", "pz", "t"),
        (128, "t", "e32", "t"),
        (32, "t", "e32", "t"),
        (30, "t", "e30", "t"),
        (2, "t", "pz", "t"),
    ),
)

P384 = Curve(
    **vars(nist_curves.P384),
    name="p384",
    width=WIDTH384,
    blind=195,
    columns=40,
    interleaved=False,
)

P521 = Curve(
    **vars(nist_curves.P521),
    name="p521",
    width=WIDTH576,
    blind=263,
    columns=57,
    interleaved=False,
)
