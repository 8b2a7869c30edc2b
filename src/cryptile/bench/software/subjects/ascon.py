"""Ascon: its permutation, and Ascon-AEAD128 without set-up."""

from cryptile.bench.software.calls import message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Subject
from cryptile.bench.software.target import Target


def _blocks(target: Target, symbol: str, size: int) -> int:
    given, out = target.place(message(size)), target.place(bytes(size))
    return target.call(symbol, target.place(message(40)), given, out, size // 16, 1)


def _permutation(target: Target, symbol: str, size: int) -> int:
    return target.call(symbol, target.place(message(40)), 12)


FAMILY = Family(
    "ascon",
    ("ascon", "keccak"),
    [
        subject
        for impl in ("c", "asm")
        for subject in (
            Subject("ascon-aead128", impl, f"cry_ascon_blocks_{impl}", _blocks, MESSAGE_SIZES),
            Subject("ascon-p12", impl, f"cry_ascon_permute_{impl}", _permutation),
        )
    ],
)
