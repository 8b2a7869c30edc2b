"""Products added up column by column, for registers of either width."""

from collections.abc import Callable, Sequence

from cryptile.asm.code import ZERO, Code, Operand


class Sum:
    """A sum of up to three words, as the columns of a product are added up."""

    def __init__(self, code: Code, words: Sequence[Operand] = ()) -> None:
        """Begin with these words, lowest first."""
        self._code = code
        self._words = list(words)

    def add(self, low: Operand, high: Operand | None = None) -> None:
        """Add one word, or the two words of a product (whose high one is not all ones)."""
        code, carry = self._code, high
        for position in range(3):
            term = low if position == 0 else carry
            if term is None:
                return
            if position == len(self._words):
                self._words.append(term)
                if position == 0 and high is not None:
                    continue  # no carry from the first word: the high word goes up as it is
                return
            total = code.add(self._words[position], term)
            self._words[position] = total
            if position == 2:
                return
            out = code.emit("sltu", total, term)
            carry = code.add(high, out) if position == 0 and high is not None else out

    def product(self, a: Operand, b: Operand) -> None:
        """Add a * b."""
        self.add(self._code.emit("mul", a, b), self._code.emit("mulhu", a, b))

    def shift(self) -> Operand:
        """Take the lowest word out; the rest moves down."""
        return self._words.pop(0) if self._words else ZERO

    @property
    def low(self) -> Operand:
        """The lowest word."""
        return self._words[0] if self._words else ZERO


def load(code: Code, pointer: Operand, size: int) -> list[Operand]:
    """Return the words of ``size`` bytes of memory that stays as it is."""
    return [code.load(pointer, at, remat=True) for at in range(0, size, code.isa.word)]


AddColumn = Callable[[int, Sum], None]
"""Adds what a product has in one column."""

AddFactors = Callable[[int, Sequence[Operand], Sum], None]
"""Adds what the multiples of p by the factors so far have in one column."""


def reduced(
    code: Code, words: int, add_column: AddColumn, add_factors: AddFactors
) -> list[Operand]:
    """Add up the columns of a product, reducing on the way; return a word more, less than 2 p.

    The factor of each step is the lowest word itself, since p is -1 modulo the width of a word.
    """
    factors: list[Operand] = []
    result: list[Operand] = []
    total = Sum(code)
    for column in range(2 * words):
        add_column(column, total)
        add_factors(column, factors, total)
        if column < words:
            # Minus the factor, which is the lowest word: it becomes zero without a borrow.
            factors.append(total.shift())
        else:
            result.append(total.shift())
    return [*result, total.shift()]


def of_product(a: Sequence[Operand], b: Sequence[Operand]) -> AddColumn:
    """Return what adds up the columns of a * b."""
    top = len(a) - 1

    def column(k: int, total: Sum) -> None:
        for i in range(max(0, k - top), min(k, top) + 1):
            total.product(a[i], b[k - i])

    return column


def of_square(code: Code, a: Sequence[Operand]) -> AddColumn:
    """Return what adds up the columns of a^2.

    Each word is multiplied by twice the number above it: the words of 2 a, without the bits below.
    """
    count, last_bit = len(a), code.isa.xlen - 1
    alone = [code.slli(word, 1) for word in a]
    above = [code.srli(word, last_bit) for word in a]
    doubled = [alone[0], *(code.or_(alone[n], above[n - 1]) for n in range(1, count))]
    top = code.emit("neg", above[-1])

    def column(k: int, total: Sum) -> None:
        for i in range(max(0, k - count + 1), (k + 1) // 2):
            total.product(a[i], alone[i + 1] if k - i == i + 1 else doubled[k - i])
        if k % 2 == 0:
            total.product(a[k // 2], a[k // 2])
        if count <= k < 2 * count - 1:
            total.add(code.and_(a[k - count], top))

    return column
