"""Ascon (NIST SP 800-232)."""

from cryptile.asm.lib.ascon import blocks, permutation
from cryptile.asm.routines import Routine

ROUTINES = [
    Routine("cry_ascon_permute_asm", "asm", lambda isa: True, permutation.generate),
    Routine("cry_ascon_blocks_asm", "asm", lambda isa: True, blocks.generate),
]
