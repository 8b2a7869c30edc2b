"""Arithmetic of P-256 for cores with a multiplier, RV32IM and RV64IM alike."""

from cryptile.asm.lib.bigint import modular
from cryptile.asm.lib.bigint.operation import Operation, routine
from cryptile.asm.lib.p256 import operations

_FIELD = "Modulo p; operands and result less than p, products in Montgomery form. "
_ONE = "fe_t *r, const fe_t *a"
_TWO = f"{_ONE}, const fe_t *b"

OPERATIONS = {
    "mul": Operation(operations.mul, _TWO, (729, 232), _FIELD),
    "sqr": Operation(operations.sqr, _ONE, (561, 207), _FIELD),
    "add": Operation(operations.add, _TWO, (97, 58), _FIELD),
    "sub": Operation(operations.sub, _TWO, (80, 41), _FIELD),
    "double": Operation(operations.double, _ONE, (75, 48), _FIELD),
    "triple": Operation(operations.triple, _ONE, (134, 78), _FIELD),
    "half": Operation(operations.half, _ONE, (56, 33), _FIELD),
    **modular.operations(
        operations.BYTES,
        {
            "modular_mul": (1243, 347),
            "modular_sqr": (1021, 297),
        },
    ),
}

ROUTINES = [routine(f"cry_p256_{name}_asm", operation) for name, operation in OPERATIONS.items()]
