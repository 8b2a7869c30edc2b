"""Instructions of the public-key engine as data: ``catalog/pka.yaml``, checked."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct, field

from cryptile import nist_curves
from cryptile.catalog.read import convert, convert_all, sections, unique
from cryptile.errors import UsageError
from cryptile.project import ROOT

FILE = ROOT / "catalog/pka.yaml"

LIMB_BITS = 64
ROWS = 256
CODE_ROWS = 4096
"""Words of the instruction memory."""

EXTRAS = 256
"""Constants that no row has, at most."""

LOOPS, CALLS = 2, 2
"""How deep loops and calls may be nested."""

BLOCK = 16
"""Rows of which `get` takes one."""

FOLD = 38
"""2^256 mod 2^256 - 38, the modulus of kind fold."""

DATA_ROWS = 160
"""The first row of constants, which are no secrets: the machine wipes the rows below."""

P256, P384, P521 = nist_curves.P256.p, nist_curves.P384.p, nist_curves.P521.p
"""Moduli of kind mont."""

P25519 = 2**255 - 19
L25519 = 2**252 + 27742317777372353535851937790883648493
"""Prime and order of Curve25519 (RFC 8032, 5.1)."""


class Kind(IntEnum):
    """What becomes of a product, by its number in ``catalog/pka.yaml``."""

    RAW = 0
    FOLD = 1
    MONT = 2


class Multiplier(Struct, frozen=True, forbid_unknown_fields=True):
    """What a machine multiplies with, in the words of the catalogue."""

    lanes: Annotated[int, Meta(ge=1)]
    """Products of 64 x 64 bits in a cycle."""

    drain: Annotated[int, Meta(ge=1)]
    """Cycles from the one that selects the last product to the one that writes the result."""


@dataclass(frozen=True)
class Width:
    """How wide the rows of a machine are, and how it multiplies and reduces products."""

    bits: int
    moduli: tuple[int, ...]
    """By their number; none if the machine has neither sums modulo a number nor kind mont."""

    kinds: frozenset[Kind]
    """Those that it knows."""

    impl: str = "compact"
    """Name of its multiplier in the catalogue."""

    data: int = DATA_ROWS
    """The first of its rows of constants."""

    calls: int = CALLS
    """How deep calls may be nested."""

    @property
    def prime(self) -> int:
        """The modulus of kind mont, or zero."""
        return self.moduli[isa().moduli["p"]] if self.moduli else 0

    @property
    def limbs(self) -> int:
        """Limbs of a row."""
        return self.bits // LIMB_BITS

    @property
    def most(self) -> int:
        """The largest number of a row."""
        return (1 << self.bits) - 1

    @property
    def lacks(self) -> frozenset[str]:
        """Instructions that it has not, beside those of kinds that it does not know."""
        has = "several" if self.rich else "one" if self.moduli else None
        found = {name for name, insn in isa().insns.items() if insn.lanes not in (None, has)}
        return frozenset(found | ({"mull"} if self.moduli else {"mod", "add", "sub"}))

    @property
    def rich(self) -> bool:
        """Whether it has several lanes, and the instructions that are for these alone."""
        return self.multiplier.lanes > 1

    @property
    def steps(self) -> bool:
        """Whether it takes steps of an inverse with numbers in rows."""
        return bool(self.moduli) and not self.rich

    def knows(self, word: "Word") -> bool:
        """Whether it has an instruction, its modulus and its choice; kinds are looked at apart."""
        if word.insn.imm == "modulus" and word.imm >= len(self.moduli):
            return False
        noted = word.choice is not None and "noted" in (*word.choice.source, *word.choice.to)
        return word.name not in self.lacks and (self.steps or not noted)

    @property
    def spare(self) -> int:
        """Bits of a row above those of the prime."""
        return self.bits - self.prime.bit_length()

    @cached_property
    def negative(self) -> int:
        """-1 / prime modulo 2^bits."""
        return -pow(self.prime, -1, self.most + 1) & self.most

    @cached_property
    def multiplier(self) -> Multiplier:
        """What it multiplies with."""
        return isa().multipliers[self.impl]

    @property
    def drain(self) -> int:
        """Cycles from the one that selects the last product to the one that writes the result."""
        return self.multiplier.drain

    @cached_property
    def selecting(self) -> dict[str, int]:
        """Cycles in which the products of a multiplication are selected."""
        n, lanes = self.limbs, self.multiplier.lanes
        half = n * (n + 1) // 2
        products = {"mul": n * n, "sqr": half, "mul1": n, "mull": half}
        return {name: -(-number // lanes) for name, number in products.items()}

    @cached_property
    def low_row(self) -> dict[str, int]:
        """Of these, the last one that the lower row, which is written by itself, waits for.

        With several lanes that is the last but one: the rows are written one behind the other.
        """
        n = self.limbs
        if self.multiplier.lanes > 1:
            return {name: self.selecting[name] - 1 for name in ("mul", "sqr")}
        return {"mul": n * (n + 1) // 2, "sqr": sum(k // 2 + 1 for k in range(n))}


_OF_256 = (nist_curves.P256.n, P256, P25519, 2 * P25519, L25519)

WIDTH256 = Width(256, _OF_256, frozenset(Kind))
FAST256 = Width(256, _OF_256, frozenset(Kind), "fast")
WIDTH384 = Width(384, (nist_curves.P384.n, P384), frozenset({Kind.RAW, Kind.MONT}))
WIDTH512 = Width(512, (), frozenset({Kind.RAW}), data=248, calls=3)
WIDTH576 = Width(576, (nist_curves.P521.n, P521), frozenset({Kind.RAW, Kind.MONT}))


Part = Literal["carry", "digit", "modulus", "noted", "parity", "held"]
"""What instructions read and write beside rows."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True):
    """What ``sel`` may ask for, in the words of the catalogue."""

    code: Annotated[int, Meta(ge=0, le=255)]
    source: tuple[Part, ...] = field(name="from")
    to: tuple[Part, ...] = ()


class Insn(Struct, frozen=True, forbid_unknown_fields=True):
    """An instruction, in the words of the catalogue."""

    code: Annotated[int, Meta(ge=0, le=255)]
    unit: Literal["alu", "mul", "held", "flow"]
    about: str
    reads: tuple[Literal["a", "b"], ...] = ()
    writes: bool = False
    imm: Literal["kind", "choice", "modulus", "carry", "constant", "entry"] | None = None
    target: bool = False
    lanes: Literal["one", "several"] | None = None
    source: tuple[Part, ...] = field(name="from", default=())
    to: tuple[Part, ...] = ()


class Place(NamedTuple):
    """Lowest bit and bits of a field."""

    low: int
    size: int


@dataclass(frozen=True)
class Isa:
    """The whole of ``catalog/pka.yaml``."""

    bits: int
    fields: dict[str, Place]
    multipliers: dict[str, Multiplier]
    kinds: dict[str, int]
    moduli: dict[str, int]
    choices: dict[str, Choice]
    insns: dict[str, Insn]


@cache
def isa(path: Path = FILE) -> Isa:
    """Return the instructions.

    Raises:
        UsageError: the file has errors; the text says where.
    """
    word, multipliers, kinds, moduli, choices, insns = sections(
        path, "word", "multipliers", "kinds", "moduli", "choices", "insns"
    )
    bits = convert(word.pop("bits", None), int, f"{path}: word: bits")
    fields = convert_all(word, Place, f"{path}: word")
    taken = [low + n for low, size in fields.values() for n in range(size)]
    unique(f"{path}: bits of fields", taken)
    if sorted(taken) != list(range(bits)):
        raise UsageError(f"{path}: the fields are not the bits of a word")
    found = convert_all(insns, Insn, f"{path}: insns")
    unique(f"{path}: codes", [item.code for item in found.values()])
    numbers = convert_all(kinds, int, f"{path}: kinds")
    if numbers != {kind.name.lower(): kind.value for kind in Kind}:
        raise UsageError(f"{path}: kinds are not those of the simulator")
    return Isa(
        bits,
        fields,
        convert_all(multipliers, Multiplier, f"{path}: multipliers"),
        numbers,
        convert_all(moduli, int, f"{path}: moduli"),
        convert_all(choices, Choice, f"{path}: choices"),
        found,
    )


@dataclass(frozen=True)
class Word:
    """An instruction with its operands."""

    name: str
    d: int = 0
    a: int = 0
    b: int = 0
    imm: int = 0

    @cached_property
    def insn(self) -> Insn:
        """What kind of instruction it is."""
        return isa().insns[self.name]

    @cached_property
    def choice(self) -> Choice | None:
        """What it asks for, of ``sel``."""
        if self.insn.imm != "choice":
            return None
        choices = isa().choices
        found = choices["digit"] if self.imm & choices["digit"].code else None
        return found or next((item for item in choices.values() if item.code == self.imm), None)

    @cached_property
    def parts_read(self) -> frozenset[Part]:
        """Parts of the machine that it reads beside rows."""
        if self.insn.imm == "carry" and not self.imm & 1:
            return frozenset()
        return frozenset((*self.insn.source, *(self.choice.source if self.choice else ())))

    @cached_property
    def parts_written(self) -> frozenset[Part]:
        """Parts of the machine that it writes beside rows."""
        return frozenset((*self.insn.to, *(self.choice.to if self.choice else ())))

    @cached_property
    def written(self) -> range:
        """Rows that it writes: raw products are two rows long."""
        if not self.insn.writes:
            return range(0)
        wide = self.insn.imm == "kind" and self.imm == Kind.RAW
        return range(self.d & ~1, (self.d & ~1) + 2) if wide else range(self.d, self.d + 1)

    @cached_property
    def read(self) -> frozenset[int]:
        """Rows that it reads, or may read."""
        if self.name == "get":
            first = self.a - self.a % BLOCK
            return frozenset(range(first, first + BLOCK))
        return frozenset(getattr(self, name) for name in self.insn.reads)

    @cached_property
    def touched(self) -> frozenset[int]:
        """Rows that it reads or writes."""
        return self.read.union(self.written)

    @cached_property
    def target(self) -> int:
        """The number that fields a and b hold together."""
        return self.a << isa().fields["b"].size | self.b

    def encode(self) -> int:
        """Return the bits of the instruction memory."""
        values = {"op": self.insn.code, "d": self.d, "a": self.a, "b": self.b, "imm": self.imm}
        word = 0
        for name, (low, size) in isa().fields.items():
            if not 0 <= values[name] < 1 << size:
                raise UsageError(f"{self.name}: {name} has {size} bits, not {values[name]}")
            word |= values[name] << low
        return word


def flow(name: str, number: int) -> Word:
    """Return an instruction that holds a count or an address."""
    size = isa().fields["b"].size
    return Word(name, a=number >> size, b=number & ((1 << size) - 1))
