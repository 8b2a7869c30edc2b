"""Products of a base point by a comb of fixed tables: digits of a scalar, choice of an entry.

An odd scalar c is written with n digits of 1 or -1: digit j is bit j of (c + 2^n - 1) / 2. They are
in blocks of ``columns``, one for each tooth of either half: column i of a half are digits i of all
its blocks. Halves are interleaved, blocks 2 t and 2 t + 1 being tooth t of either, or one has its
teeth above all of the other's. A table for each half has the multiples that a column can be, with 1
as the digit of the highest tooth, whose sign is taken off; it is read whole, by a tree of
selections, or of rows that are picked where there is ``pick`` (``Width.rich``).
"""

from dataclasses import dataclass

from cryptile.pka.builder import Builder
from cryptile.pka.isa import Kind, Width

HALVES = 2

DIGITS = 4
"""Bits of the digit that ``pick`` looks at."""


@dataclass(frozen=True)
class Comb:
    """A comb, with the names of its rows.

    Attributes:
        width: of the rows that it is made of.
        teeth, columns: its size.
        interleaved: how halves are, see above.
        bits: rows for the digits, by half and tooth.
        tables: by half and coordinate, the rows of the entries.
        first, step: rows of the factors that bring digits up to a row's highest bit.
        work: two rows, raw products of which are rows for what is on its way.
    """

    width: Width
    teeth: int
    columns: int
    interleaved: bool
    bits: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[tuple[str, ...], ...], ...]
    first: str
    step: str
    work: tuple[str, str]

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """Half and tooth of each block, the lowest first."""
        halves, teeth = range(HALVES), range(self.teeth)
        if self.interleaved:
            return [(half, tooth) for tooth in teeth for half in halves]
        return [(half, tooth) for half in halves for tooth in teeth]

    def places(self, half: int) -> list[int]:
        """Return where the blocks of a half begin, by tooth."""
        return [self.columns * n for n, (of, _) in enumerate(self.blocks) if of == half]

    @property
    def factors(self) -> tuple[int, int]:
        """Values of ``first`` and ``step``."""
        return self.top >> self.columns * (len(self.blocks) - 2), 1 << self.columns

    @property
    def top(self) -> int:
        """The highest digit: constant ``Top``."""
        return 1 << self.width.bits - 1

    @property
    def entries(self) -> int:
        """Entries of a half's table."""
        return 1 << self.teeth - 1

    def column(self, half: int, entry: int) -> int:
        """Return which multiple an entry is: its bits are the teeth with digit -1."""
        return sum(
            (1 - 2 * (entry >> tooth & 1)) << place for tooth, place in enumerate(self.places(half))
        )

    def digits(self, b: Builder, scalar: str) -> None:
        """Write the digits: the highest tooth's are signs, the others equal to them or not."""
        last, bits = self.teeth - 1, self.bits
        top = scalar
        above = len(self.blocks) * self.columns - self.width.bits + 1
        for _ in range(above):
            top = b.half(top, "Zero")
        for _ in range(-above):
            top = b.addx(top, top)
        row, factor = scalar, self.first
        for number, (half, tooth) in enumerate(reversed(self.blocks)):
            if not number:
                digits = b.xor(top, "Top")
            elif number == 1:
                digits = b.mul(bits[1][last], self.step, "order", Kind.RAW)
            else:
                row = digits = b.mul(row, factor, self.work[number % 2], Kind.RAW)
                factor = self.step
            if tooth == last:
                b.copy(digits, bits[half][last])
            else:
                b.xor(digits, bits[half][last], bits[half][tooth])

    def choose(self, b: Builder, half: int) -> list[str]:
        """Return the entry of a half's next column; without a carry its negative is meant."""
        if b.width.rich:
            return self._picked(b, half)
        found = [list(rows) for rows in self.tables[half]]
        for row in self.bits[half][:-1]:
            b.addx(row, row, row)
            found = [
                [b.sel(rows[n + 1], rows[n]) for n in range(0, len(rows), 2)] for rows in found
            ]
        row = self.bits[half][-1]
        b.addx(row, row, row)
        return [rows[0] for rows in found]

    def _picked(self, b: Builder, half: int) -> list[str]:
        """Return the entry as ``choose`` does, by its number as a digit."""
        self.push(b, half)
        found = []
        for rows in self.tables[half]:
            for n in range(0, self.entries, 2):
                b.pick(rows[n], rows[n + 1], n)
            found.append(b.put())
        row = self.bits[half][-1]
        b.addx(row, row, row)
        return found

    def push(self, b: Builder, half: int) -> None:
        """Make the number of the entry of a half's next column the digit."""
        for _ in range(self.teeth - 1, DIGITS):
            b.push("Zero")
        for row in reversed(self.bits[half][:-1]):
            b.push(row, row)
