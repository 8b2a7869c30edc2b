"""What the routines were seen to take; a test compares them with the simulator."""

from cryptile.asm.isa import Isa

_WORD_LOADS = {  # per block, of an aligned message
    ("cry_sha256_blocks_asm", 32): {"zknh": 1344, "rotates": 2240, "": 3507},
    ("cry_sha256_blocks_asm", 64): {"zknh": 1360, "rotates": 2256, "zba": 2802, "": 3026},
    ("cry_sha256_blocks_clmul", 32): {"rotates": 1866, "": 1980},
    ("cry_sha512_blocks_asm", 32): {"zknh": 5539, "rotates": 10152, "": 11274},
    ("cry_sha512_blocks_asm", 64): {"zknh": 1683, "rotates": 2835, "": 4508},
    ("cry_sha512_blocks_clmul", 32): {"rotates": 8840, "": 9066},
    ("cry_sha512_blocks_clmul", 64): {"rotates": 2393, "": 2593},
}
_BYTE_LOADS = {
    ("cry_sha256_blocks_asm", 32): {"zknh": 1473, "rotates": 2369, "": 3522},
    ("cry_sha256_blocks_asm", 64): {"zknh": 1473, "rotates": 2369, "zba": 2817, "": 3041},
    ("cry_sha256_blocks_clmul", 32): {"rotates": 1995, "": 1995},
    ("cry_sha512_blocks_asm", 32): {"zknh": 5866, "rotates": 10479, "": 11375},
    ("cry_sha512_blocks_asm", 64): {"zknh": 2004, "rotates": 3156, "": 4629},
    ("cry_sha512_blocks_clmul", 32): {"rotates": 9167, "": 9167},
    ("cry_sha512_blocks_clmul", 64): {"rotates": 2714, "": 2714},
}
OVERHEAD = 51
"""At most so many for a call."""


def per_block(symbol: str, isa: Isa, *, aligned: bool = True) -> int:
    """Return the cycles of a block: single issue, load-use 2."""
    table = (_WORD_LOADS if aligned else _BYTE_LOADS)[symbol, isa.xlen]
    for key in table:
        if key == "" or key in isa or (key == "rotates" and isa.rotates):
            return table[key]
    raise AssertionError("the last key is for every instruction set")


def text(symbol: str, isa: Isa) -> str:
    """Return the line of the header comment."""
    aligned, bytewise = (per_block(symbol, isa, aligned=flag) for flag in (True, False))
    return (
        f"{aligned} a block, {bytewise} if `in` is not aligned, and at most {OVERHEAD} a call"
        " (single issue, load-use 2)."
    )
