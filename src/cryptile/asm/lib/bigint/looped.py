"""Loops for any number of words, and rows of a Montgomery multiplication."""

from collections.abc import Callable

from cryptile.asm.code import FREELY_USABLE, ZERO, A, Reg, T
from cryptile.asm.function import Function

ROWS = 4
"""Rows that a pass of a Montgomery multiplication makes: as many as the registers have room for."""


def _in_bytes(f: Function, words: Reg) -> None:
    """Make a number of words one of bytes."""
    f.slli(words, f.isa.word.bit_length() - 1, dst=words)


def add_or_sub(function: Function, *, subtract: bool = False) -> None:
    """Append r = a + b or a - b; r, a, b, n in a0 to a3, carry or borrow out in a0."""
    r, a, b, end = A[:4]
    x, y, total, carry, out = T[:5]
    f = function
    loop, done = f.new_label("loop"), f.new_label("done")
    f.li(0, dst=carry)
    word = f.isa.word
    _in_bytes(f, end)
    f.add(end, a, dst=end)
    f.branch("beq", a, end, to=done)
    f.label(loop)
    f.load(a, dst=x)
    f.load(b, dst=y)
    f.addi(a, word, dst=a)
    f.addi(b, word, dst=b)
    if subtract:
        f.sub(x, y, dst=total)
        f.emit("sltu", x, y, dst=out)
        f.emit("sltu", total, carry, dst=x)
        f.sub(total, carry, dst=total)
    else:
        f.add(x, y, dst=total)
        f.emit("sltu", total, y, dst=out)
        f.add(total, carry, dst=total)
        f.emit("sltu", total, carry, dst=x)
    f.add(out, x, dst=carry)
    f.store(total, r)
    f.addi(r, word, dst=r)
    f.branch("bne", a, end, to=loop)
    f.label(done)
    f.mv(carry, dst=A[0])
    f.ret()


def _product(
    f: Function,
    x: Reg,
    word: Reg,
    term: Reg,
    carry: Reg,
    *,
    low: Reg,
    high: Reg,
    first: bool = False,
) -> None:
    """Compute low = x * word + term + carry and the new carry; clobbers term and high."""
    f.emit("mul", x, word, dst=low)
    f.emit("mulhu", x, word, dst=high)
    f.add(low, term, dst=low)
    f.emit("sltu", low, term, dst=term)
    if first:
        f.add(high, term, dst=carry)
        return
    f.add(high, term, dst=high)
    f.add(low, carry, dst=low)
    f.emit("sltu", low, carry, dst=carry)
    f.add(carry, high, dst=carry)


def _pairs(
    f: Function,
    step: Callable[[int], None],
    advance: Callable[[int], None],
    pointer: Reg,
    end: Reg,
    *,
    spare: Reg,
) -> None:
    """Carry out a step for each word from ``pointer`` to ``end``, two at a time.

    ``step(k)`` works on the word k words ahead; ``advance(n)`` moves the pointers n words on. The
    first word is done alone if the number is odd. The number of words is public.
    """
    even, loop, done = (f.new_label(name) for name in ("even", "loop", "done"))
    f.sub(end, pointer, dst=spare)
    f.emit("andi", spare, imm=f.isa.word, dst=spare)
    f.branch("beqz", spare, to=even)
    step(0)
    advance(1)
    f.label(even)
    f.branch("beq", pointer, end, to=done)
    f.label(loop)
    step(0)
    step(1)
    advance(2)
    f.branch("bne", pointer, end, to=loop)
    f.label(done)


def mul(function: Function) -> None:
    """Append r = a * b; r, a, b, n in a0 to a3, n not 0."""
    f = function
    r, a, b, length, end, inner, out, inner_end = A
    x, carry, word, term, low, high, spare = T
    size = f.isa.word
    clear, row = f.new_label("clear"), f.new_label("row")
    _in_bytes(f, length)
    f.add(a, length, dst=end)
    f.add(b, length, dst=inner_end)
    f.add(r, length, dst=out)
    f.mv(r, dst=inner)
    f.label(clear)
    f.store(ZERO, inner)
    f.addi(inner, size, dst=inner)
    f.branch("bne", inner, out, to=clear)
    f.label(row)
    f.load(a, dst=x)
    f.mv(b, dst=inner)
    f.mv(r, dst=out)
    f.li(0, dst=carry)

    def step(k: int) -> None:
        f.load(inner, size * k, dst=word)
        f.load(out, size * k, dst=term)
        _product(f, x, word, term, carry, low=low, high=high)
        f.store(low, out, size * k)

    def advance(n: int) -> None:
        f.addi(inner, size * n, dst=inner)
        f.addi(out, size * n, dst=out)

    _pairs(f, step, advance, inner, inner_end, spare=spare)
    f.store(carry, out)
    f.addi(r, size, dst=r)
    f.addi(a, size, dst=a)
    f.branch("bne", a, end, to=row)
    f.ret()


class _Rows:
    """ROWS rows of a Montgomery multiplication, side by side, in all the registers that there are.

    Every row takes the same words of b and m. Columns that are not final yet stay in registers.
    """

    def __init__(self, function: Function) -> None:
        """Take r, b, m, n, x, -1/m in a0 to a5."""
        self.f, self.word = function, function.isa.word
        self.r, self.b, self.m, self.end, x_pointer, self.inverse = A[:6]
        free = iter(reg for reg in FREELY_USABLE if reg not in A[:6])

        def take(count: int) -> list[Reg]:
            return [next(free) for _ in range(count)]

        self.x = [*take(ROWS - 1), x_pointer]
        self.q = [*take(ROWS - 1), self.inverse]
        self.carry, self.carry_m = take(ROWS), take(ROWS)
        self.columns = take(ROWS - 1)
        self.word_b, self.word_m, self.column, self.low, self.high = take(5)
        _in_bytes(self.f, self.end)
        self.f.add(self.end, self.b, dst=self.end)
        for row in range(ROWS):
            self.f.load(x_pointer, self.word * row, dst=self.x[row])

    def _products(self, row: int, column: Reg, *, to: Reg, first: bool = False) -> None:
        """Add the products of a row with the words of b and m to a column; make the first q."""
        x, q, low, high = self.x[row], self.q[row], self.low, self.high
        _product(self.f, x, self.word_b, column, self.carry[row], low=low, high=high, first=first)
        if first:
            self.f.emit("mul", low, self.inverse, dst=q)
        _product(self.f, q, self.word_m, low, self.carry_m[row], low=to, high=high, first=first)

    def first_words(self) -> None:
        """Do the first ROWS words of all rows, column by column, so that each row gets its q."""
        for n in range(2 * ROWS - 1):
            self.f.step(f"column {n}")
            column = self.column if n < ROWS else self.columns[n - ROWS]
            self.f.load(self.r, self.word * n, dst=column)
            for row in range(max(0, n - ROWS + 1), min(n + 1, ROWS)):
                self.f.load(self.b, self.word * (n - row), dst=self.word_b)
                self.f.load(self.m, self.word * (n - row), dst=self.word_m)
                self._products(row, column, to=column, first=n == row)
        for pointer in (self.b, self.m):
            self.f.addi(pointer, self.word * ROWS, dst=pointer)

    def advance(self, n: int) -> None:
        """Move the pointers n words on."""
        for pointer in (self.b, self.m, self.r):
            self.f.addi(pointer, self.word * n, dst=pointer)

    def step(self, k: int) -> None:
        """Do the word of all rows that is k words ahead: one more column becomes final."""
        self.f.step("a column")
        self.f.load(self.b, self.word * k, dst=self.word_b)
        self.f.load(self.r, self.word * (k + 2 * ROWS - 1), dst=self.column)
        self.f.load(self.m, self.word * k, dst=self.word_m)
        self._products(0, self.columns[0], to=self.columns[0])
        self.f.store(self.columns[0], self.r, self.word * k)
        for row, column in enumerate([*self.columns[1:], self.column], start=1):
            self._products(row, column, to=self.columns[row - 1])

    def last_columns(self) -> None:
        """Add up what lies above the last words of b and m."""
        f, over = self.f, self.high
        f.step("what lies above")
        f.li(0, dst=over)
        for n, total in enumerate(self.carry):
            f.add(total, over, dst=total)
            f.emit("sltu", total, over, dst=over)
            for term in (self.carry_m[n], *self.columns[n : n + 1]):
                f.add(total, term, dst=total)
                f.emit("sltu", total, term, dst=self.low)
                f.add(over, self.low, dst=over)
            f.store(total, self.r, self.word * n)
        f.store(over, self.r, self.word * ROWS)


def montgomery_rows(function: Function) -> None:
    """Append ROWS times r = (r + x * b + q * m) / 2^xlen, n not less than ROWS."""
    rows = _Rows(function)
    rows.first_words()
    _pairs(function, rows.step, rows.advance, rows.b, rows.end, spare=rows.high)
    rows.last_columns()
    function.ret()
