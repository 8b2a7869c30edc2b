"""The curve P-256: ECDH and ECDSA."""

from cryptile.bench.software.calls import KEY, SCALAR, bytes_out_in
from cryptile.bench.software.subject import Family, Subject
from cryptile.bench.software.subjects import hash as hashes
from cryptile.bench.software.target import Target

_POINT = bytes.fromhex(
    "04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
_NEEDS = ("cryptile_p256_public_key", "cryptile_p256_sign", "cryptile_sha256")


def _sign(target: Target, symbol: str, size: int) -> int:
    key, digest = target.place(SCALAR), target.place(KEY)
    return target.call(
        symbol, target.place(bytes(64)), key, target.address("cryptile_sha256"), digest
    )


def _verify(target: Target, symbol: str, size: int) -> int:
    key, digest, hash_alg = (
        target.place(SCALAR), target.place(KEY), target.address("cryptile_sha256"),
    )  # fmt: skip
    public, signature = target.place(bytes(65)), target.place(bytes(64))
    target.call("cryptile_p256_public_key", public, key)
    target.call("cryptile_p256_sign", signature, key, hash_alg, digest)
    return target.call(symbol, public, digest, 32, signature)


def _multiply(target: Target, symbol: str, size: int) -> int:
    scalar = target.place(SCALAR)
    return target.call(
        symbol, target.place(bytes(96)), scalar, target.address("cry_p256_generator")
    )


FAMILY = Family(
    "p-256",
    ("p256", "hmac", *hashes.PARTS),
    [
        Subject("p-256-ecdh", "library", "cryptile_p256_ecdh",
                bytes_out_in(SCALAR, _POINT, out=32), multiplies=True),
        Subject("p-256-sign", "library", "cryptile_p256_sign", _sign, needs=_NEEDS,
                multiplies=True),
        Subject("p-256-verify", "library", "cryptile_p256_verify", _verify, needs=_NEEDS,
                multiplies=True),
        Subject("p-256-multiply", "library", "cry_p256_point_mul", _multiply,
                needs=("cry_p256_generator",), multiplies=True),
    ],
)  # fmt: skip
