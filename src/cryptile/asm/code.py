"""Instructions, and the builder that generators write them with."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from cryptile.asm.isa import Isa


@dataclass(frozen=True)
class Reg:
    """A physical register, by its name in the calling convention."""

    name: str

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class Value:
    """A virtual register: defined once, by one instruction or as an input of its block."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        """Make a new value; the name only shows in messages."""
        self.name = name

    def __repr__(self) -> str:
        """Return a readable form."""
        return f"<{self.name or hex(id(self))}>"


Operand = Reg | Value

ZERO, RA, SP = Reg("zero"), Reg("ra"), Reg("sp")
A = tuple(Reg(f"a{n}") for n in range(8))
T = tuple(Reg(f"t{n}") for n in range(7))
S = tuple(Reg(f"s{n}") for n in range(12))
CALLER_SAVED = (*A, *T)
CALLEE_SAVED = (*S, RA)
FREELY_USABLE = (*A, *T, *S, RA)
"""All registers a leaf routine may use; gp, tp and sp are not among them."""


class Kind(Enum):
    """What an instruction does, as far as moving it is concerned."""

    ALU = auto()
    LOAD = auto()
    STORE = auto()
    FIXED = auto()  # branches, labels, directives: nothing moves across


_NOTES_AT = 36
"""Column of comments."""


@dataclass(frozen=True)
class Insn:
    """One instruction, or with an empty ``op`` a line of text such as a label."""

    op: str
    dst: Operand | None = None
    srcs: tuple[Operand, ...] = ()
    imm: int | str | None = None
    kind: Kind = Kind.ALU
    remat: bool = False
    """The result can be computed again instead of being spilled (constants, read-only loads)."""
    note: str = field(default="", compare=False)
    """A comment: it stays with the instruction wherever that is moved."""

    def __str__(self) -> str:
        """Return the line of assembly."""
        line = self._line()
        return f"{line:{_NOTES_AT}}  # {self.note}" if self.note else line

    def _line(self) -> str:
        if not self.op:
            return str(self.imm)
        if self.kind is Kind.LOAD:
            parts = [f"{self.dst}", f"{self.imm}({self.srcs[0]})"]
        elif self.kind is Kind.STORE:
            parts = [f"{self.srcs[0]}", f"{self.imm}({self.srcs[1]})"]
        else:
            parts = [] if self.dst is None else [str(self.dst)]
            parts += [str(src) for src in self.srcs]
            parts += [] if self.imm is None else [str(self.imm)]
        return f"  {self.op:<7} {', '.join(parts)}".rstrip()

    def with_operands(self, dst: Operand | None, srcs: Iterable[Operand]) -> "Insn":
        """Return the same instruction on other operands."""
        # Not `dataclasses.replace`, which takes ten times as long: generators spend half of their
        # time here.
        return Insn(self.op, dst, tuple(srcs), self.imm, self.kind, self.remat, self.note)


@dataclass
class Code:
    """A growing list of instructions for one instruction set.

    Every method that computes something returns its destination: ``dst`` if it is given, else a
    new :class:`Value`. Rotates and the like become the best sequence that the instruction set has;
    a sequence whose steps need a temporary takes ``tmp``, or a new value.
    """

    isa: Isa
    insns: list[Insn] = field(default_factory=list)
    _step: str = field(default="", init=False)

    def emit(
        self,
        op: str,
        *srcs: Operand,
        imm: int | str | None = None,
        dst: Operand | None = None,
        remat: bool = False,
    ) -> Operand:
        """Append an ALU instruction."""
        dst = Value() if dst is None else dst
        self.append(Insn(op, dst, srcs, imm, Kind.ALU, remat))
        return dst

    def load(
        self,
        base: Operand,
        offset: int | str = 0,
        *,
        op: str | None = None,
        dst: Operand | None = None,
        remat: bool = False,
    ) -> Operand:
        """Append a load, of a whole register unless ``op`` says otherwise.

        ``remat`` promises that the memory does not change while the value lives.
        """
        dst = Value() if dst is None else dst
        op = op or ("lw" if self.isa.xlen == 32 else "ld")
        self.append(Insn(op, dst, (base,), offset, Kind.LOAD, remat))
        return dst

    def store(
        self, value: Operand, base: Operand, offset: int | str = 0, *, op: str | None = None
    ) -> None:
        """Append a store, of a whole register unless ``op`` says otherwise."""
        op = op or ("sw" if self.isa.xlen == 32 else "sd")
        self.append(Insn(op, None, (value, base), offset, Kind.STORE))

    def branch(self, op: str, *srcs: Operand, to: str) -> None:
        """Append a branch or jump to a label; nothing is moved across it."""
        self.append(Insn(op, None, srcs, to, Kind.FIXED))

    def label(self, name: str) -> None:
        """Append a label."""
        self.line(f"{name}:")

    def step(self, text: str) -> None:
        """Comment the next instruction as the first of a step; scheduling is as without."""
        self._step = text

    def append(self, insn: Insn) -> None:
        """Append an instruction."""
        self.insns.append(replace(insn, note=self._step) if self._step and insn.op else insn)
        if insn.op:
            self._step = ""

    def line(self, text: str) -> None:
        """Append a line of text as it is: a label, a directive, an instruction not modelled."""
        self.append(Insn("", imm=text, kind=Kind.FIXED))

    def xor(self, a: Operand, b: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a ^ b."""
        return self.emit("xor", a, b, dst=dst)

    def and_(self, a: Operand, b: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a & b."""
        return self.emit("and", a, b, dst=dst)

    def or_(self, a: Operand, b: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a | b."""
        return self.emit("or", a, b, dst=dst)

    def add(self, a: Operand, b: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a + b."""
        return self.emit("add", a, b, dst=dst)

    def sub(self, a: Operand, b: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a - b."""
        return self.emit("sub", a, b, dst=dst)

    def addi(self, a: Operand, imm: int, *, dst: Operand | None = None) -> Operand:
        """Return a + imm, -2048 <= imm < 2048."""
        return self.emit("addi", a, imm=imm, dst=dst)

    def slli(self, a: Operand, n: int, *, dst: Operand | None = None) -> Operand:
        """Return a << n."""
        return self.emit("slli", a, imm=n, dst=dst)

    def srli(self, a: Operand, n: int, *, dst: Operand | None = None) -> Operand:
        """Return a >> n, unsigned."""
        return self.emit("srli", a, imm=n, dst=dst)

    def not_(self, a: Operand, *, dst: Operand | None = None) -> Operand:
        """Return ~a."""
        return self.emit("not", a, dst=dst)

    def mv(self, a: Operand, *, dst: Operand | None = None) -> Operand:
        """Return a copy."""
        return self.emit("mv", a, dst=dst)

    def li(self, imm: int, *, dst: Operand | None = None) -> Operand:
        """Return a constant."""
        return self.emit("li", imm=imm, dst=dst, remat=True)

    def andn(
        self, a: Operand, b: Operand, *, dst: Operand | None = None, tmp: Operand | None = None
    ) -> Operand:
        """Return a & ~b."""
        if self.isa.rotates:
            return self.emit("andn", a, b, dst=dst)
        return self.and_(a, self.not_(b, dst=tmp), dst=dst)

    def orn(
        self, a: Operand, b: Operand, *, dst: Operand | None = None, tmp: Operand | None = None
    ) -> Operand:
        """Return a | ~b."""
        if self.isa.rotates:
            return self.emit("orn", a, b, dst=dst)
        return self.or_(a, self.not_(b, dst=tmp), dst=dst)

    def rotr(
        self, a: Operand, n: int, *, dst: Operand | None = None, tmp: Operand | None = None
    ) -> Operand:
        """Return a whole register rotated right; without Zbb, ``dst`` may be ``a``, not ``tmp``."""
        n %= self.isa.xlen
        if n == 0:
            return a if dst is None or dst == a else self.mv(a, dst=dst)
        if self.isa.rotates:
            return self.emit("rori", a, imm=n, dst=dst)
        low = self.srli(a, n, dst=tmp)
        high = self.slli(a, self.isa.xlen - n, dst=dst)
        return self.or_(high, low, dst=dst)

    def rotl(
        self, a: Operand, n: int, *, dst: Operand | None = None, tmp: Operand | None = None
    ) -> Operand:
        """Return a whole register rotated left, see :meth:`rotr`."""
        return self.rotr(a, -n, dst=dst, tmp=tmp)
