"""What the routines were seen to take; a test compares them with the simulator."""

from cryptile.asm.isa import Isa

_WORD_LOADS = {  # per block, of an aligned message
    ("sha256", 32): {"zknh": 1345, "rotates": 2241, "": 3508},
    ("sha256", 64): {"zknh": 1361, "rotates": 2257, "zba": 2803, "": 3027},
    ("sha512", 32): {"zknh": 5541, "rotates": 10154, "": 11276},
    ("sha512", 64): {"zknh": 1684, "rotates": 2836, "": 4509},
}
_BYTE_LOADS = {
    ("sha256", 32): {"zknh": 1474, "rotates": 2370, "": 3523},
    ("sha256", 64): {"zknh": 1474, "rotates": 2370, "zba": 2818, "": 3042},
    ("sha512", 32): {"zknh": 5868, "rotates": 10481, "": 11377},
    ("sha512", 64): {"zknh": 2005, "rotates": 3157, "": 4630},
}
OVERHEAD = 51
"""At most so many for a call."""


def per_block(name: str, isa: Isa, *, aligned: bool = True) -> int:
    """Return the cycles of a block: single issue, load-use 2."""
    table = (_WORD_LOADS if aligned else _BYTE_LOADS)[name, isa.xlen]
    for key in table:
        if key == "" or key in isa or (key == "rotates" and isa.rotates):
            return table[key]
    raise AssertionError("the last key is for every instruction set")


def text(name: str, isa: Isa) -> str:
    """Return the line of the header comment."""
    aligned, bytewise = (per_block(name, isa, aligned=flag) for flag in (True, False))
    return (
        f"{aligned} a block, {bytewise} if `in` is not aligned, and at most {OVERHEAD} a call"
        " (single issue, load-use 2)."
    )
