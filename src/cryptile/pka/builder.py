"""Writes programs of the public-key engine: names for rows, pieces that are scheduled, loops.

    b = Builder()
    with b.piece():
        b.mul("z", b.add("x", "y"), "y")

Operations take rows by name and return the name of their result: of ``d`` if it is given, else of a
row that lives until the end of its piece. A name that begins with a capital letter is a constant:
``b.constant`` says its value. What a piece does is independent of the order that it ends up in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from cryptile.errors import CryptileError
from cryptile.pka.isa import BLOCK, CODE_ROWS, EXTRAS, ROWS, WIDTH256, Kind, Width, Word, flow, isa
from cryptile.pka.schedule import TEMPORARY, ordered

MARK = 0x9E3779B97F4A7C15
"""Its multiples modulo 2^64 are far from one another, and so are they moved up."""


@dataclass(frozen=True)
class Image:
    """A program as the machine loads it."""

    code: tuple[Word, ...]
    entries: dict[str, int]
    """Addresses of its programs and subroutines."""

    results: dict[str, int]
    """Of each program, the rows that it gives: ``result`` and those behind it."""

    zeros: frozenset[str]
    """Programs with one row that may be zero."""

    names: dict[str, int]
    """Rows by name: inputs, outputs, and what programs keep."""

    constants: dict[int, int]
    """Values of rows that are loaded once."""

    extras: tuple[int, ...]
    """Constants that no row has."""

    width: Width
    """Of the machine that it is for."""


@dataclass
class Builder:
    """A growing program."""

    width: Width = WIDTH256

    kind: Kind = Kind.RAW
    """How products are reduced, unless an operation says another way."""

    _code: list[Word] = field(default_factory=list)
    _piece: list[Word] | None = None
    _entries: dict[str, int] = field(default_factory=dict)
    _results: dict[str, int] = field(default_factory=dict)
    _zeros: set[str] = field(default_factory=set)
    _names: dict[str, int] = field(default_factory=dict)
    _constants: dict[int, int] = field(default_factory=dict)
    _extras: list[int] = field(default_factory=list)
    _temporaries: int = 0
    _marks: int = 0
    _way: int = 0
    _passed: list[int] = field(default_factory=list)
    _stamps: dict[str, list[int]] = field(default_factory=dict)

    @property
    def few_sums(self) -> bool:
        """Whether a product more is less than the sums that it saves: with several lanes."""
        return self.width.multiplier.lanes > 1

    # --- Rows ---

    def row(self, *names: str) -> None:
        """Reserve a row for each name, before all pieces, whose temporaries take the others."""
        if self._code:
            raise CryptileError(f"rows {', '.join(names)} are named behind a piece")
        for name in names:
            self._name(name, self.used, self.width.data)

    def share(self, **names: str) -> None:
        """Give rows a second name, for programs that need them for something else."""
        for name, row in names.items():
            self._name(name, self._number(row), self.width.data)

    def named(self, *names: str) -> list[str]:
        """Return those of the names that rows have."""
        return [name for name in names if name in self._names]

    def pair(self, low: str, high: str) -> None:
        """Reserve two rows for a product of kind raw."""
        if self.used % 2:
            self.row(f"{low}/")
        self.row(low, high)

    @property
    def used(self) -> int:
        """Rows that have names, of those for data."""
        return len({number for number in self._names.values() if number < self.width.data})

    def constant(self, name: str, value: int) -> None:
        """Reserve a row of a value."""
        rows = range(self.width.data, ROWS + 1)
        self._place(name, value, next(row for row in rows if row not in self._constants))

    def tables(self, tables: Iterable[Mapping[str, int]]) -> None:
        """Reserve rows of values: entry by entry of all tables, or each as ``get`` asks for it."""
        if not self.width.rich:
            for entries in zip(*(table.items() for table in tables), strict=True):
                for name, value in entries:
                    self.constant(name, value)
            return
        for table in tables:
            first = next(
                first
                for first in range(self.width.data, ROWS + 1, BLOCK)
                if self._constants.keys().isdisjoint(range(first, first + BLOCK))
            )
            for row, (name, value) in enumerate(table.items(), first):
                self._place(name, value, row)

    def _place(self, name: str, value: int, row: int) -> None:
        self._name(name, row, ROWS)
        self._constants[row] = value

    def load(self, value: int, d: str) -> str:
        """Compute d = a constant that no row has."""
        if value not in self._extras:
            self._extras.append(value)
        return self._op("con", d, "", "", self._extras.index(value))

    def _name(self, name: str, number: int, end: int) -> None:
        if name in self._names:
            raise CryptileError(f"row {name!r} stands twice")
        if number >= end:
            raise CryptileError(f"no row is left for {name!r}")
        self._names[name] = number

    def _number(self, name: str) -> int:
        if name.startswith("%"):
            return TEMPORARY + int(name[1:])
        if name not in self._names:
            raise CryptileError(f"no row {name!r}")
        return self._names[name]

    # --- Operations ---

    def add(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a + b modulo the modulus."""
        return self._op("add", d, a, b)

    def sub(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a - b modulo the modulus."""
        return self._op("sub", d, a, b)

    def addx(self, a: str, b: str, d: str = "", carry: bool = False) -> str:
        """Compute d = a + b, if ``carry`` with that of the last ``addx`` or ``subx``; sets it."""
        return self._op("addx", d, a, b, int(carry))

    def subx(self, a: str, b: str, d: str = "", carry: bool = False) -> str:
        """Compute d = a - b, likewise with borrows."""
        return self._op("subx", d, a, b, int(carry))

    def half(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a / 2 if a is even, else (a + b) / 2; the carry is d's lowest bit."""
        return self._op("half", d, a, b)

    def xor(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a xor b."""
        return self._op("xor", d, a, b)

    def land(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a and b."""
        return self._op("and", d, a, b)

    def sel(self, a: str, b: str, d: str = "", choice: str = "carry", digit: int = 0) -> str:
        """Compute d = a if the choice is true, else b."""
        return self._op("sel", d, a, b, isa().choices[choice].code + digit)

    def mul(self, a: str, b: str, d: str = "", kind: Kind | None = None) -> str:
        """Compute d = a * b; of kind raw d is the lower of two rows, reserved with ``pair``."""
        return self._op("mul", d, a, b, self.kind if kind is None else kind)

    def sqr(self, a: str, d: str = "", kind: Kind | None = None) -> str:
        """Compute d = a * a."""
        return self._op("sqr", d, a, "", self.kind if kind is None else kind)

    def mul1(self, a: str, b: str, d: str = "") -> str:
        """Compute d = a * b of a b below 2^64."""
        return self._op("mul1", d, a, b, self.kind)

    def raw(self, a: str, b: str) -> tuple[str, str]:
        """Compute a * b, both rows of it, which live until the end of the piece."""
        return self._wide("mul", a, b)

    def raw_sqr(self, a: str) -> tuple[str, str]:
        """Compute a * a likewise."""
        return self._wide("sqr", a, "")

    def mull(self, a: str, b: str, d: str = "") -> str:
        """Compute d = the lower row of a * b."""
        return self._op("mull", d, a, b)

    def mod(self, modulus: str) -> None:
        """Take a modulus, by its name in the catalogue."""
        self._emit(Word("mod", imm=isa().moduli[modulus]))

    def dig(self, a: str) -> None:
        """Recode the highest six bits of a row."""
        self._emit(Word("dig", a=self._number(a)))

    def hold(self, a: str) -> None:
        """Hold a row for ``gcd``."""
        self._emit(Word("hold", a=self._number(a)))

    def pick(self, a: str, b: str, entry: int) -> None:
        """Hold a if the digit is the number of an entry, which is even, b if it is the next."""
        self._emit(Word("pick", 0, self._number(a), self._number(b), entry))

    def put(self, d: str = "") -> str:
        """Compute d = what is held."""
        return self._op("put", d, "", "")

    def gcd(self, a: str, d: str = "") -> str:
        """Compute d of a and what is held: see the catalogue."""
        return self._op("gcd", d, a, "")

    def cof(self, a: str, modulus: str, d: str = "") -> str:
        """Compute d of a as the last ``gcd`` did, modulo a modulus of the catalogue."""
        return self._op("cof", d, a, "", isa().moduli[modulus])

    def gcdr(self, a: str, b: str, d: str = "") -> str:
        """Compute d of a and b as the last ``sel`` with ``noting`` says: see the catalogue."""
        return self._op("gcdr", d, a, b)

    def cofr(self, a: str, b: str, modulus: str, d: str = "") -> str:
        """Compute d likewise, modulo a modulus of the catalogue."""
        return self._op("cofr", d, a, b, isa().moduli[modulus])

    def push(self, a: str, d: str = "") -> str:
        """Compute d = 2 a; its highest bit goes to the digit's magnitude."""
        return self._op("push", d, a, "")

    def get(self, first: str, d: str = "") -> str:
        """Compute d = the row that the digit says, of the block that begins with ``first``."""
        if self._number(first) % BLOCK:
            raise CryptileError(f"row {first!r} begins no block")
        return self._op("get", d, first, "")

    def rnd(self, d: str) -> None:
        """Compute d = random bits; outside of pieces."""
        self._flow(Word("rnd", d=self._number(d)))

    def copy(self, a: str, d: str) -> str:
        """Compute d = a."""
        return self.land(a, a, d)

    def _op(self, name: str, d: str, a: str, b: str, imm: int = 0) -> str:
        if not d:
            d = f"%{self._temporaries}"
            self._temporaries += 1
        first, second = (self._number(row) if row else 0 for row in (a, b))
        self._emit(Word(name, self._number(d), first, second, imm))
        return d

    def _wide(self, name: str, a: str, b: str) -> tuple[str, str]:
        low = self._temporaries + self._temporaries % 2
        self._temporaries = low + 2
        self._op(name, f"%{low}", a, b, Kind.RAW)
        return f"%{low}", f"%{low + 1}"

    def _emit(self, word: Word) -> None:
        if self._piece is None:
            raise CryptileError(f"{word.name} stands outside of a piece")
        self._piece.append(word)

    # --- Flow ---

    @contextmanager
    def piece(self, also: Sequence[str] = ()) -> Iterator[None]:
        """Schedule what is inside as one piece, whose temporaries may take the rows ``also``."""
        if self._piece is not None:
            raise CryptileError("a piece stands in another")
        self._piece = []
        yield
        used = set(self._names.values()) - {self._names[name] for name in also}
        free = [row for row in range(self.width.data) if row not in used]
        self._code += ordered(self._piece, reversed(free), self.width)
        self._piece = None

    @contextmanager
    def loop(self, rounds: int) -> Iterator[None]:
        """Repeat the pieces inside."""
        self._flow(flow("loop", rounds))
        before = len(self._passed)
        yield
        self._flow(Word("next"))
        for mark in self._passed[before:] * (rounds - 1):
            self._pass(mark)

    def entry(self, name: str) -> None:
        """Name the place of the next instruction, a subroutine."""
        self._entries[name] = len(self._code)

    def program(self, name: str, results: int = 1, *, zero: bool = False) -> None:
        """Begin a program that gives a number of rows; with ``zero``, one that may be zero.

        Who gets past the end of the program before, as an upset makes another instruction of its
        ``halt``, finds one more, and not this program.
        """
        if self._code and self._code[-1].name == "halt":
            self.halt()
        self.entry(name)
        self._results[name] = results
        if zero:
            self._zeros.add(name)

    def call(self, name: str) -> None:
        """Go to a subroutine that stands before."""
        self._flow(flow("call", self._entries[name]))
        for mark in self._stamps.get(name, ()):
            self._pass(mark)

    def ret(self) -> None:
        """End a subroutine."""
        self._flow(Word("ret"))

    def halt(self) -> None:
        """End a program; the carry is its outcome.

        Of its fields `halt` uses none: they are for what an upset makes of it, which then writes
        zeros, and no row of the result.
        """
        checks = {"path", "Zero"} <= self._names.keys()
        zero = self._number("Zero") if checks else 0
        self._flow(Word("halt", self._number("path") if checks else 0, zero, zero))

    def _flow(self, word: Word) -> None:
        if self._piece is not None:
            raise CryptileError(f"{word.name} stands inside of a piece")
        self._code.append(word)

    # --- Ways ---

    def mark(self, first: bool = False) -> int:
        """Return a number that no other place of a program has, the first one's or the next."""
        mark = self._next_mark()
        if first:
            self._way = 0
        self._pass(mark)
        return mark

    def stamp(self) -> int:
        """Return such a number for a place of the subroutine that is being written.

        It belongs to the way of each program that calls that behind here.
        """
        mark = self._next_mark()
        self._stamps.setdefault(list(self._entries)[-1], []).append(mark)
        return mark

    def _pass(self, mark: int) -> None:
        self._way = 2 * self._way ^ mark
        self._passed.append(mark)

    def _next_mark(self) -> int:
        self._marks += 1
        return self._marks * MARK % (1 << 64)

    def way(self) -> int:
        """Return what the marks since the first one are together."""
        return self._way

    def image(self) -> Image:
        """Return the program."""
        if len(self._code) > CODE_ROWS:
            raise CryptileError(f"{len(self._code)} instructions, and {CODE_ROWS} fit")
        code, extras = tuple(self._code), tuple(self._extras)
        between = range(self.width.data, max(self._constants, default=0))
        constants = dict.fromkeys(between, 0) | self._constants
        if len(extras) > EXTRAS:
            raise CryptileError(f"{len(extras)} constants, and {EXTRAS} can be named")
        zeros = frozenset(self._zeros)
        return Image(
            code, self._entries, self._results, zeros, self._names, constants, extras, self.width
        )
