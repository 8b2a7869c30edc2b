"""An argument about all inputs of the public-key engine's programs: no sum leaves its range.

Each row holds the most that its value can be. A program's way through its instructions depends on
no data, so that one walk is all there is.
"""

from dataclasses import dataclass

from cryptile.pka.isa import FOLD, Kind, Word
from cryptile.pka.machine import Machine


class RangeError(AssertionError):
    """A value may leave the range that an instruction asks for."""


@dataclass
class Ranges(Machine):
    """The machine, of bounds in place of values."""

    def _multiply(self, word: Word) -> None:
        a, b = self._bounds(word)
        row, prime = self.width.most, self.width.prime
        match word.imm:
            case Kind.RAW:
                low, high = word.written
                self.rows[low], self.rows[high] = row, a * b >> self.width.bits
            case Kind.FOLD:
                _ask(self.modulus == row + 1 - FOLD, word, "folds by another modulus")
                _ask(word.name != "mul1" or b < 1 << 64, word, "loses limbs")
                self.rows[word.d] = self.modulus - 1
            case _:
                _ask(self.modulus == prime, word, "reduces by another modulus")
                _ask(a * b < (row + 1) * prime, word, "makes 2 p or more")
                self.rows[word.d] = prime - 1

    def _operate(self, word: Word) -> None:
        a, b = self._bounds(word)
        match word.name:
            case "mod":
                self.modulus = self.width.moduli[word.imm]
            case "dig":
                pass
            case "con":
                self.rows[word.d] = self.extra(word.imm)
            case "add":
                _ask(a + b < 2 * self.modulus, word, "is not reduced by one subtraction")
                self.rows[word.d] = min(a + b, self.modulus - 1)
            case "sub":
                _ask(b <= self.modulus, word, "is below zero with the modulus added")
                self.rows[word.d] = max(a, self.modulus - 1)
            case "addx":
                self.rows[word.d] = min(a + b + (word.imm & 1), self.width.most)
            case "subx":
                self.rows[word.d] = self.width.most
            case "half":
                self.rows[word.d] = max(a, a + b) >> 1
            case "hold":
                self.held = a
            case "pick":
                self.held = max(self.held, a, b)
            case "put":
                self.rows[word.d] = self.held
            case "gcd":
                # What takes the place of the number that is held is smaller.
                self.rows[word.d] = max(a, self.held) >> 1
            case "cof":
                self._halve(word, max(a, self.held_cofactor))
                self.held_cofactor = max(a, self.held_cofactor)
            case "gcdr":
                self.rows[word.d] = self.width.most >> 1
            case "cofr":
                self._halve(word, max(a, b))
            case "push":
                self.rows[word.d] = min(2 * a, self.width.most)
            case "get":
                for row in word.read:
                    _ask(row in self.rows, word, "may read a row that nobody wrote")
                self.rows[word.d] = max(self.rows[row] for row in word.read)
            case "xor":
                self.rows[word.d] = (1 << max(a, b).bit_length()) - 1
            case "and":
                self.rows[word.d] = min(a, b)
            case _:
                self.rows[word.d] = max(a, b)

    def _halve(self, word: Word, most: int) -> None:
        """Write what half a difference of numbers up to a bound is, modulo that of the word."""
        modulus = self.width.moduli[word.imm]
        _ask(modulus % 2 == 1, word, "halves modulo an even number")
        _ask(most < modulus, word, "is not reduced")
        self.rows[word.d] = modulus - 1

    def _bounds(self, word: Word) -> tuple[int, int]:
        names = word.insn.reads
        for name in names:
            _ask(getattr(word, name) in self.rows, word, "reads a row that nobody wrote")
        a = self.rows[word.a] if "a" in names else 0
        return a, self.rows[word.b] if "b" in names else a


def _ask(holds: bool, word: Word, complaint: str) -> None:
    if not holds:
        raise RangeError(f"{word} {complaint}")
