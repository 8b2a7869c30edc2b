"""Drives the AES engine's port in cocotb and computes what AES jobs should give."""

from dataclasses import dataclass, field

import cocotb
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from support.engine_port import BAD_PARAM, CONTEXT, MESSAGE, OK, EnginePort, pack_beats, pack_job

ECB, CBC, CTR = 0, 1, 2


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

    @property
    def moves_key(self) -> bool:
        return not self.bad and len(self.data) > 0

    def pack(self) -> int:
        key_len = self.key_len if self.key_len is not None else len(self.key) // 8 - 2
        msg_len = len(self.data) if self.msg_len is None else self.msg_len
        return pack_job(
            mode=self.mode, key_len=key_len, iv=self.iv, decrypt=self.decrypt,
            ctx_save=self.ctx_save, msg_len=msg_len,
        )  # fmt: skip


@dataclass
class Result:
    """What came out for one job, and when: cycles of the `dst` and `done` handshakes."""

    status: int = -1
    data: bytes = b""
    context: bytes | None = None
    beats: list[int] = field(default_factory=list)
    done: int = -1


def model(job: Job) -> Result:
    """Compute a job with an independent implementation."""
    if job.bad:
        return Result(BAD_PARAM)
    mode = {ECB: modes.ECB(), CBC: modes.CBC(job.iv), CTR: modes.CTR(job.iv)}[job.mode]
    cipher = Cipher(algorithms.AES(job.key or bytes(16)), mode)
    context = cipher.decryptor() if job.decrypt else cipher.encryptor()
    data = context.update(job.data) + context.finalize()
    saved = None
    if job.ctx_save:
        saved = job.iv
        if job.mode == CBC and job.data:
            saved = (job.data if job.decrypt else data)[-16:]
        elif job.mode == CTR:
            blocks = -(-len(job.data) // 16)
            counter = (int.from_bytes(job.iv, "big") + blocks) % 2**128
            saved = counter.to_bytes(16, "big")
    return Result(OK, data, saved)


class Port(EnginePort):
    """Drives jobs of the AES engine and gathers what comes out."""

    def begin(self, jobs: list[Job]) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        results = [Result() for _ in jobs]
        keys = [int.from_bytes(job.key, "little") for job in jobs if job.moves_key]
        data = [beat for job in jobs if not job.bad for beat in pack_beats(job.data)]
        self.handshakes = {"job": [], "key": [], "src": []}
        self.tasks = [
            cocotb.start_soon(self.send("job", [job.pack() for job in jobs])),
            cocotb.start_soon(self.send("key", keys)),
            cocotb.start_soon(self.send("src", data)),
            cocotb.start_soon(self._receive_data(jobs, results)),
            cocotb.start_soon(self._receive_done(results)),
        ]
        return results

    async def run(self, jobs: list[Job]) -> list[Result]:
        results = self.begin(jobs)
        await self.finish(results)
        return results

    async def check(self, jobs: list[Job]) -> list[Result]:
        """Run jobs and compare all that came out with the model."""
        results = await self.run(jobs)
        for job, result in zip(jobs, results, strict=True):
            expected = model(job)
            assert result.status == expected.status, job
            assert result.data == expected.data, (job, result.data.hex(), expected.data.hex())
            assert result.context == expected.context, (job, result.context)
        return results

    async def _receive_data(self, jobs: list[Job], results: list[Result]) -> None:
        for job, result in zip(jobs, results, strict=True):
            if job.bad:
                continue
            count = len(pack_beats(job.data))
            for number in range(count + job.ctx_save):
                beat = await self.take("dst")
                kind, last, keep = beat & 3, beat >> 2 & 1, beat >> 3 & 0xFFFF
                data = (beat >> 19).to_bytes(16, "little")
                size = keep.bit_count()
                assert keep == (1 << size) - 1
                assert data[size:] == bytes(16 - size), "bytes beyond the message are not zero"
                result.beats.append(self.cycle)
                if number < count:
                    assert (kind, last) == (MESSAGE, number == count - 1)
                    result.data += data[:size]
                else:
                    assert (kind, last, size) == (CONTEXT, 1, 16)
                    result.context = data

    async def _receive_done(self, results: list[Result]) -> None:
        for result in results:
            result.status = await self.take("done")
            result.done = self.cycle
