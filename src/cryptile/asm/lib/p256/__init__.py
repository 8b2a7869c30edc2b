"""Arithmetic of P-256 for cores with a multiplier, RV32IM and RV64IM alike."""

from collections.abc import Callable
from dataclasses import dataclass

from cryptile.asm.code import A, Code, Operand
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.bigint.emit import settle
from cryptile.asm.lib.p256 import operations
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_FIELD = "Modulo p; operands and result less than p, products in Montgomery form. "
_MODULAR = "r = a b / 2^256 modulo m, which is odd and has 256 bits; a or b less than m. "
_COMMON = (
    "Words aligned to a register; r may be an operand. Constant time where mul and mulhu are. "
    "Product scanning, with the reduction in the same columns (Montgomery, Mathematics of "
    "Computation 44, 1985)."
)
_FE = "p256_fe_t *r, const p256_fe_t *a"
_WORDS = "p256_word_t *r, const p256_word_t *a, const p256_word_t *b"


@dataclass(frozen=True)
class Operation:
    """One routine: what it computes, its parameters in C, what it takes, what its header says."""

    body: Callable[[Code], list[Operand]]
    arguments: str
    cycles: tuple[int, int]
    """On RV32IM and on RV64IM; a test compares them with the simulator."""
    doc: str = _FIELD


OPERATIONS = {
    "mul": Operation(operations.mul, f"{_FE}, const p256_fe_t *b", (729, 232)),
    "sqr": Operation(operations.sqr, _FE, (561, 207)),
    "add": Operation(operations.add, f"{_FE}, const p256_fe_t *b", (97, 58)),
    "sub": Operation(operations.sub, f"{_FE}, const p256_fe_t *b", (80, 41)),
    "double": Operation(operations.double, _FE, (75, 48)),
    "triple": Operation(operations.triple, _FE, (134, 78)),
    "half": Operation(operations.half, _FE, (56, 33)),
    "modular_mul": Operation(
        operations.modular_mul, f"{_WORDS}, const p256_modulus_t *m", (1243, 347), _MODULAR
    ),
}


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


def _routine(name: str, operation: Operation) -> Routine:
    symbol = f"cry_p256_{name}_asm"
    return Routine(
        symbol,
        "asm",
        supports=lambda isa: "m" in isa,
        generate=lambda isa, tuning: _function(symbol, operation, isa, tuning),
    )


ROUTINES = [_routine(name, operation) for name, operation in OPERATIONS.items()]
