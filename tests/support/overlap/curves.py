"""Elliptic curves."""

import random

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from support.overlap.calls import Call, Env, Job, simple

_POINTS = {
    name: ec.derive_private_key(1, curve)
    .public_key()
    .public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    for name, curve in (
        ("p256", ec.SECP256R1()),
        ("p384", ec.SECP384R1()),
        ("p521", ec.SECP521R1()),
    )
}
"""The generators."""


def curves() -> list[Call]:
    def secret(env: Env, rng: random.Random, size: int = 32) -> int:
        return env.place(b"\x01" + rng.randbytes(size - 1))

    def sha256(env: Env) -> int:
        return env.symbol("cryptile_sha256")

    short, message = (32,), (0, 1, 64, 200)
    key = "cryptile_ed25519_sign"
    rows = [
        ("cryptile_x25519_public", "secret", 32, short, lambda e, r, a, n, b: [b, a]),
        ("cryptile_x25519", "secret", 32, short, lambda e, r, a, n, b: [b, a, secret(e, r)]),
        ("cryptile_x25519", "peer", 32, short, lambda e, r, a, n, b: [b, secret(e, r), a]),
        ("cryptile_ed25519_public", "seed", 32, short, lambda e, r, a, n, b: [b, a]),
        (key, "message", 64, message, lambda e, r, a, n, b: [b, a, n, secret(e, r), secret(e, r)]),
        (key, "seed", 64, short, lambda e, r, a, n, b: [b, secret(e, r), 32, a, secret(e, r)]),
        (key, "public key", 64, short, lambda e, r, a, n, b: [b, secret(e, r), 9, secret(e, r), a]),
    ]
    for curve, size in (("p256", 32), ("p384", 48), ("p521", 66)):
        sign, sizes = f"cryptile_{curve}_sign", (size,)
        rows += [
            (f"cryptile_{curve}_public_key", "private key", 1 + 2 * size, sizes,
             lambda e, r, a, n, b: [b, a]),
            (sign, "private key", 2 * size, sizes,
             lambda e, r, a, n, b: [b, a, sha256(e), secret(e, r)]),
            (sign, "digest", 2 * size, short,
             lambda e, r, a, n, b, size=size: [b, secret(e, r, size), sha256(e), a]),
        ]  # fmt: skip
    calls = [
        simple(
            name, room, arguments, title=f"{name}, {what}", lengths=lengths, slow=True, first=b"\1"
        )
        for name, what, room, lengths, arguments in rows
    ]

    return [
        *calls,
        *(_ecdh(curve, "private key") for curve in _POINTS),
        *(_ecdh(curve, "peer") for curve in _POINTS),
    ]


def _ecdh(curve: str, what: str) -> Call:
    size = len(_POINTS[curve]) // 2

    def make(env: Env, rng: random.Random, length: int) -> Job:
        private, peer = b"\x01" + rng.randbytes(size - 1), _POINTS[curve]
        keys = [env.place(private), env.place(peer)]

        def run(source: int, target: int) -> tuple[int, int]:
            inputs = [source, keys[1]] if what == "private key" else [keys[0], source]
            return env.call(f"cryptile_{curve}_ecdh", target, *inputs), size

        return Job(private if what == "private key" else peer, size, run)

    length = size if what == "private key" else 1 + 2 * size
    return Call(f"cryptile_{curve}_ecdh, {what}", make, (length,), True)
