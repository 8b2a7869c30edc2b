"""Routines on numbers of fixed lengths: what they compute, as data flow, and what they cost."""

from collections.abc import Callable
from dataclasses import dataclass

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.bigint.emit import settle
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_COMMON = (
    "Words aligned to a register; r may be an operand. Constant time where mul and mulhu are. "
    "Product scanning, with the reduction in the same columns (Montgomery, Mathematics of "
    "Computation 44, 1985)."
)


@dataclass(frozen=True)
class Operation:
    """One routine: what it computes, its parameters in C, what it takes, what its header says."""

    body: Callable[[Code], list[Operand]]
    arguments: str
    cycles: tuple[int, int]
    """On RV32IM and on RV64IM; a test compares them with the simulator."""
    doc: str


def _function(symbol: str, operation: Operation, isa: Isa, tuning: Tuning) -> str:
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}({operation.arguments})",
        doc=operation.doc + _COMMON,
        cycles=f"{operation.cycles[isa.xlen == 64]} on a core with load-use 2 and a one-cycle "
        "multiplier.",
    )
    code = Code(isa)
    for n, word in enumerate(operation.body(code)):
        code.store(word, A[0], isa.word * n)
    settle(function, code, {}, fixed=A[: operation.arguments.count(",") + 1])
    function.ret()
    return function.render(tuning, __name__)


def routine(symbol: str, operation: Operation) -> Routine:
    """Return the routine that stores the words of an operation at a0."""
    return Routine(
        symbol,
        "asm",
        supports=lambda isa: "m" in isa,
        generate=lambda isa, tuning: _function(symbol, operation, isa, tuning),
    )
