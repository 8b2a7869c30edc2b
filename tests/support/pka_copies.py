"""The public-key engine's simulator with both copies of its rows."""

from dataclasses import dataclass, field

from cryptile.pka.isa import Word
from cryptile.pka.machine import Machine


@dataclass
class Copies(Machine):
    """The machine, whose second operands may be others than the first: each comes from a copy."""

    second: dict[int, int] = field(default_factory=dict)
    """Rows that are others in the second copy."""

    _reads: int = 0

    @classmethod
    def of(cls, machine: Machine) -> "Copies":
        """Return one that starts like another machine."""
        return cls(machine.code, machine.rows, machine.random, machine.extras, width=machine.width)

    def _read(self, row: int) -> int:
        self._reads += 1
        is_other = self._reads == 2 and row in self.second
        return self.second[row] if is_other else super()._read(row)

    def go_on(self, word: Word) -> None:
        """To be told of each instruction that is done."""
        self._reads = 0
        for row in word.written:
            self.second.pop(row, None)

    def flip(self, copy: int, row: int, bit: int) -> None:
        """Flip a bit of a row in one copy."""
        first = self.rows.get(row, 0)
        other = self.second.get(row, first)
        flipped = 1 << bit
        self.rows[row] = first if copy else first ^ flipped
        self.second[row] = other ^ flipped if copy else other
