"""Parameter blobs of the firmware programs, as ``catalog/params`` lays them out."""

from collections.abc import Sequence
from typing import Literal

from cryptile.catalog import algorithms, pack, params, statuses

IMPLEMENTATIONS = params("crypt").choices["impl"].words
"""Of ciphers on the microcontroller."""

MAX_BENCH_BLOCKS = params("bench").number("MaxBlocks")
"""The longest message that the bench program measures."""

MAX_BENCH_COUNTS = params("bench").number("MaxCounts")
"""How many numbers of blocks it is given at most."""

MAX_STREAM_BYTES = params("bench_stream").number("MaxBytes")
"""The longest message that the bench_stream program measures."""

MAX_TILE_BENCH_BYTES = params("bench_tile").number("MaxBytes")
"""The longest message that the bench_tile program measures."""

MAX_CALLS = params("call").number("MaxCalls")
"""How many calls the call program makes."""

MAX_CALL_ARENA = params("call").number("ArenaBytes")
"""Bytes of memory that the arguments of its calls point into."""

EXIT_BAD_BLOB = params("crypt").exits["BadBlob"]
EXIT_TRAP = 64
_RETURNED = statuses().library
STATUS = {-item.number: item.text for item in _RETURNED.values()}
"""Meaning of the crypt programs' exit codes; from EXIT_TRAP on: EXIT_TRAP + mcause."""
EXIT_BAD_LENGTH = -_RETURNED["ERR_LENGTH"].number
EXIT_BAD_PADDING = -_RETURNED["ERR_PADDING"].number
EXIT_BAD_TAG = -_RETURNED["ERR_AUTH"].number


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
    """Pack the blob of the crypt program."""
    return pack(
        params("crypt"),
        impl=impl,
        mode=mode,
        direction=direction,
        padding=padding,
        key_len=len(key),
        chunk=chunk,
        key=key,
        iv=iv,
    )


def bench(
    *,
    impls: Sequence[str],
    modes: Sequence[str] = ("ecb", "cbc", "ctr"),
    directions: Sequence[str] = ("encrypt",),
    key_bits: Sequence[int] = (128,),
    blocks: Sequence[int] = (1, 4, 32, 1024),
) -> bytes:
    """Pack the blob of the bench program."""
    return pack(
        params("bench"),
        paths=impls,
        modes=modes,
        directions=directions,
        key_lens=key_bits,
        count=len(blocks),
        blocks=blocks,
    )


def call(calls: Sequence[Sequence[int]], data_len: int) -> bytes:
    """Pack the blob of the call program: of each call the address and the eight arguments."""
    words = [word for each in calls for word in each]
    return pack(params("call"), count=len(calls), data_len=data_len, calls=words)


def bench_stream(*, ways: Sequence[str], algs: Sequence[str], sizes: Sequence[int]) -> bytes:
    """Pack the blob of the bench_stream program."""
    return pack(params("bench_stream"), paths=ways, algs=algs, count=len(sizes), bytes=sizes)


def crypt_stream(
    *,
    alg: str,
    direction: Literal["encrypt", "decrypt"],
    key: bytes,
    iv: bytes,
    aad: bytes = b"",
    sleep: bool = False,
    shifts: tuple[int, int] = (0, 0),
) -> bytes:
    """Pack the blob of the crypt_stream program."""
    mode = algorithms()[alg].mode
    return pack(
        params("crypt_stream"),
        mode=mode.number,
        tag_bytes=mode.tag or 0,
        decrypt=direction,
        sleep=sleep,
        shift_in=shifts[0],
        shift_out=shifts[1],
        key_bytes=len(key),
        key=key,
        iv=iv,
        aad_len=len(aad),
        aad=aad,
    )


def bench_tile(*, ways: Sequence[str], algs: Sequence[str], sizes: Sequence[int]) -> bytes:
    """Pack the blob of the bench_tile program."""
    return pack(
        params("bench_tile"),
        ways=ways,
        alg_count=len(algs),
        size_count=len(sizes),
        sizes=sizes,
        algs=algs,
    )


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
    """Pack the blob of the crypt_tile program."""
    return pack(
        params("crypt_tile"),
        alg=alg,
        decrypt=decrypt,
        pkcs7=pkcs7,
        sleep=sleep,
        shift_in=shifts[0],
        shift_out=shifts[1],
        key_len=len(key),
        iv_len=len(iv),
        aad_len=len(aad),
        tag_len=length,
        tag_apart=bool(tag),
        key=key,
        tag=tag,
        iv=iv,
        aad=aad,
    )
