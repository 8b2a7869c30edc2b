"""GHASH."""

from cryptile.bench.software.calls import absorb, message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Subject

FAMILY = Family(
    "ghash",
    ("ghash",),
    [
        Subject("ghash", impl, f"cry_ghash_blocks_{impl}", absorb(16, message(32)), MESSAGE_SIZES)
        for impl in ("shift_c", "multiply_c", "shift", "multiply", "clmul")
    ],
)
