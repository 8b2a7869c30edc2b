"""Products of a base point by a comb of fixed tables: digits of a scalar, choice of an entry.

An odd scalar c is written with n digits of 1 or -1: digit j is bit j of (c + 2^n - 1) / 2. Teeth
are ``tooth`` digits apart, and each has two halves of ``columns``: column i of half h are the
digits tooth t + columns h + i of all teeth t. A table for each half has the multiples that a column
can be, with 1 as the digit of the highest tooth, whose sign is taken off; it is read whole, by a
tree of selections.
"""

from dataclasses import dataclass

from cryptile.pka.builder import Builder
from cryptile.pka.isa import ROW_BITS, Kind

HALVES = 2
TOP = 1 << ROW_BITS - 1
"""The highest digit: constant ``Top``."""


@dataclass(frozen=True)
class Comb:
    """A comb, with the names of its rows.

    Attributes:
        teeth, columns: its size.
        bits: rows for the digits, by half and tooth.
        tables: by half and coordinate, the rows of the entries.
        first, step: rows of the factors that bring digits up to a row's highest bit.
        work: two rows, raw products of which are rows for what is on its way.
    """

    teeth: int
    columns: int
    bits: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[tuple[str, ...], ...], ...]
    first: str
    step: str
    work: tuple[str, str]

    @property
    def tooth(self) -> int:
        """Digits between two teeth."""
        return HALVES * self.columns

    @property
    def factors(self) -> tuple[int, int]:
        """Values of ``first`` and ``step``."""
        return 1 << ROW_BITS - self.tooth * (self.teeth - 1) - 1, 1 << self.columns

    @property
    def entries(self) -> int:
        """Entries of a half's table."""
        return 1 << self.teeth - 1

    def column(self, half: int, entry: int) -> int:
        """Return which multiple an entry is: its bits are the teeth with digit -1."""
        tooth, teeth = self.tooth, range(self.teeth - 1)
        lower = sum((1 - 2 * (entry >> t & 1)) << tooth * t for t in teeth)
        return (lower + (1 << tooth * (self.teeth - 1))) << self.columns * half

    def digits(self, b: Builder, scalar: str) -> None:
        """Write the digits: the highest tooth's are signs, the others equal to them or not."""
        last, bits = self.teeth - 1, self.bits
        top = scalar
        for _ in range(self.teeth * self.tooth - ROW_BITS + 1):
            top = b.half(top, "Zero")
        b.copy(b.xor(top, "Top"), bits[1][last])
        b.mul(bits[1][last], self.step, "order", Kind.RAW)
        b.copy("order", bits[0][last])
        row, factor = scalar, self.first
        for number in range(HALVES * last):
            row = b.mul(row, factor, self.work[number % 2], Kind.RAW)
            factor = self.step
            tooth, half = last - 1 - number // 2, 1 - number % 2
            b.xor(row, bits[half][last], bits[half][tooth])

    def choose(self, b: Builder, half: int) -> list[str]:
        """Return the entry of a half's next column; without a carry its negative is meant."""
        found = [list(rows) for rows in self.tables[half]]
        for row in self.bits[half][:-1]:
            b.addx(row, row, row)
            found = [
                [b.sel(rows[n + 1], rows[n]) for n in range(0, len(rows), 2)] for rows in found
            ]
        row = self.bits[half][-1]
        b.addx(row, row, row)
        return [rows[0] for rows in found]
