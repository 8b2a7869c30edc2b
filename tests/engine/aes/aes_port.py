"""Drives the AES engine's port in cocotb and computes what AES jobs should give."""

import random
from dataclasses import dataclass

from support.job_port import JobPort, Result

from cryptile.jobs.oracle.aes import crypt, next_iv
from cryptile.jobs.port import BAD_PARAM, CONTEXT, OK, pack_beats, pack_job, pack_key


@dataclass
class Job:
    """One job with everything that goes in; `key` and `data` may be empty for bad jobs."""

    mode: int
    key: bytes
    data: bytes
    iv: bytes = bytes(16)
    decrypt: bool = False
    ctx_save: bool = False
    key_len: int | None = None
    msg_len: int | None = None
    bad: bool = False

    def pack(self) -> int:
        key_len = self.key_len if self.key_len is not None else len(self.key) // 8 - 2
        msg_len = len(self.data) if self.msg_len is None else self.msg_len
        return pack_job(
            mode=self.mode,
            key_len=key_len,
            iv=self.iv,
            decrypt=self.decrypt,
            ctx_save=self.ctx_save,
            msg_len=msg_len,
        )

    def keys(self, _rng: random.Random) -> list[int]:
        return [] if self.bad or not self.data else pack_key(self.key)

    def src(self) -> list[int]:
        return [] if self.bad else pack_beats(self.data)


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    data, _ = crypt(job.mode, job.key, job.iv, job.data, decrypt=job.decrypt)
    beats = pack_beats(data)
    if job.ctx_save:
        context = next_iv(job.mode, job.key, job.iv, job.data if job.decrypt else data)
        beats += pack_beats(context, CONTEXT)
    return Result(OK, beats)


class Port(JobPort):
    """Runs jobs of the engine."""

    model = staticmethod(model)
