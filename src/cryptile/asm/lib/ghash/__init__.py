"""GHASH blocks (NIST SP 800-38D, section 6.4) in three ways, all constant-time.

Elements and the key have the form that ``sw/lib/ghash/ghash.h`` describes: the product of two
elements as polynomials over GF(2), 2n words long, has the result in its upper half once the lower
half is reduced.
"""

from cryptile.asm.lib.ghash import clmul, multiply, shift
from cryptile.asm.routines import Routine

ROUTINES = [
    Routine(
        "cry_ghash_blocks_clmul",
        "clmul",
        lambda isa: isa.carryless and isa.rotates,
        clmul.generate,
    ),
    Routine("cry_ghash_blocks_multiply", "multiply", lambda isa: "m" in isa, multiply.generate),
    Routine("cry_ghash_blocks_shift", "shift", lambda _: True, shift.generate),
]
