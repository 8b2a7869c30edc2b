"""ChaCha20."""

from cryptile.bench.software.calls import KEY, message, stream
from cryptile.bench.software.subject import BULK, MESSAGE_SIZES, Family, Subject
from cryptile.bench.software.target import Target


def _chacha20_call(target: Target, symbol: str, size: int) -> int:
    given, out = target.place(message(size)), target.place(bytes(size))
    return target.call(symbol, target.place(KEY), target.place(KEY[:12]), 1, given, out, size)


FAMILY = Family(
    "chacha20",
    ("chacha20",),
    [
        *(
            Subject(
                "chacha20",
                impl,
                f"cry_chacha20_blocks_{impl}",
                stream(64, message(64)),
                (64, 256, 1536, BULK),
            )
            for impl in ("c", "looped", "unrolled")
        ),
        Subject("chacha20", "library", "cryptile_chacha20", _chacha20_call, MESSAGE_SIZES),
    ],
)
