"""From data flow to a routine: registers, spills, and pointers in argument registers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cryptile.asm.allocate import Allocation, allocate
from cryptile.asm.code import (
    CALLEE_SAVED,
    CALLER_SAVED,
    FREELY_USABLE,
    RA,
    A,
    Code,
    Operand,
    Reg,
    Value,
)
from cryptile.asm.function import Function


def load_words(code: Code, base: Operand, count: int, *, first: int = 0) -> list[Operand]:
    """Return words of memory that stays as it is: they are loaded when they are needed."""
    remat = isinstance(base, Reg)
    return [code.load(base, code.isa.word * (first + n), remat=remat) for n in range(count)]


def ahead(code: Code, base: Operand, first: int, count: int) -> Iterator[Operand]:
    """Yield words of memory, each loaded before the one before it is used."""
    following = code.load(base, code.isa.word * first)
    for k in range(first + 1, first + count):
        word, following = following, code.load(base, code.isa.word * k)
        yield word
    yield following


def store_words(code: Code, words: Iterable[Operand], base: Operand, *, first: int = 0) -> None:
    """Store words."""
    for n, word in enumerate(words):
        code.store(word, base, code.isa.word * (first + n))


def arguments(count: int) -> dict[Value, Reg]:
    """Return a value for each of the first argument registers, so that they become free."""
    return {Value(str(reg)): reg for reg in A[:count]}


def settle(
    function: Function,
    code: Code,
    inputs: Mapping[Value, Reg],
    outputs: Mapping[Value, Reg] | None = None,
    *,
    fixed: Sequence[Reg] = (),
) -> None:
    """Give registers to straight-line code and append it.

    A callee-saved register costs as much as a spill, a store and a load, unless the routine saves
    none, or all, anyway. ``fixed`` registers are left alone.
    """
    free_of_charge = function.saves is not None
    usable = [reg for reg in FREELY_USABLE if reg not in fixed]
    if free_of_charge and RA not in (function.saves or ()):
        usable.remove(RA)
    first = len(usable) if free_of_charge else len(set(usable).intersection(CALLER_SAVED))
    best: tuple[int, Allocation] | None = None
    for count in range(first, len(usable) + 1):
        try:
            found = allocate(
                code.insns,
                usable[:count],
                word=function.isa.word,
                inputs=inputs,
                outputs=outputs,
                spill_offset=function.frame,
            )
        except ValueError:
            continue
        written = {insn.dst for insn in found.insns}
        saved = 0 if free_of_charge else len(written.intersection(CALLEE_SAVED))
        cost = len(found.insns) + 2 * saved + 2 * (saved + found.spills > 0)
        if best is None or cost < best[0]:
            best = cost, found
        if not found.spills:
            break
    if best is None:
        raise ValueError(f"{function.symbol} needs more registers than there are")
    function.reserve(best[1].spill_bytes)
    function.extend(best[1].insns)
