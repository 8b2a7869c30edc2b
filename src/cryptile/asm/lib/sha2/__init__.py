"""SHA-256 and SHA-512 compression."""

from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.sha2.compress import SHA256, SHA512, Compression, Hash
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_DOC = """\
FIPS 180-4, section 6. State and a window of 16 words of the message schedule stay in registers;
nothing is spilled. Rotations share shifts: (((x >> c-b) ^ x) >> b-a ^ x) >> a is three of them,
and likewise to the left. Majority is ((a ^ b) & (b ^ c)) ^ b, where b ^ c is a ^ b of the round
before. `in` may have any alignment (byte loads where it is not that of a word); `state` must be
aligned to a word and not overlap `in`. Constant-time."""


def _generate(hash_: Hash, isa: Isa, tuning: Tuning) -> str:
    symbol = f"{hash_.name}_blocks_asm"
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint{hash_.bits}_t state[8], const uint8_t *in, size_t blocks)",
        doc=_DOC,
        cycles="",
    )
    Compression(hash_, function).write()
    return function.render(tuning, "cryptile.asm.lib.sha2")


ROUTINES = [
    Routine("sha256_blocks_asm", "asm", lambda _: True, lambda isa, t: _generate(SHA256, isa, t)),
    Routine(
        "sha512_blocks_asm",
        "asm",
        lambda isa: isa.xlen == 64,
        lambda isa, t: _generate(SHA512, isa, t),
    ),
]
