"""Poly1305."""

from cryptile.bench.software.calls import KEY, message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Subject
from cryptile.bench.software.target import Target


def _poly1305(target: Target, symbol: str, size: int) -> int:
    context = target.place(bytes(256))
    target.call("cry_poly1305_init", context, target.place(KEY))
    return target.call(symbol, context, target.place(message(size)), size // 16, 1)


FAMILY = Family(
    "poly1305",
    ("poly1305",),
    [
        Subject(
            "poly1305",
            impl,
            f"cry_poly1305_blocks_{impl}",
            _poly1305,
            MESSAGE_SIZES,
            needs=("cry_poly1305_init",),
        )
        for impl in ("c", "multiply", "shift")
    ],
)
