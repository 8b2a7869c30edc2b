"""The curves P-256, P-384 and P-521: ECDH and ECDSA."""

from cryptile.bench.software.calls import KEY, SCALAR
from cryptile.bench.software.subject import Family, Subject
from cryptile.bench.software.subjects import hash as hashes
from cryptile.bench.software.target import Target


def family(name: str, size: int) -> Family:
    """Return the family of a curve with numbers of ``size`` bytes."""
    symbol = name.replace("-", "")
    scalar = SCALAR.rjust(size, b"\0")
    make_public, make_signature = f"cryptile_{symbol}_public_key", f"cryptile_{symbol}_sign"
    needs = (make_public, make_signature, "cryptile_sha256")

    def public_key(target: Target) -> int:
        key = target.place(bytes(1 + 2 * size))
        target.call(make_public, key, target.place(scalar))
        return key

    def ecdh(target: Target, function: str, _: int) -> int:
        peer = public_key(target)
        return target.call(function, target.place(bytes(size)), target.place(scalar), peer)

    def sign(target: Target, function: str, _: int) -> int:
        signature, digest = target.place(bytes(2 * size)), target.place(KEY)
        hash_alg = target.address("cryptile_sha256")
        return target.call(function, signature, target.place(scalar), hash_alg, digest)

    def verify(target: Target, function: str, _: int) -> int:
        key, signature, digest = (
            public_key(target),
            target.place(bytes(2 * size)),
            target.place(KEY),
        )
        hash_alg = target.address("cryptile_sha256")
        target.call(make_signature, signature, target.place(scalar), hash_alg, digest)
        return target.call(function, key, digest, 32, signature)

    def multiply(target: Target, function: str, _: int) -> int:
        # Little-endian, in words of either width.
        number, room = target.place(SCALAR.ljust(72, b"\0")), target.place(bytes(3 * 72))
        return target.call(function, room, number, target.address(f"cry_{symbol}_generator"))

    return Family(
        name,
        (symbol, "hmac", *hashes.PARTS),
        [
            Subject(f"{name}-ecdh", "library", f"cryptile_{symbol}_ecdh", ecdh, needs=needs,
                    multiplies=True),
            Subject(f"{name}-sign", "library", f"cryptile_{symbol}_sign", sign, needs=needs,
                    multiplies=True),
            Subject(f"{name}-verify", "library", f"cryptile_{symbol}_verify", verify, needs=needs,
                    multiplies=True),
            Subject(f"{name}-multiply", "library", f"cry_{symbol}_point_mul", multiply,
                    needs=(f"cry_{symbol}_generator",), multiplies=True),
        ],
    )  # fmt: skip
