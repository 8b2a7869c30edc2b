"""Poly1305 blocks (RFC 8439, section 2.5), with and without a multiplier."""

from cryptile.asm.lib.poly1305 import multiply, shift
from cryptile.asm.routines import Routine

ROUTINES = [
    Routine("cry_poly1305_blocks_multiply", "multiply", lambda isa: "m" in isa, multiply.generate),
    Routine("cry_poly1305_blocks_shift", "shift", lambda isa: isa.xlen == 32, shift.generate),
]
