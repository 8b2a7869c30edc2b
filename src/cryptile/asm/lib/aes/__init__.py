"""AES: on bit planes, with tables, with the scalar cryptography extension, and small."""

from cryptile.asm.lib.aes import bitsliced, keys, small, table, wide, zkn
from cryptile.asm.routines import Routine

ROUTINES: list[Routine] = [
    *bitsliced.ROUTINES,
    *keys.ROUTINES,
    *wide.ROUTINES,
    *small.ROUTINES,
    *table.ROUTINES,
    *zkn.ROUTINES,
]
