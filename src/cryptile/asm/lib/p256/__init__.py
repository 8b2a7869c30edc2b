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
class _Operation:
    body: Callable[[Code], list[Operand]]
    arguments: str
    cycles: tuple[int, int]
    """On RV32IM and on RV64IM."""
    doc: str = _FIELD


_OPERATIONS = {
    "mul": _Operation(operations.mul, f"{_FE}, const p256_fe_t *b", (729, 0)),
    "sqr": _Operation(operations.sqr, _FE, (556, 0)),
    "add": _Operation(operations.add, f"{_FE}, const p256_fe_t *b", (97, 0)),
    "sub": _Operation(operations.sub, f"{_FE}, const p256_fe_t *b", (80, 0)),
    "double": _Operation(operations.double, _FE, (75, 0)),
    "triple": _Operation(operations.triple, _FE, (134, 0)),
    "half": _Operation(operations.half, _FE, (96, 0)),
    "modular_mul": _Operation(
        operations.modular_mul, f"{_WORDS}, const p256_modulus_t *m", (0, 0), _MODULAR
    ),
}


def _function(symbol: str, operation: _Operation, isa: Isa, tuning: Tuning) -> str:
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


def _routine(name: str, operation: _Operation) -> Routine:
    symbol = f"cry_p256_{name}_asm"
    return Routine(
        symbol,
        "asm",
        supports=lambda isa: "m" in isa,
        generate=lambda isa, tuning: _function(symbol, operation, isa, tuning),
    )


ROUTINES = [_routine(name, operation) for name, operation in _OPERATIONS.items()]
