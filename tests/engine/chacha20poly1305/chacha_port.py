"""Drives the ChaCha20-Poly1305 engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from support.job_port import JobPort, Result

from cryptile.jobs.oracle.chacha20poly1305 import AEAD, CHACHA20, POLY1305, crypt, next_iv
from cryptile.jobs.port import (
    AAD,
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    MESSAGE,
    OK,
    TAG,
    pack_beats,
    pack_job,
    pack_key,
)

KEY_LEN_256 = 2


@dataclass
class Job:
    """One job with everything that goes in; `tag` is what comes on `src` in decryption."""

    mode: int
    key: bytes
    data: bytes
    iv: bytes = bytes(16)
    aad: bytes = b""
    tag: bytes = b""
    decrypt: bool = False
    ctx_save: bool = False
    bad: bool = False
    tag_bytes: int = 0
    """Of the tag that is made or compared; 0 is 16."""
    change: dict[str, int] = field(default_factory=dict)
    """Fields of the job that are not what the other attributes say."""

    def keys(self, rng: random.Random) -> list[int]:
        """The key, if the engine asks for it."""
        moves = not self.bad and (self.mode != CHACHA20 or len(self.data) > 0)
        return pack_key(self.key) if moves else []

    def pack(self) -> int:
        fields = {
            "mode": self.mode,
            "key_len": KEY_LEN_256,
            "decrypt": self.decrypt,
            "ctx_save": self.ctx_save,
            "aad_len": len(self.aad),
            "msg_len": len(self.data),
            "out_len": self.tag_bytes,
        }
        return pack_job(iv=self.iv, **{**fields, **self.change})

    def src(self) -> list[int]:
        if self.bad:
            return []
        beats = pack_beats(self.aad, AAD) + pack_beats(self.data, MESSAGE)
        if self.decrypt and self.mode != CHACHA20:
            beats += pack_beats(self.tag, TAG)
        return beats


def right_tag(job: Job) -> bytes:
    """Compute the tag that decryption should find."""
    return compute(job)[1][: job.tag_bytes or 16]


def compute(job: Job) -> tuple[bytes, bytes]:
    """Compute message and tag, before it is cut."""
    return crypt(job.mode, job.key, job.iv, job.data, job.aad, decrypt=job.decrypt)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    (data, tag), status, context = compute(job), OK, b""
    tag = tag[: job.tag_bytes or 16]
    if job.mode == CHACHA20 and job.ctx_save:
        context = next_iv(job.iv, len(data))
    if job.mode != CHACHA20 and job.decrypt:
        status = OK if job.tag == tag else AUTH_FAILED
        tag = b""
    beats = pack_beats(data) + pack_beats(tag, TAG) + pack_beats(context, CONTEXT)
    return Result(status, beats)


def random_job(rng: random.Random, most: int = 200) -> Job:
    """Make a good job of any kind; every fourth tag to compare is wrong."""
    mode = rng.choice([CHACHA20, POLY1305, AEAD, AEAD])
    size = rng.choice([rng.randrange(most), 16 * rng.randrange(most // 16 + 1), rng.randrange(20)])
    job = Job(mode, rng.randbytes(32), rng.randbytes(size), rng.randbytes(16))
    job.decrypt = rng.random() < 0.5
    if mode == AEAD:
        job.aad = rng.randbytes(rng.choice([0, rng.randrange(80), 16 * rng.randrange(5)]))
    if mode == CHACHA20:
        counter = rng.choice([0, 1, rng.randrange(2**32 - 100), 2**32 - -(-size // 64) - 1])
        job.iv = counter.to_bytes(4, "little") + job.iv[4:]
        job.ctx_save = size % 64 == 0 and rng.random() < 0.7
        job.tag_bytes = rng.choice([0, 1, 17, 2**32 - 1])  # means nothing here
    else:
        job.tag_bytes = rng.choice([0, 0, rng.randrange(1, 17)])
    if mode != CHACHA20 and job.decrypt:
        job.tag = right_tag(job)
        if rng.random() < 0.25:
            size = len(job.tag)
            wrong = int.from_bytes(job.tag, "little") ^ 1 << rng.randrange(8 * size)
            job.tag = wrong.to_bytes(size, "little")
    return job


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)
