"""Keccak-f[1600] (FIPS 202)."""

from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.keccak import words32, words64
from cryptile.asm.lib.keccak.words32 import Order, Style
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_GENERATOR = "cryptile.asm.lib.keccak"


def _row_halves(order: str) -> tuple[tuple[int, int], ...]:
    """Return rows and halves from digits of 2 * row + half."""
    return tuple(divmod(int(digit), 2) for digit in order)


PLAIN = Style(
    interleaved=False,
    orders=(
        Order(((0, 0), (3, 0), (4, 0), (1, 0), (2, 0)), (3, 4, 2, 0, 1)),
        Order(((3, 0), (1, 0), (4, 0), (2, 0), (0, 0)), (0, 4, 3, 1, 2)),
    ),
    held=((0, 1),),
    ahead=4,
    shuffle=71700,
)
LOOPED = Style(
    interleaved=False,
    orders=(Order(((0, 0), (4, 0), (3, 0), (1, 0), (2, 0)), (0, 4, 2, 1, 3)),),
    ahead=2,
    shuffle=31147,
)
INTERLEAVED = Style(
    interleaved=True,
    orders=(
        Order(_row_halves("6248051793"), (0, 1, 2, 3, 4)),
        Order(_row_halves("0284637519"), (4, 1, 3, 2, 0)),
    ),
    held=((20, 1), (14, 1), (7, 1), (24, 1)),
    ahead=8,
    shuffle=88280,
)
INTERLEAVED_ROTATES = Style(
    interleaved=True,
    orders=(
        Order(_row_halves("0264813795"), (0, 3, 2, 4, 1)),
        Order(_row_halves("2846019537"), (2, 4, 1, 3, 0)),
    ),
    held=((14, 1), (4, 1), (18, 1), (15, 1)),
    shuffle=69578,
)
_METHODS = {
    "cry_keccak_f1600_asm": {
        32: "Lanes as lower and upper words. " + words32.METHOD.format(rounds="two rounds"),
        64: words64.METHOD.format(rounds="four rounds"),
    },
    "cry_keccak_f1600_looped": {
        32: "Lanes as lower and upper words. " + words32.METHOD.format(rounds="one round"),
        64: words64.METHOD.format(rounds="one round"),
    },
    "cry_keccak_f1600_interleaved_asm": {
        32: "Lanes as even and odd bits (G. Bertoni et al., Keccak implementation overview, 2012, "
        "section 2.1). " + words32.METHOD.format(rounds="two rounds"),
    },
}
CYCLES = {
    ("cry_keccak_f1600_asm", 32): (12284, 12019),
    ("cry_keccak_f1600_looped", 32): (12739, 12462),
    ("cry_keccak_f1600_interleaved_asm", 32): (11416, 8441),
    ("cry_keccak_f1600_asm", 64): (4928, 3381),
    ("cry_keccak_f1600_looped", 64): (5618, 4071),
}


def _function(isa: Isa, symbol: str) -> Function:
    cycles = CYCLES[symbol, isa.xlen][isa.rotates]
    return Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint64_t state[25]);",
        doc=f"Keccak-f[1600] (FIPS 202, section 3.3). {_METHODS[symbol][isa.xlen]} "
        "`state` is aligned to 8 bytes. Constant-time.",
        cycles=f"{cycles} (single issue, loads deliver after two cycles).",
    )


def _render(function: Function, tuning: Tuning, constants: str) -> str:
    return (
        f"{function.render(tuning, _GENERATOR)}"
        f'  .section .rodata.{function.symbol},"a",@progbits\n  .balign 8\n'
        f"{_table(function.symbol)}:\n{constants}"
    )


def _table(symbol: str) -> str:
    return f".L{symbol}_constants"


def _on_32_bits(isa: Isa, tuning: Tuning, symbol: str, style: Style) -> str:
    function = _function(isa, symbol)
    words32.Permutation(function, style, _table(symbol)).emit()
    return _render(function, tuning, words32.constants(style.interleaved))


def _on_64_bits(isa: Isa, tuning: Tuning, symbol: str, rounds: int) -> str:
    function = _function(isa, symbol)
    words64.Permutation(function, rounds, _table(symbol)).emit()
    return _render(function, tuning, words64.constants())


def _asm(isa: Isa, tuning: Tuning) -> str:
    if isa.xlen == 32:
        return _on_32_bits(isa, tuning, "cry_keccak_f1600_asm", PLAIN)
    return _on_64_bits(isa, tuning, "cry_keccak_f1600_asm", 4)


def _looped(isa: Isa, tuning: Tuning) -> str:
    if isa.xlen == 32:
        return _on_32_bits(isa, tuning, "cry_keccak_f1600_looped", LOOPED)
    return _on_64_bits(isa, tuning, "cry_keccak_f1600_looped", 1)


def _interleaved(isa: Isa, tuning: Tuning) -> str:
    style = INTERLEAVED_ROTATES if isa.rotates else INTERLEAVED
    return _on_32_bits(isa, tuning, "cry_keccak_f1600_interleaved_asm", style)


def _always(isa: Isa) -> bool:
    return True


def _has_32_bits(isa: Isa) -> bool:
    return isa.xlen == 32


ROUTINES = [
    Routine("cry_keccak_f1600_asm", "asm", _always, _asm),
    Routine("cry_keccak_f1600_looped", "looped", _always, _looped),
    Routine("cry_keccak_f1600_interleaved_asm", "interleaved", _has_32_bits, _interleaved),
]
