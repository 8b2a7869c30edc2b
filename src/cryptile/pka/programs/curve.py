"""The curves y^2 = x^3 - 3 x + b of SP 800-186 that there are programs for."""

from dataclasses import dataclass

from cryptile.pka.isa import WIDTH256, WIDTH384, Width
from cryptile.pka.programs.powers import Link

Point = tuple[int, int]


@dataclass(frozen=True)
class Curve:
    """A curve, the machine that its numbers fit, and what programs choose for it.

    Attributes:
        name: begins the names of its programs.
        n: the order of the base point g.
        blind: bits of r in ECDH's scalar k + r n. It is 64, or more if n is so near to 2^bits that
            these would leave bits of k as they are.
        columns, interleaved: of the base point's comb.
        inverse: from ``pz`` to ``t`` = pz^(p - 2); row eN is a power to 2^N - 1.
    """

    name: str
    width: Width
    n: int
    b: int
    g: Point
    blind: int
    columns: int
    interleaved: bool
    inverse: tuple[Link, ...]

    @property
    def p(self) -> int:
        """The prime."""
        return self.width.prime

    @property
    def r(self) -> int:
        """Montgomery's factor."""
        return 1 << self.width.bits

    @property
    def powers(self) -> list[str]:
        """Rows of the powers that ``inverse`` keeps."""
        return sorted({d for _, _, _, d in self.inverse} - {"t"})


P256 = Curve(
    name="p256",
    width=WIDTH256,
    n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    g=(
        0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
        0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    ),
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
    name="p384",
    width=WIDTH384,
    n=int(
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
        "C7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973",
        16,
    ),
    b=int(
        "B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE814112"
        "0314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF",
        16,
    ),
    g=(
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
    blind=195,
    columns=40,
    interleaved=False,
    inverse=(
        (1, "pz", "pz", "e2"),
        (1, "e2", "pz", "t"),
        (3, "t", "t", "e30"),
        (6, "e30", "e30", "e30"),
        (3, "e30", "t", "e15"),
        (15, "e15", "e15", "e30"),
        (2, "e30", "e2", "e32"),
        (30, "e30", "e30", "t"),
        (60, "t", "t", "t"),
        (120, "t", "t", "t"),
        (15, "t", "e15", "t"),
        (33, "t", "e32", "t"),
        (94, "t", "e30", "t"),
        (2, "t", "pz", "t"),
    ),
)
