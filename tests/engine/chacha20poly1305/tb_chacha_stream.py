"""cocotb tests of the engine built without Poly1305; CHACHA_CYCLES is its cycles per block."""

import itertools
import os
import random

import cocotb
from chacha_port import Job, Port, random_job
from cocotb.triggers import RisingEdge

from cryptile.jobs.oracle.chacha20poly1305 import AEAD, CHACHA20, POLY1305

CYCLES = int(os.environ["CHACHA_CYCLES"])


@cocotb.test()
async def good_and_bad(dut):
    """Streams with and without stalls; a job that wants a tag is refused."""
    rng = random.Random(1)
    port = Port(dut, 1)
    await port.start()
    for stalls in ({}, {"dst": 0.5, "src": 0.5}):
        port.stalls = stalls
        jobs = [job for job in (random_job(rng, 300) for _ in range(40)) if job.mode == CHACHA20]
        jobs.insert(2, Job(AEAD, rng.randbytes(32), b"abc", bad=True))
        jobs.insert(4, Job(POLY1305, rng.randbytes(32), b"abc", bad=True))
        await port.check(jobs)


@cocotb.test()
async def aborts(dut):
    rng = random.Random(2)
    port = Port(dut, 2, {"dst": 0.3})
    await port.start()
    for _ in range(10):
        port.begin([Job(CHACHA20, rng.randbytes(32), rng.randbytes(200), bytes(16))])
        for _ in range(rng.randrange(200)):
            await RisingEdge(dut.clk_i)
        await port.clear()
        await port.check([Job(CHACHA20, rng.randbytes(32), rng.randbytes(70), bytes(16))])


@cocotb.test()
async def cycles_per_block(dut):
    port = Port(dut)
    await port.start()
    (result,) = await port.check([Job(CHACHA20, bytes(32), bytes(64 * 5))])
    first_rows = result.cycles[::4]
    assert {b - a for a, b in itertools.pairwise(first_rows)} == {CYCLES}
