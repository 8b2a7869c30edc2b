"""Known answers of the designers of Ascon for SP 800-232, from the crates that carry them."""

from collections.abc import Iterator
from functools import cache

from support.crates import Crate

_AEAD = Crate(
    "ascon-aead",
    "0.6.0",
    "6cba922132fed390c20be89a16fa713999c46b2ce84ac4b0ecee0f3586a39d88",
    "tests/data/*.txt",
)
_HASH = Crate(
    "ascon-hash",
    "0.4.0",
    "0c2430ca8a6b1b7c5665b3a367bd1083d229ccd340131f89cdaeb3cfc247b68b",
    "tests/data/*.txt",
)
_XOF = Crate(
    "ascon-xof128",
    "0.2.1",
    "cd325f349523a0f1f6a034789e996419a18bc247b11f8f09f86a8fbcea3dec20",
    "tests/data/*.blb",
)


@cache
def aead128() -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Return keys, nonces, associated data, plaintexts, and ciphertexts with their tags."""
    names = ("Key", "Nonce", "AD", "PT", "CT")
    return [tuple(item[name] for name in names) for item in _records(_AEAD, "ascon128.txt")]


@cache
def hash256() -> list[tuple[bytes, bytes]]:
    """Return messages and digests."""
    return [(item["Msg"], item["MD"]) for item in _records(_HASH, "asconhash.txt")]


@cache
def xof128() -> list[tuple[bytes, bytes]]:
    """Return messages and outputs."""
    return [(item["Msg"], item["MD"]) for item in _records(_HASH, "asconxof.txt")]


@cache
def cxof128() -> list[tuple[bytes, bytes, bytes]]:
    """Return messages, customization strings and outputs."""
    blobs = list(_blobs((_XOF.folder() / "ascon_cxof128_kat.blb").read_bytes()))
    return list(zip(blobs[::3], blobs[1::3], blobs[2::3], strict=True))


def _records(crate: Crate, name: str) -> Iterator[dict[str, bytes]]:
    for block in (crate.folder() / name).read_text().split("\n\n"):
        fields = [line.partition(" =") for line in block.splitlines()]
        if fields:
            yield {key: bytes.fromhex(value) for key, _, value in fields if key != "Count"}


def _blobs(data: bytes) -> Iterator[bytes]:
    """Yield the byte strings of a file of the crate ``blobby``."""
    at = 0

    def number() -> int:
        nonlocal at
        value = data[at] & 127
        while data[at] & 128:
            at += 1
            value = value + 1 << 7 | data[at] & 127
        at += 1
        return value

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    count = number()
    repeated = [take(number()) for _ in range(number())]
    for _ in range(count):
        head = number()
        yield repeated[head >> 1] if head & 1 else take(head >> 1)
    assert at == len(data)
