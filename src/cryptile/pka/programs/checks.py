"""What programs check: their row ``error`` is not zero from the first check on that fails.

What is looked at in two ways has a row for each, ``error`` and ``error2``, and each way writes a
constant of its own: one that is wrong, as a row may be that a wrong instruction wrote, hides what
one way finds, and takes nothing back that the other found.

Row ``path`` says what way a program took: each of its ``step`` moves it up and changes it by the
step's number, and ``give`` compares it with what it must be. So an upset that leads into another
program, or past a step, is found.
"""

import operator
from functools import reduce

from cryptile.pka.builder import Builder

RESULTS = ("result", "result1", "result2")


def start(b: Builder) -> None:
    """Begin the way of a program; ``error`` and ``error2`` are zero."""
    b.copy("Zero", "error")
    b.copy("Zero", "error2")
    b.load(b.mark(first=True), "path")


def step(b: Builder) -> None:
    """Note that a program has come to here."""
    _note(b, b.mark())


def stamp(b: Builder) -> None:
    """Note that a place of a subroutine has been passed."""
    _note(b, b.stamp())


def _note(b: Builder, mark: int) -> None:
    b.xor(b.addx("path", "path"), b.load(mark, ""), "path")


def fail(b: Builder) -> None:
    """``error`` is set if the carry is."""
    b.sel("One", "error", "error")


def fail_unless(b: Builder) -> None:
    """``error`` is set but if the carry is."""
    b.sel("error", "One", "error")


def equal(b: Builder, x: str, y: str) -> None:
    """``error`` is set if x is not y."""
    zero(b, b.xor(x, y))


def unlike(b: Builder, x: str, y: str) -> None:
    """``error`` is set if x is y."""
    b.subx(b.xor(x, y), "One")
    fail(b)


def zero(b: Builder, x: str) -> None:
    """``error`` and ``error2`` are set if x is not zero, so that no wrong constant hides it.

    ``error2`` is set to more than a ``Zero`` with a wrong bit, with which it is compared.
    """
    b.subx("Zero", x)
    fail(b)
    b.subx(x, "One")
    b.sel("error2", "Most" if b.width.spare else "N", "error2")


def whole(b: Builder, x: str) -> None:
    """``error`` is set if the two copies of x are not the same: each operand has one of its own."""
    zero(b, b.xor(x, x))


def in_range(b: Builder, x: str) -> None:
    """``error`` is set if x is not in 1 to n - 1."""
    b.subx(x, "One")
    fail(b)
    b.subx(x, "N")
    fail_unless(b)


def unlike_rom(b: Builder, **values: int) -> None:
    """``error`` is set if a constant is wrong, in either copy."""
    first = second = b.load(reduce(operator.xor, values.values()), "")
    for name in values:
        first, second = b.xor(name, first), b.xor(second, name)
    zero(b, first)
    zero(b, second)


def outcome(b: Builder, way: int, last: bool, nothing: str = "Zero") -> None:
    """Set the carry if a check has failed, or the way was another; the last time all tells it.

    No constant that is wrong makes a sum of zero of what was found: ``error`` is not ``error2``.
    ``nothing`` is a row of zero.
    """
    right = b.load(way, "")
    differs = b.xor("path", right)
    if last or not b.width.rich:  # which has few instructions left
        differs = b.addx(differs, b.xor(right, "path"))  # both copies
    found = b.xor("error", "error2") if last else "error"
    b.subx(nothing, b.addx(differs, found))


def give(b: Builder, *rows: str) -> None:
    """Write the result, zero after an error, and leave the outcome in the carry; end the program.

    It is a piece of its own, so that nothing of it is computed ahead.
    """
    with b.piece():
        step(b)
        outcome(b, b.way(), last=True)
        for row, name in zip(rows, RESULTS, strict=False):
            b.sel("Zero", row, name)
    b.halt()


def give_compared(b: Builder, *rows: str, copies: tuple[str, ...] = ()) -> None:
    """As ``give``, but what is given is compared with what was checked, once it is there.

    With ``copies``, other rows that are the same: so that a row that is overwritten behind its
    check is found.

    The way is looked at again behind that, in a piece of its own: who comes from elsewhere, by an
    upset, is found by it or has written no result. What becomes of either copy of the result then,
    the engine sees when it gives it.
    """
    with b.piece():
        step(b)
        outcome(b, b.way(), last=False)
        for row, name in zip(rows, RESULTS, strict=False):
            b.sel("Zero", row, name)
    with b.piece():
        for row, name in zip(copies or rows, RESULTS, strict=False):
            equal(b, row, name)
        outcome(b, b.way(), last=True)
    b.halt()
