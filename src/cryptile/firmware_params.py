"""Parameter blobs of the firmware, as ``sw/apps/*_params.h`` lay them out."""

import struct
from collections.abc import Iterable, Sequence

IMPLEMENTATIONS = {"compact": 0, "table": 1, "engine-poll": 2, "engine-sleep": 3, "bitsliced": 4}
MODES = {"ecb": 0, "cbc": 1, "ctr": 2}
DIRECTIONS = {"encrypt": 0, "decrypt": 1}
PADDINGS = {"none": 0, "pkcs7": 1}
KEY_BITS = {128: 0, 192: 1, 256: 2}

MAX_CHUNK = 32768
"""The longest chunk that the crypt program moves at a time."""

MAX_BLOCKS = 2048
"""The longest message that the bench program measures."""

EXIT_BAD_BLOB = 32
EXIT_TRAP = 64
STATUS = {
    0: "ok",
    1: "bad parameter",
    2: "wrong state",
    3: "the length is not a whole number of blocks",
    4: "bad padding (wrong key, or damaged data)",
    5: "the engine is busy",
    6: "the engine did not finish in time",
    7: "the engine met a bad address",
    8: "the engine detected a fault",
    9: "not built into this engine, or not possible with these parameters",
    10: "wrong tag",
    11: "the key slot refuses",
}
"""Meaning of the crypt programs' exit codes; from EXIT_TRAP on: EXIT_TRAP + mcause."""
EXIT_BAD_LENGTH = 3
EXIT_BAD_PADDING = 4
EXIT_BAD_TAG = 10

_MAX_COUNTS = 8


def crypt(
    *,
    impl: str,
    mode: str,
    direction: str,
    key: bytes,
    iv: bytes = b"",
    padding: str = "none",
    chunk: int = 16384,
) -> bytes:
    """Pack the blob of the crypt program (``crypt_params.h``)."""
    return struct.pack(
        "<4s7I32s16s",
        b"CRYP",
        1,
        IMPLEMENTATIONS[impl],
        MODES[mode],
        DIRECTIONS[direction],
        PADDINGS[padding],
        len(key),
        chunk,
        key,
        iv,
    )


def bench(
    *,
    impls: Sequence[str],
    modes: Sequence[str] = ("ecb", "cbc", "ctr"),
    directions: Sequence[str] = ("encrypt",),
    key_bits: Sequence[int] = (128,),
    blocks: Sequence[int] = (1, 4, 32, 1024),
) -> bytes:
    """Pack the blob of the bench program (``bench_params.h``)."""
    if not 0 < len(blocks) <= _MAX_COUNTS:
        raise ValueError(f"1 to {_MAX_COUNTS} numbers of blocks")
    return struct.pack(
        "<4s14I",
        b"BENC",
        1,
        _bits(IMPLEMENTATIONS[name] for name in impls),
        _bits(MODES[name] for name in modes),
        _bits(DIRECTIONS[name] for name in directions),
        _bits(KEY_BITS[bits] for bits in key_bits),
        len(blocks),
        *blocks,
        *[0] * (_MAX_COUNTS - len(blocks)),
    )


STREAM_WAYS = {"poll": 0, "sleep": 1, "asm": 2, "c": 3}
STREAM_ALGS = {"chacha20": 0, "chacha20-poly1305": 1, "aes-128-ctr": 2, "copy": 3}
MAX_STREAM_BYTES = 4 << 20
"""The longest message that the bench_stream program measures."""

_MAX_SIZES = 16


def bench_stream(*, ways: Sequence[str], algs: Sequence[str], sizes: Sequence[int]) -> bytes:
    """Pack the blob of the bench_stream program (``bench_stream_params.h``)."""
    if not 0 < len(sizes) <= _MAX_SIZES:
        raise ValueError(f"1 to {_MAX_SIZES} sizes")
    return struct.pack(
        "<4s20I",
        b"STRM",
        1,
        _bits(STREAM_WAYS[name] for name in ways),
        _bits(STREAM_ALGS[name] for name in algs),
        len(sizes),
        *sizes,
        *[0] * (_MAX_SIZES - len(sizes)),
    )


def crypt_stream(
    *,
    alg: str,
    direction: str,
    key: bytes,
    nonce: bytes,
    counter: int = 0,
    aad: bytes = b"",
    sleep: bool = False,
    shifts: tuple[int, int] = (0, 0),
) -> bytes:
    """Pack the blob of the crypt_stream program (``crypt_stream_params.h``)."""
    return struct.pack(
        "<4s7I32s12sI64s",
        b"CRYS",
        1,
        STREAM_ALGS[alg],
        DIRECTIONS[direction],
        int(sleep),
        *shifts,
        counter,
        key,
        nonce,
        len(aad),
        aad,
    )


TILE_WAYS = {"single": 0, "queued": 1, "software": 2}
MAX_TILE_BENCH_BYTES = 4 << 20
"""The longest message that the bench_tile program measures."""

_MAX_TILE_ALGS = 48


def bench_tile(*, ways: Sequence[str], algs: Sequence[str], sizes: Sequence[int]) -> bytes:
    """Pack the blob of the bench_tile program (``bench_tile_params.h``)."""
    if len(sizes) > _MAX_SIZES or len(algs) > _MAX_TILE_ALGS:
        raise ValueError(f"up to {_MAX_SIZES} sizes and {_MAX_TILE_ALGS} algorithms")
    names = b"".join(alg.encode().ljust(24, b"\0") for alg in algs)
    return struct.pack(
        f"<4s{4 + _MAX_SIZES}I{24 * _MAX_TILE_ALGS}s",
        b"TBNC",
        1,
        _bits(TILE_WAYS[name] for name in ways),
        len(algs),
        len(sizes),
        *sizes,
        *[0] * (_MAX_SIZES - len(sizes)),
        names,
    )


MAX_TILE_KEY, MAX_TILE_IV, MAX_TILE_AAD, MAX_TILE_TAG = 1024, 1024, 4096, 256


def crypt_tile(
    *,
    alg: str,
    key: bytes = b"",
    iv: bytes = b"",
    aad: bytes = b"",
    tag: bytes = b"",
    length: int = 0,
    decrypt: bool = False,
    pkcs7: bool = False,
    sleep: bool = False,
    shifts: tuple[int, int] = (0, 0),
) -> bytes:
    """Pack the blob of the crypt_tile program (``crypt_tile_params.h``)."""
    return struct.pack(
        f"<4sI32s10I{MAX_TILE_KEY}s{MAX_TILE_TAG}s{MAX_TILE_IV}s{MAX_TILE_AAD}s",
        b"CRYT",
        2,
        alg.encode(),
        int(decrypt),
        int(pkcs7),
        int(sleep),
        *shifts,
        len(key),
        len(iv),
        len(aad),
        length,
        int(bool(tag)),
        key,
        tag,
        iv,
        aad,
    )


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in set(numbers))
