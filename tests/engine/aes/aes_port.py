"""Drives an engine's port in cocotb and computes what AES jobs should give."""

import random
from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

ECB, CBC, CTR = 0, 1, 2
OK, BAD_PARAM = 0, 2
MESSAGE, CONTEXT = 0, 3


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
        value = self.mode
        for field_value, width in (
            (self.decrypt, 1), (key_len, 2), (self.ctx_save, 1), (1, 1),
            (int.from_bytes(self.iv, "little"), 128), (0, 32), (msg_len, 32),
        ):  # fmt: skip
            value = value << width | int(field_value)
        return value


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


def beats(data: bytes) -> list[int]:
    """Pack a message into `beat_t` values."""
    packed = []
    for start in range(0, len(data), 16):
        chunk = data[start : start + 16]
        value = int.from_bytes(chunk, "little")
        keep = (1 << len(chunk)) - 1
        last = start + 16 >= len(data)
        packed.append(value << 19 | keep << 3 | last << 2 | MESSAGE)
    return packed


class Port:
    """The five channels of one engine; `stalls` maps a channel to the share of idle cycles."""

    def __init__(self, dut, seed: int = 0, stalls: dict[str, float] | None = None):
        self.dut = dut
        self.random = random.Random(seed)
        self.stalls = stalls or {}
        self.cycle = 0
        self.tasks: list = []
        self.handshakes: dict[str, list[int]] = {}

    async def start(self) -> None:
        """Start the clock and reset the engine."""
        dut = self.dut
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
        cocotb.start_soon(self._count())
        self._idle()
        dut.clear_i.value = 0
        await self.reset()

    async def reset(self) -> None:
        self.dut.rst_ni.value = 0
        self.abandon()
        await RisingEdge(self.dut.clk_i)
        await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1
        await RisingEdge(self.dut.clk_i)

    async def clear(self) -> None:
        """Abort whatever runs."""
        self.dut.clear_i.value = 1
        self.abandon()
        await RisingEdge(self.dut.clk_i)
        self.dut.clear_i.value = 0

    def abandon(self) -> None:
        """Stop driving; valids and readies fall."""
        for task in self.tasks:
            task.cancel()
        self.tasks = []
        self._idle()

    def begin(self, jobs: list[Job]) -> list[Result]:
        """Start to drive jobs; the results fill up as they come."""
        results = [Result() for _ in jobs]
        keys = [int.from_bytes(job.key, "little") for job in jobs if job.moves_key]
        data = [beat for job in jobs if not job.bad for beat in beats(job.data)]
        self.handshakes = {"job": [], "key": [], "src": []}
        self.tasks = [
            cocotb.start_soon(self._send("job", [job.pack() for job in jobs])),
            cocotb.start_soon(self._send("key", keys)),
            cocotb.start_soon(self._send("src", data)),
            cocotb.start_soon(self._receive_data(jobs, results)),
            cocotb.start_soon(self._receive_done(results)),
        ]
        return results

    async def finish(self, results: list[Result], timeout: int = 200_000) -> None:
        """Wait until all that was begun is done and all channels are quiet."""
        end = self.cycle + timeout
        while not all(task.done() for task in self.tasks):
            assert self.cycle < end, f"no end after {timeout} cycles: {results}"
            await RisingEdge(self.dut.clk_i)

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

    def _idle(self) -> None:
        for name in ("job_valid_i", "key_valid_i", "src_valid_i", "dst_ready_i", "done_ready_i"):
            getattr(self.dut, name).value = 0

    async def _count(self) -> None:
        while True:
            await RisingEdge(self.dut.clk_i)
            self.cycle += 1

    def _stalls(self, channel: str) -> bool:
        return self.random.random() < self.stalls.get(channel, 0.0)

    async def _send(self, channel: str, values: list[int]) -> None:
        valid = getattr(self.dut, f"{channel}_valid_i")
        ready = getattr(self.dut, f"{channel}_ready_o")
        payload = getattr(self.dut, f"{channel}_i")
        for value in values:
            while self._stalls(channel):
                await RisingEdge(self.dut.clk_i)
            valid.value = 1
            payload.value = value
            while True:
                await ReadOnly()
                taken = int(ready.value)
                await RisingEdge(self.dut.clk_i)
                if taken:
                    break
            self.handshakes[channel].append(self.cycle)
            valid.value = 0
            # Garbage between beats shows what is read without being valid.
            payload.value = self.random.getrandbits(len(payload))

    async def _receive_data(self, jobs: list[Job], results: list[Result]) -> None:
        for job, result in zip(jobs, results, strict=True):
            if job.bad:
                continue
            count = len(beats(job.data))
            for number in range(count + job.ctx_save):
                beat = await self._take("dst")
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
            result.status = await self._take("done")
            result.done = self.cycle

    async def _take(self, channel: str) -> int:
        """Take one beat; check that it is stable from valid to handshake."""
        valid = getattr(self.dut, f"{channel}_valid_o")
        ready = getattr(self.dut, f"{channel}_ready_i")
        payload = getattr(self.dut, "dst_o" if channel == "dst" else "done_status_o")
        seen = None
        while True:
            wanted = not self._stalls(channel)
            ready.value = wanted
            await ReadOnly()
            here = int(valid.value)
            value = int(payload.value) if here else None
            assert seen is None or value == seen, f"{channel} changed before its handshake"
            seen = value
            await RisingEdge(self.dut.clk_i)
            if here and wanted:
                ready.value = 0
                return value
