"""Drives the ChaCha20-Poly1305 engine's port in cocotb and computes what its jobs should give."""

import random
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.poly1305 import Poly1305
from support.engine_port import (
    AAD,
    AUTH_FAILED,
    BAD_PARAM,
    CONTEXT,
    MESSAGE,
    OK,
    TAG,
    pack_beats,
    pack_job,
)
from support.job_port import JobPort, Result

CHACHA20, POLY1305, AEAD = range(3)
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
        return [int.from_bytes(self.key, "little")] if moves else []

    def pack(self) -> int:
        fields = {
            "mode": self.mode, "key_len": KEY_LEN_256, "decrypt": self.decrypt,
            "ctx_save": self.ctx_save, "aad_len": len(self.aad), "msg_len": len(self.data),
            "out_len": self.tag_bytes,
        }  # fmt: skip
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
    return whole_tag(job)[: job.tag_bytes or 16]


def whole_tag(job: Job) -> bytes:
    """Compute the tag before it is cut."""
    if job.mode == POLY1305:
        return Poly1305.generate_tag(job.key, job.data)
    # The key stream of block 0 gives Poly1305's key; its message is the ciphertext, here `data`.
    start = bytes(4) + job.iv[:12]
    one_time = Cipher(algorithms.ChaCha20(job.key, start), None).encryptor().update(bytes(32))
    padded = b"".join(part + bytes(-len(part) % 16) for part in (job.aad, job.data))
    lengths = len(job.aad).to_bytes(8, "little") + len(job.data).to_bytes(8, "little")
    return Poly1305.generate_tag(one_time, padded + lengths)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    data, tag, status, context = b"", b"", OK, b""
    if job.mode == CHACHA20:
        data = Cipher(algorithms.ChaCha20(job.key, job.iv), None).encryptor().update(job.data)
        if job.ctx_save:
            counter = int.from_bytes(job.iv[:4], "little") + len(data) // 64
            context = counter.to_bytes(4, "little") + job.iv[4:]
    elif job.mode == AEAD:
        if job.decrypt:
            start = (1).to_bytes(4, "little") + job.iv[:12]
            data = Cipher(algorithms.ChaCha20(job.key, start), None).encryptor().update(job.data)
        else:
            sealed = ChaCha20Poly1305(job.key).encrypt(job.iv[:12], job.data, job.aad)
            data, tag = sealed[:-16], sealed[-16:][: job.tag_bytes or 16]
    elif not job.decrypt:
        tag = right_tag(job)
    if job.mode != CHACHA20 and job.decrypt and job.tag != right_tag(job):
        status = AUTH_FAILED
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
