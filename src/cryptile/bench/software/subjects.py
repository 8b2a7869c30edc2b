"""Every routine that ``cryptile bench software`` measures, by family; AES in ``aes_subjects``."""

from dataclasses import dataclass

from cryptile.asm import routines
from cryptile.bench.software import aes_subjects
from cryptile.bench.software.subject import BULK, MESSAGE_SIZES, Prepare, Subject
from cryptile.bench.software.target import Target

_KEY = bytes(range(32))


def _message(size: int) -> bytes:
    return bytes(n * 7 & 0xFF for n in range(size))


def _stream(block: int, state: bytes) -> Prepare:
    """``f(state, in, out, blocks)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given, out = target.place(_message(size)), target.place(bytes(size))
        return target.call(symbol, target.place(state), given, out, size // block)

    return prepare


def _absorb(block: int, state: bytes, *extra: int) -> Prepare:
    """``f(state, in, blocks, ...)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given = target.place(_message(size))
        return target.call(symbol, target.place(state), given, size // block, *extra)

    return prepare


def _in_place(state: bytes) -> Prepare:
    """``f(state)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        return target.call(symbol, target.place(state))

    return prepare


def _numbers(limbs: int, *extra: int) -> Prepare:
    """``f(r, a, b, ...)`` on big integers."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        a, b = target.place(_message(4 * limbs)), target.place(_message(4 * limbs)[::-1])
        return target.call(symbol, target.place(bytes(8 * limbs)), a, b, *extra)

    return prepare


def _poly1305(target: Target, symbol: str, size: int) -> int:
    context = target.place(bytes(256))
    target.call("cry_poly1305_init", context, target.place(_KEY))
    return target.call(symbol, context, target.place(_message(size)), size // 16, 1)


def _bytes_out_in(*inputs: bytes, out: int) -> Prepare:
    """``f(out, in...)``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        return target.call(symbol, target.place(bytes(out)), *(target.place(x) for x in inputs))

    return prepare


def _hash(descriptor: str) -> Prepare:
    def prepare(target: Target, symbol: str, size: int) -> int:
        given, out = target.place(_message(size)), target.place(bytes(64))
        return target.call(symbol, target.address(descriptor), given, size, out)

    return prepare


def _chacha20_call(target: Target, symbol: str, size: int) -> int:
    given, out = target.place(_message(size)), target.place(bytes(size))
    return target.call(symbol, target.place(_KEY), target.place(_KEY[:12]), 1, given, out, size)


def _chacha20() -> list[Subject]:
    prepare = _stream(64, _message(64))
    return [
        Subject("chacha20", impl, f"cry_chacha20_blocks_{impl}", prepare, (64, 256, 1536, BULK))
        for impl in ("c", "looped", "unrolled")
    ] + [Subject("chacha20", "library", "cryptile_chacha20", _chacha20_call, MESSAGE_SIZES)]


def _poly() -> list[Subject]:
    return [
        Subject(
            "poly1305",
            impl,
            f"cry_poly1305_blocks_{impl}",
            _poly1305,
            MESSAGE_SIZES,
            needs=("cry_poly1305_init",),
        )
        for impl in ("c", "multiply", "shift")
    ]


def _sha2() -> list[Subject]:
    state = _message(64)
    return [
        Subject(
            f"sha-{bits}", impl, f"cry_sha{bits}_blocks_{impl}", _absorb(block, state),
            tuple(size for size in (block, 1536, BULK)), tables=(f"cry_sha{bits}_k",),
        )
        for bits, block in ((256, 64), (512, 128))
        for impl in ("c", "asm", "clmul")
    ]  # fmt: skip


def _keccak() -> list[Subject]:
    return [
        Subject("keccak-f1600", impl, f"cry_keccak_f1600_{impl}", _in_place(_message(200)))
        for impl in ("c", "looped", "asm", "interleaved_c", "interleaved_asm")
    ]


_LIMBS = (2, 4, 6, 8, 10, 12, 16, 20, 24, 32)


def _bigint() -> list[Subject]:
    generated = {routine.symbol for routine in routines.of("bigint")}
    found = []
    for limbs in _LIMBS:
        for operation in ("add", "sub", "mul", "sqr"):
            for impl in ("full", "schoolbook", "karatsuba", "reduced", "xcarry", "looped", "c"):
                any_size = impl in ("looped", "c")
                symbol = f"cry_bigint_{operation}_{impl if any_size else f'{limbs}_{impl}'}"
                extra = (limbs,) if any_size else ()
                inputs = 2 if operation != "sqr" else 1
                prepare = (
                    _numbers(limbs, *extra)
                    if inputs == 2
                    else _bytes_out_in(_message(4 * limbs), out=8 * limbs)
                )
                if symbol not in generated and not (any_size and operation != "sqr"):
                    continue
                found.append(
                    Subject(f"bigint-{operation}", impl, symbol, prepare, params={"limbs": limbs},
                            multiplies=operation in ("mul", "sqr"))
                )  # fmt: skip
    return found


_POINT = bytes.fromhex(
    "04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)


_SCALAR = bytes(range(1, 33))


def _curve25519() -> list[Subject]:
    nine = (9).to_bytes(32, "little")

    def keys(target: Target) -> tuple[int, int]:
        seed, public = target.place(_SCALAR), target.place(bytes(32))
        target.call("cryptile_ed25519_public", public, seed)
        return seed, public

    def sign(target: Target, symbol: str, size: int) -> int:
        seed, public = keys(target)
        return target.call(symbol, target.place(bytes(64)), target.place(_KEY), 32, seed, public)

    def verify(target: Target, symbol: str, size: int) -> int:
        seed, public = keys(target)
        signature, message = target.place(bytes(64)), target.place(_KEY)
        target.call("cryptile_ed25519_sign", signature, message, 32, seed, public)
        return target.call(symbol, signature, message, 32, public)

    needs = ("cryptile_ed25519_public", "cryptile_ed25519_sign")
    return [
        Subject("x25519", "library", "cryptile_x25519", _bytes_out_in(_SCALAR, nine, out=32),
                multiplies=True),
        Subject("ed25519-sign", "library", "cryptile_ed25519_sign", sign, needs=needs,
                multiplies=True),
        Subject("ed25519-verify", "library", "cryptile_ed25519_verify", verify, needs=needs,
                multiplies=True),
    ]  # fmt: skip


def _p256() -> list[Subject]:
    def sign(target: Target, symbol: str, size: int) -> int:
        key, digest = target.place(_SCALAR), target.place(_KEY)
        return target.call(
            symbol, target.place(bytes(64)), key, target.address("cryptile_sha256"), digest
        )

    def verify(target: Target, symbol: str, size: int) -> int:
        key, digest, hash_alg = (
            target.place(_SCALAR), target.place(_KEY), target.address("cryptile_sha256"),
        )  # fmt: skip
        public, signature = target.place(bytes(65)), target.place(bytes(64))
        target.call("cryptile_p256_public_key", public, key)
        target.call("cryptile_p256_sign", signature, key, hash_alg, digest)
        return target.call(symbol, public, digest, 32, signature)

    ecdh = _bytes_out_in(_SCALAR, _POINT, out=32)
    needs = ("cryptile_p256_public_key", "cryptile_p256_sign", "cryptile_sha256")
    return [
        Subject("p-256-ecdh", "library", "cryptile_p256_ecdh", ecdh, multiplies=True),
        Subject("p-256-sign", "library", "cryptile_p256_sign", sign, needs=needs, multiplies=True),
        Subject("p-256-verify", "library", "cryptile_p256_verify", verify, needs=needs,
                multiplies=True),
        Subject("p-256-multiply", "library", "cry_p256_point_mul", _p256_multiply,
                needs=("cry_p256_generator",), multiplies=True),
    ]  # fmt: skip


def _p256_multiply(target: Target, symbol: str, size: int) -> int:
    scalar = target.place(_SCALAR)
    return target.call(
        symbol, target.place(bytes(96)), scalar, target.address("cry_p256_generator")
    )


def _hashes() -> list[Subject]:
    names = {
        "sha-256": "cryptile_sha256", "sha-512": "cryptile_sha512", "sha3-256": "cryptile_sha3_256",
        "ascon-hash256": "cryptile_ascon_hash256",
    }  # fmt: skip
    return [
        Subject(alg, "library", "cryptile_hash", _hash(name), MESSAGE_SIZES, needs=(name,))
        for alg, name in names.items()
    ]


def _ghash() -> list[Subject]:
    prepare = _absorb(16, _message(32))
    return [
        Subject("ghash", impl, f"cry_ghash_blocks_{impl}", prepare, MESSAGE_SIZES)
        for impl in ("shift_c", "multiply_c", "shift", "multiply", "clmul")
    ]


def _ascon() -> list[Subject]:
    def blocks(target: Target, symbol: str, size: int) -> int:
        given, out = target.place(_message(size)), target.place(bytes(size))
        return target.call(symbol, target.place(_message(40)), given, out, size // 16, 1)

    def permutation(target: Target, symbol: str, size: int) -> int:
        return target.call(symbol, target.place(_message(40)), 12)

    return [
        subject
        for impl in ("c", "asm")
        for subject in (
            Subject("ascon-aead128", impl, f"cry_ascon_blocks_{impl}", blocks, MESSAGE_SIZES),
            Subject("ascon-p12", impl, f"cry_ascon_permute_{impl}", permutation),
        )
    ]


def _sealed(descriptor: str, key: int, nonce: int) -> Prepare:
    """``cryptile_aead_encrypt()`` without associated data."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        members = (
            target.place(_KEY[:key]), key, target.place(_KEY[:nonce]), nonce, 16,
        )  # fmt: skip
        params = target.place(b"".join(item.to_bytes(target.word, "little") for item in members))
        given, out = target.place(_message(size)), target.place(bytes(size + 16))
        return target.call(
            symbol, target.address(descriptor), params, 0, 0, given, size, out, out + size
        )

    return prepare


def _aead() -> list[Subject]:
    algorithms = {
        "aes-128-gcm": ("cryptile_aes_gcm", 16, 12),
        "aes-128-ccm": ("cryptile_aes_ccm", 16, 13),
        "chacha20-poly1305": ("cryptile_chacha20_poly1305", 32, 12),
        "ascon-aead128": ("cryptile_ascon_aead128", 16, 16),
    }
    return [
        Subject(alg, "library", "cryptile_aead_encrypt", _sealed(name, key, nonce),
                MESSAGE_SIZES, needs=(name,))
        for alg, (name, key, nonce) in algorithms.items()
    ]  # fmt: skip


def _cmac(target: Target, symbol: str, size: int) -> int:
    given, code = target.place(_message(size)), target.place(bytes(16))
    return target.call(symbol, target.place(_KEY[:16]), 16, given, size, code, 16)


def _xts(target: Target, symbol: str, size: int) -> int:
    given, out = target.place(_message(size)), target.place(bytes(size))
    return target.call(symbol, 0, target.place(_KEY), 32, target.place(_KEY[:16]), given, out, size)


@dataclass(frozen=True)
class Family:
    """Subjects that are linked and run together.

    Attributes:
        parts: the folders of ``sw/lib`` that they need.
        subjects: what is measured.
    """

    parts: tuple[str, ...]
    subjects: list[Subject]


_HASH = ("hash", "sha2", "keccak", "ascon")
_AEAD = ("aead", "aes", "cipher", "ghash", "chacha20", "poly1305", "ascon", "keccak")

FAMILIES = {
    "aes": Family(("aes", "cipher"), aes_subjects.SUBJECTS),
    "chacha20": Family(("chacha20",), _chacha20()),
    "cmac": Family(
        ("aes", "cmac"),
        [
            Subject("aes-128-cmac", "library", "cryptile_cmac", _cmac, MESSAGE_SIZES),
        ],
    ),
    "xts": Family(
        ("aes", "xts"),
        [
            Subject("aes-128-xts", "library", "cryptile_xts", _xts, MESSAGE_SIZES),
        ],
    ),
    "poly1305": Family(("poly1305",), _poly()),
    "sha-2": Family(("sha2",), _sha2()),
    "keccak": Family(("keccak",), _keccak()),
    "ascon": Family(("ascon", "keccak"), _ascon()),
    "ghash": Family(("ghash",), _ghash()),
    "hash": Family(_HASH, _hashes()),
    "aead": Family(_AEAD, _aead()),
    "bigint": Family(("bigint",), _bigint()),
    "curve25519": Family(("curve25519", "bigint", *_HASH), _curve25519()),
    "p-256": Family(("p256", "hmac", *_HASH), _p256()),
}
"""The families, by the word for ``--family``."""
