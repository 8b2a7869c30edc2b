"""A job on the engine port, with what it takes."""

from collections.abc import Iterator
from dataclasses import dataclass

from cryptile.jobs.port import AAD, CONTEXT, MESSAGE, TAG, pack_beats, pack_job, pack_key


@dataclass(frozen=True)
class Job:
    """One job, with its key and the beats it takes.

    Attributes:
        mode, decrypt, key_len, ctx_save, is_final, iv, key_bytes, out_len: fields of the job.
        context: what comes in first, if not empty.
        long_iv: an IV that comes in instead, as beats of a context's kind.
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
    long_iv: bytes = b""

    def word(self) -> int:
        """Return the bits of ``job_t``."""
        return pack_job(
            mode=self.mode,
            key_len=self.key_len,
            iv=self.iv,
            decrypt=self.decrypt,
            ctx_save=self.ctx_save,
            is_final=self.is_final,
            aad_len=len(self.aad),
            msg_len=len(self.message),
            ctx_load=self.context != b"",
            iv_len=len(self.long_iv),
            key_bytes=self.key_bytes,
            out_len=self.out_len,
        )

    def transfers(self) -> list[int]:
        """Return the bits of every key transfer that the job takes."""
        return pack_key(self.key or b"")

    def beats(self) -> Iterator[int]:
        """Yield the bits of every ``beat_t`` that the job takes."""
        if self.refused:
            return
        for kind, data in (
            (CONTEXT, self.context or self.long_iv),
            (AAD, self.aad),
            (MESSAGE, self.message),
            (TAG, self.tag or b""),
        ):
            yield from pack_beats(data, kind)
