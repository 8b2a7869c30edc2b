"""Curve25519 on RV32IM and RV64IM: the field, and the whole Montgomery ladder of X25519."""

from collections.abc import Callable

from cryptile.asm.code import CALLEE_SAVED
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.curve25519 import ladder, operations
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_FIELD = (
    "Modulo 2^255 - 19, on 32 bytes, the lowest first, aligned to a register: any representatives "
    "less than 2^255 + 2^231, not reduced further; r may be an operand. Constant time where mul "
    "and mulhu are. "
)
_CORE = "Clobbers all registers but sp, gp and tp: for routines that have saved them. "
_R = "uint32_t r[8]"
_A = "const uint32_t a[8]"
_B = "const uint32_t b[8]"


def _supports(isa: Isa) -> bool:
    return "m" in isa


def _supports_core(isa: Isa) -> bool:
    return isa.xlen == 32 and _supports(isa)


def _routine(
    symbol: str,
    arguments: str,
    doc: str,
    cycles: tuple[str, ...],
    body: Callable[[Function], None],
    *,
    core: bool = False,
    saves_all: tuple[int, ...] = (),
) -> Routine:
    """Return a routine that saves all registers, needed or not, where xlen is in ``saves_all``.

    ``cycles``: on RV32IM and, if it is there, on RV64IM.
    """

    def generate(isa: Isa, tuning: Tuning) -> str:
        saves = () if core else CALLEE_SAVED if isa.xlen in saves_all else None
        function = Function(
            isa,
            symbol,
            prototype=f"void {symbol}({arguments})",
            doc=(_CORE if core else "") + doc,
            cycles=_ON_LOADUSE2.format(cycles[isa.xlen == 64]),
            saves=saves,
        )
        body(function)
        function.ret()
        return function.render(tuning, __name__)

    return Routine(symbol, "asm", _supports_core if core else _supports, generate)


_ON_LOADUSE2 = "{} on a single-issue core, loads in two cycles, multiplications in one."

ROUTINES = [
    _routine(
        "cry_fe25519_mul_core", f"{_R}, {_A}, {_B}",
        _FIELD + "r = a b; operands may have any words. "
        "Operand scanning, then one pass of reduction.",
        ("563",), operations.mul_core, core=True,
    ),
    _routine(
        "cry_fe25519_sqr_core", f"{_R}, {_A}", _FIELD + "r = a^2.",
        ("371",), operations.sqr_core, core=True,
    ),
    _routine(
        "cry_fe25519_mul_asm", f"{_R}, {_A}, {_B}",
        _FIELD + "r = a b; operands may have any words.",
        ("593", "159"), operations.mul, saves_all=(32,),
    ),
    _routine(
        "cry_fe25519_sqrn_asm", f"{_R}, {_A}, uint32_t n",
        _FIELD + "r = a^(2^n), n not 0 and public.",
        ("30 + 379 n", "10 + 118 n"), operations.sqrn, saves_all=(32,),
    ),
    _routine(
        "cry_fe25519_add_asm", f"{_R}, {_A}, {_B}", _FIELD + "r = a + b.",
        ("80", "38"), operations.add,
    ),
    _routine(
        "cry_fe25519_sub_asm", f"{_R}, {_A}, {_B}", _FIELD + "r = a - b.",
        ("85", "41"), operations.sub,
    ),
    _routine(
        "cry_x25519_ladder_asm", "uint32_t xz[16], const uint32_t x[8], const uint8_t k[32]",
        "Montgomery's ladder (RFC 7748, section 5) over bits 254 to 0 of k: xz is X and Z of k "
        "times the point with the coordinate x. Bit 0 must be 0. The two points are not swapped: "
        "the step doubles one of them, chosen by a mask, and their sum does not care. xz "
        "and x are aligned to a register; xz is disjoint from x and k. Constant time where mul and "
        "mulhu are.",
        ("1,260,415", "379,026"), ladder.ladder, saves_all=(32, 64),
    ),
]  # fmt: skip
