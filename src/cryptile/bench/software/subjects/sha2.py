"""SHA-2: its compression functions."""

from cryptile.bench.software.calls import absorb, message
from cryptile.bench.software.subject import BULK, Family, Subject

FAMILY = Family(
    "sha-2",
    ("sha2",),
    [
        Subject(
            f"sha-{bits}",
            impl,
            f"cry_sha{bits}_blocks_{impl}",
            absorb(block, message(64)),
            (block, 1536, BULK),
            tables=(f"cry_sha{bits}_k",),
        )
        for bits, block in ((256, 64), (512, 128))
        for impl in ("c", "asm", "clmul")
    ],
)
