"""What the ways of computing GHASH share: elements in registers, and the plain reduction."""

from collections.abc import Sequence

from cryptile.asm.code import A, Code, Operand, Reg
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa

BLOCK = 16
STATE, SOURCE, BLOCKS = A[:3]
KEY_AT = 16
GENERATOR = "cryptile.asm.lib.ghash"

_DOC = """GHASH (NIST SP 800-38D, section 6.4): y = (y + block) * key for each block. Any alignment
of in{note}; it and the state are disjoint. Constant-time{condition}. Method: {method}"""


def function(
    isa: Isa, impl: str, method: str, cycles: dict[int, str], *, note: str = "", condition: str = ""
) -> Function:
    """Start a routine."""
    return Function(
        isa,
        f"cry_ghash_blocks_{impl}",
        prototype=f"void cry_ghash_blocks_{impl}(ghash_state_t *state, const uint8_t *in, "
        "size_t blocks)",
        doc=_DOC.format(note=note, condition=condition, method=method),
        cycles=cycles[isa.xlen],
    )


def load_element(f: Function, offset: int, registers: Sequence[Reg]) -> None:
    """Load y, or the key, from the state."""
    for i, reg in enumerate(registers):
        f.load(STATE, offset + i * f.isa.word, dst=reg)


def store_element(f: Function, registers: Sequence[Reg]) -> None:
    """Store y to the state."""
    for i, reg in enumerate(registers):
        f.store(reg, STATE, i * f.isa.word)


def load_big_endian(code: Code, base: Reg, offset: int, size: int) -> Operand:
    """Return a number of ``size`` bytes, read one by one."""
    value = code.load(base, offset, op="lbu")
    for i in range(1, size):
        value = code.or_(code.slli(value, 8), code.load(base, offset + i, op="lbu"))
    return value


def reduce(code: Code, z: Sequence[Operand]) -> list[Operand]:
    """Return a product of 2n words reduced to n.

    A word w that weighs 2^(xlen i) is cleared, from the lowest up, by adding w times the
    reflected polynomial: w << 128, 127, 126 and 121.
    """
    code.step("reduce")
    z = list(z)
    n, xlen = len(z) // 2, code.isa.xlen
    for i in range(n):
        up = z[i]
        for count in (1, 2, 7):
            up = code.xor(up, code.srli(z[i], count))
        down = code.xor(code.slli(z[i], xlen - 1), code.slli(z[i], xlen - 2))
        down = code.xor(down, code.slli(z[i], xlen - 7))
        z[i + n - 1] = code.xor(z[i + n - 1], down)
        z[i + n] = code.xor(z[i + n], up)
    return z[n:]
