"""Arithmetic of P-384 for cores with a multiplier, RV32IM and RV64IM alike."""

from cryptile.asm.lib.bigint import modular
from cryptile.asm.lib.bigint.operation import routine

OPERATIONS = modular.operations(48, [(2912, 721), (2288, 607), (282, 126), (216, 97)])

ROUTINES = [routine(f"cry_p384_{name}_asm", operation) for name, operation in OPERATIONS.items()]
