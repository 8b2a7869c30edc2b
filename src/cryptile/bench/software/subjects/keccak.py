"""Keccak: its permutation."""

from cryptile.bench.software.calls import in_place, message
from cryptile.bench.software.subject import Family, Subject

FAMILY = Family(
    "keccak",
    ("keccak",),
    [
        Subject("keccak-f1600", impl, f"cry_keccak_f1600_{impl}", in_place(message(200)))
        for impl in ("c", "looped", "asm", "interleaved_c", "interleaved_asm")
    ],
)
