"""Hash functions, by the library's call."""

from cryptile.bench.software.calls import message
from cryptile.bench.software.subject import MESSAGE_SIZES, Family, Prepare, Subject
from cryptile.bench.software.target import Target


def _call(descriptor: str) -> Prepare:
    """``cryptile_hash()``."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given, out = target.place(message(size)), target.place(bytes(64))
        return target.call(symbol, target.address(descriptor), given, size, out)

    return prepare


PARTS = ("hash", "sha2", "keccak", "ascon")
"""The folders of ``sw/lib`` that the hash functions are in."""

_NAMES = {
    "sha-256": "cryptile_sha256",
    "sha-512": "cryptile_sha512",
    "sha3-256": "cryptile_sha3_256",
    "ascon-hash256": "cryptile_ascon_hash256",
}

FAMILY = Family(
    "hash",
    PARTS,
    [
        Subject(alg, "library", "cryptile_hash", _call(name), MESSAGE_SIZES, needs=(name,))
        for alg, name in _NAMES.items()
    ],
)
