"""SHA-256 and SHA-512 compression."""

from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib.sha2 import cycles
from cryptile.asm.lib.sha2.compress import Compression
from cryptile.asm.lib.sha2.compress_clmul import ClmulCompression
from cryptile.asm.lib.sha2.compress_pairs import PairCompression
from cryptile.asm.lib.sha2.compress_pairs_clmul import ClmulPairCompression
from cryptile.asm.lib.sha2.hashes import SHA256, SHA512, Hash
from cryptile.asm.routines import Routine
from cryptile.asm.schedule import Tuning

_COMMON = """\
FIPS 180-4, section 6. Majority is ((a ^ b) & (b ^ c)) ^ b, where b ^ c is a ^ b of the round
before. `in` may have any alignment (byte loads where it is not that of a register); `state` must
be aligned to its words and not overlap `in`. Constant-time."""

_REGISTERS = """
State and a window of 16 words of the message schedule stay in registers; nothing is spilled.
Rotations share shifts: ((x >> c-b ^ x) >> b-a ^ x) >> a is three of them, and likewise to the
left."""

_CLMUL = """
State and message schedule stay in registers but for two words in the rounds and half the state in
the schedule: there the factors are whose carry-less products are sums of rotations."""

_PAIRS = """
A word is a pair of registers. The state stays in registers, the message schedule is in the frame.
Rotations of halves are mended by (low ^ high) << (32 - n) where there are rotates."""

_PAIRS_CLMUL = """
A word is a pair of registers. The state stays in registers, the message schedule is in the frame.
Sums of rotations are carry-less products."""

_METHODS = {
    ("asm", False): _REGISTERS,
    ("clmul", False): _CLMUL,
    ("asm", True): _PAIRS,
    ("clmul", True): _PAIRS_CLMUL,
}


def _generate(hash_: Hash, isa: Isa, tuning: Tuning, impl: str = "asm") -> str:
    symbol = f"cry_{hash_.name}_blocks_{impl}"
    pairs = hash_.bits > isa.xlen
    method = _METHODS[impl, pairs]
    function = Function(
        isa,
        symbol,
        prototype=f"void {symbol}(uint{hash_.bits}_t state[8], const uint8_t *in, size_t blocks)",
        doc=_COMMON + method,
        cycles=cycles.text(symbol, isa),
    )
    if pairs:
        (ClmulPairCompression if impl == "clmul" else PairCompression)(function).write()
    elif impl == "clmul":
        ClmulCompression(hash_, function).write()
    else:
        Compression(hash_, function).write()
    return function.render(tuning, "cryptile.asm.lib.sha2")


def _has_clmul(hash_: Hash, isa: Isa) -> bool:
    """Tell whether products may be worth their while: not where sigmas are one instruction."""
    return hash_.bits >= isa.xlen and isa.carryless and "zknh" not in isa


ROUTINES = [
    Routine(
        "cry_sha256_blocks_asm", "asm", lambda _: True, lambda isa, t: _generate(SHA256, isa, t)
    ),
    Routine(
        "cry_sha512_blocks_asm", "asm", lambda _: True, lambda isa, t: _generate(SHA512, isa, t)
    ),
    Routine(
        "cry_sha256_blocks_clmul",
        "clmul",
        lambda isa: _has_clmul(SHA256, isa),
        lambda isa, t: _generate(SHA256, isa, t, "clmul"),
    ),
    Routine(
        "cry_sha512_blocks_clmul",
        "clmul",
        lambda isa: _has_clmul(SHA512, isa),
        lambda isa, t: _generate(SHA512, isa, t, "clmul"),
    ),
]
