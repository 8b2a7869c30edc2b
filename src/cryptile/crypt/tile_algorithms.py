"""The algorithms of the crypto tile and their lengths, as ``sw/hal/tile_alg.c`` has them."""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What an algorithm makes of a message."""

    cipher = "cipher"
    aead = "authenticated cipher"
    hash = "hash function"
    xof = "extendable-output function"
    mac = "message authentication code"


@dataclass(frozen=True)
class Algorithm:
    """One algorithm.

    Attributes:
        name: the word for ``--alg``.
        kind: what it makes.
        keys: lengths of key in bytes; a key of 0 is none.
        ivs: lengths of IV.
        tags: lengths of tag, digest, code or output; none of a cipher.
        tag: the length unless told otherwise.
        aad: the longest associated data or customization string.
        block: messages are multiples of it; 1 for any.
        least: the shortest message.
    """

    name: str
    kind: Kind
    keys: Container[int] = (0,)
    ivs: Container[int] = (0,)
    tags: Container[int] = (0,)
    tag: int = 0
    aad: int = 0
    block: int = 1
    least: int = 0


MAX_BYTES = 64 << 20
"""The longest message: it lies in memory as a whole until a tag is checked."""

MAX_AAD, MAX_CUSTOM, MAX_IV, MAX_KEY, MAX_OUTPUT = 4096, 255, 1023, 1024, 1 << 20

MAX_VERIFIED = 255
"""The longest code that verify takes."""

MIN_CODE = 4
"""The shortest code: NIST SP 800-38B (CMAC), SP 800-107 (HMAC), SP 800-185 (KMAC)."""

_ANY_KEY = range(1, MAX_KEY + 1)
_ANY_OUTPUT = range(1, MAX_OUTPUT + 1)
_ANY_CODE = range(MIN_CODE, MAX_OUTPUT + 1)
_SHA2 = {"sha224": 28, "sha256": 32, "sha384": 48, "sha512": 64, "sha512-224": 28, "sha512-256": 32}


def _aes(bits: int) -> list[Algorithm]:
    name, key = f"aes-{bits}", (bits // 8,)
    made = [
        Algorithm(f"{name}-ecb", Kind.cipher, key, block=16),
        Algorithm(f"{name}-cbc", Kind.cipher, key, (16,), block=16),
        Algorithm(f"{name}-ctr", Kind.cipher, key, (16,)),
        Algorithm(
            f"{name}-gcm", Kind.aead, key, range(1, MAX_IV + 1), (4, 8, *range(12, 17)), 16, MAX_AAD
        ),
        Algorithm(f"{name}-ccm", Kind.aead, key, range(7, 14), range(4, 17, 2), 16, MAX_AAD),
        Algorithm(f"{name}-cmac", Kind.mac, key, tags=range(MIN_CODE, 17), tag=16),
    ]
    if bits != 192:
        made.append(Algorithm(f"{name}-xts", Kind.cipher, (bits // 4,), (16,), least=16))
    return made


def _sha2(name: str, size: int) -> list[Algorithm]:
    return [
        Algorithm(name, Kind.hash, tags=(size,), tag=size),
        Algorithm(f"hmac-{name}", Kind.mac, _ANY_KEY, tags=range(MIN_CODE, size + 1), tag=size),
    ]


def _keccak(bits: int) -> list[Algorithm]:
    size = bits // 4
    made = [
        Algorithm(f"{name}{bits}", Kind.xof, tags=_ANY_OUTPUT, tag=size, aad=aad)
        for name, aad in (("shake", 0), ("cshake", MAX_CUSTOM))
    ]
    made += [
        Algorithm(f"{name}{bits}", Kind.mac, _ANY_KEY, tags=_ANY_CODE, tag=size, aad=MAX_CUSTOM)
        for name in ("kmac", "kmacxof")
    ]
    return made


ALGORITHMS = {
    alg.name: alg
    for alg in (
        *(alg for bits in (128, 192, 256) for alg in _aes(bits)),
        *(alg for name, size in _SHA2.items() for alg in _sha2(name, size)),
        *(
            Algorithm(f"sha3-{bits}", Kind.hash, tags=(bits // 8,), tag=bits // 8)
            for bits in (224, 256, 384, 512)
        ),
        *(alg for bits in (128, 256) for alg in _keccak(bits)),
        Algorithm("chacha20", Kind.cipher, (32,), (16,)),
        Algorithm("poly1305", Kind.mac, (32,), tags=(16,), tag=16),
        Algorithm("chacha20-poly1305", Kind.aead, (32,), (12,), (16,), 16, MAX_AAD),
    )
}
"""All algorithms by name."""
