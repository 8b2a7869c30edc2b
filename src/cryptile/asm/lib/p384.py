"""Arithmetic of P-384 for cores with a multiplier, RV32IM and RV64IM alike."""

from cryptile.asm.lib.bigint import modular
from cryptile.asm.lib.bigint.operation import routine

OPERATIONS = modular.operations(
    48,
    {
        "modular_mul": (2912, 721),
        "modular_sqr": (2288, 607),
        "modular_add": (282, 126),
        "modular_sub": (216, 97),
    },
)

ROUTINES = [routine(f"cry_p384_{name}_asm", operation) for name, operation in OPERATIONS.items()]
