"""One job at the engine port, recorded for the drawing of it."""

import os
from pathlib import Path

import cocotb
from support.job_port import JobPort, Result
from support.waves import Channel, Recorder

from cryptile.jobs.job import Job

CHANNELS = [
    Channel(f"{name}_valid_{way}", f"{name}_ready_{back}", payload, label)
    for name, way, back, payload, label in (
        ("job", "i", "o", "job_i", "job"),
        ("key", "i", "o", "key_i", "key"),
        ("src", "i", "o", "src_i", "in"),
        ("dst", "o", "i", "dst_o", "out"),
        ("done", "o", "i", "done_status_o", "ok"),
    )
]


class Driven:
    """CTR of 20 bytes: two beats, the second of 4 bytes."""

    job = Job(2, False, 0, bytes(16), bytes(range(20)), bytes(range(16)))

    def pack(self):
        return self.job.word()

    def keys(self, _rng):
        return self.job.transfers()

    def src(self):
        return list(self.job.beats())


@cocotb.test()
async def one_job(dut):
    port = JobPort(dut)
    await port.start()
    recorder = Recorder(dut, CHANNELS)
    recording = recorder.start()
    (result,) = await port.run([Driven()], [Result.of(2)])
    recording.cancel()
    assert result.status == 0
    title = "AES-128-CTR of 20 bytes, iterative engine"
    recorder.write(Path(os.environ["CRYPTILE_WAVES"]), title)
