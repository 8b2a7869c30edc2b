"""A job on the engine port, with what it takes."""

from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = 16
MESSAGE, AAD, TAG, CONTEXT = range(4)
"""Kinds of beats."""


@dataclass(frozen=True)
class Job:
    """One job, with its key and the beats it takes.

    Attributes:
        mode, decrypt, key_len, ctx_save, is_final, iv, key_bytes, out_len: fields of the job.
        context: what comes in first, if not empty.
        aad, message: the bytes that come in.
        tag: the tag that comes in behind them.
        key: taken by the job in transfers of 32 bytes; ``None`` if it takes none.
        refused: the job has a bad parameter, so it takes nothing.
    """

    mode: int
    decrypt: bool
    key_len: int
    iv: bytes
    message: bytes
    key: bytes | None
    aad: bytes = b""
    tag: bytes | None = None
    ctx_save: bool = False
    is_final: bool = True
    refused: bool = False
    key_bytes: int = 0
    out_len: int = 0
    context: bytes = b""

    def word(self) -> int:
        """Return the bits of ``job_t``."""
        bits = int(self.context != b"")
        for value, width in (
            (0, 10),
            (self.key_bytes, 7),
            (self.out_len, 32),
            (self.mode, 4),
            (int(self.decrypt), 1),
            (self.key_len, 2),
            (int(self.ctx_save), 1),
            (int(self.is_final), 1),
            (int.from_bytes(self.iv, "little"), 128),
            (len(self.aad), 32),
            (len(self.message), 32),
        ):
            bits = bits << width | value
        return bits

    def transfers(self) -> list[int]:
        """Return the bits of every key transfer that the job takes."""
        key = self.key or b""
        return [int.from_bytes(key[i : i + 32], "little") for i in range(0, len(key), 32)]

    def beats(self) -> Iterator[int]:
        """Yield the bits of every ``beat_t`` that the job takes."""
        if self.refused:
            return
        for kind, data in (
            (CONTEXT, self.context),
            (AAD, self.aad),
            (MESSAGE, self.message),
            (TAG, self.tag or b""),
        ):
            for start in range(0, len(data), BLOCK):
                chunk = data[start : start + BLOCK]
                bits = int.from_bytes(chunk, "little") << 19
                bits |= ((1 << len(chunk)) - 1) << 3
                yield bits | int(start + BLOCK >= len(data)) << 2 | kind
