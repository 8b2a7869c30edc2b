"""Curve25519: X25519 and Ed25519."""

from cryptile.bench.software.calls import KEY, SCALAR, bytes_out_in
from cryptile.bench.software.subject import Family, Subject
from cryptile.bench.software.subjects import hash as hashes
from cryptile.bench.software.target import Target

_NINE = (9).to_bytes(32, "little")
_NEEDS = ("cryptile_ed25519_public", "cryptile_ed25519_sign")


def _keys(target: Target) -> tuple[int, int]:
    seed, public = target.place(SCALAR), target.place(bytes(32))
    target.call("cryptile_ed25519_public", public, seed)
    return seed, public


def _sign(target: Target, symbol: str, size: int) -> int:
    seed, public = _keys(target)
    return target.call(symbol, target.place(bytes(64)), target.place(KEY), 32, seed, public)


def _verify(target: Target, symbol: str, size: int) -> int:
    seed, public = _keys(target)
    signature, message = target.place(bytes(64)), target.place(KEY)
    target.call("cryptile_ed25519_sign", signature, message, 32, seed, public)
    return target.call(symbol, signature, message, 32, public)


FAMILY = Family(
    "curve25519",
    ("curve25519", "bigint", *hashes.PARTS),
    [
        Subject("x25519", "library", "cryptile_x25519", bytes_out_in(SCALAR, _NINE, out=32),
                multiplies=True),
        Subject("ed25519-sign", "library", "cryptile_ed25519_sign", _sign, needs=_NEEDS,
                multiplies=True),
        Subject("ed25519-verify", "library", "cryptile_ed25519_verify", _verify, needs=_NEEDS,
                multiplies=True),
    ],
)  # fmt: skip
