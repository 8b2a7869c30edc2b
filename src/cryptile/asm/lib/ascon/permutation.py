"""The permutation by itself: small, a loop of two rounds."""

from cryptile.asm.code import FREELY_USABLE, A
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.ascon.frame import GENERATOR, Registers, variant
from cryptile.asm.lib.ascon.rounds import CONSTANTS, constant_words, interleaves
from cryptile.asm.schedule import Tuning

_SYMBOL = "cry_ascon_permute_asm"
_SEEDS = {
    "rv32": 7,
    "rv32 rotates": 28,
    "rv32 rotates zbkb": 28,
    "rv32 products": 114,
    "rv32 rotates products": 58,
    "rv64": 0,
    "rv64 rotates": 0,
}
_CYCLES = {
    "rv32": 1471,
    "rv32 rotates": 969,
    "rv32 rotates zbkb": 969,
    "rv32 products": 1093,
    "rv32 rotates products": 1083,
    "rv64": 767,
    "rv64 rotates": 513,
}


def generate(isa: Isa, tuning: Tuning) -> str:
    """Return the text of the routine."""
    layout = "even and odd bits in a word each" if interleaves(isa) else "lower bits first"
    function = Function(
        isa,
        _SYMBOL,
        prototype=f"void {_SYMBOL}(uint64_t state[5], unsigned rounds);",
        doc="The last `rounds` rounds of Ascon-p[12] (NIST SP 800-232, section 3), an even "
        f"number. Lanes: {layout}. `state` is aligned to 8 bytes. Constant-time. The state is in "
        "registers.",
        cycles=f"{_CYCLES[variant(isa)]} for 12 rounds (single issue, loads deliver after two "
        "cycles).",
    )
    state, pointer, end, *rest = [A[0], A[1], A[2], *(r for r in FREELY_USABLE if r not in A[:3])]
    count = len(constant_words(isa, 0))
    constants, pool = rest[: 2 * count], rest[2 * count :]
    registers = Registers(function, pool, _SEEDS[variant(isa)])
    loop = function.new_label("rounds")
    table = f".L{_SYMBOL}_constants"
    function.line(f"  lla     {end}, {table} + {24 * count}")
    function.slli(pointer, count, dst=pointer)
    function.sub(end, pointer, dst=pointer)
    registers.prepare()
    registers.load(state)
    function.label(loop)
    for number, reg in enumerate(constants):
        function.load(pointer, 2 * number, op="lh", dst=reg)
    registers.rounds([constants[:count], constants[count:]])
    function.addi(pointer, 4 * count, dst=pointer)
    function.branch("bne", pointer, end, to=loop)
    registers.store(state)
    function.ret()
    words = [word for constant in CONSTANTS for word in constant_words(isa, constant)]
    return (
        f"{function.render(tuning, GENERATOR)}"
        f'  .section .rodata.{_SYMBOL},"a",@progbits\n  .balign 2\n{table}:\n'
        f"  .half {', '.join(map(str, words))}\n"
    )
