"""cocotb test of an AES engine that detects upsets: AES-128 encryption in ECB and CTR."""

import random

import cocotb
from aes_port import Job, Port, model
from cocotb.triggers import ReadWrite, RisingEdge
from support.upsets import TakesAll, flip, registers

from cryptile.jobs.oracle.aes import CTR, ECB
from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED, OK

RUNS = 150
LONGEST = 60


class UpsetPort(TakesAll, Port):
    """A job that ends early gives less than it should."""


@cocotb.test()
async def one_upset(dut):
    """An upset of data ends one job, an upset of control none; the others are not touched."""
    rng = random.Random(1)
    port = UpsetPort(dut, 1, {"src": 0.2, "key": 0.4})
    await port.start()
    found = registers(dut.u_engine)
    core = dut.u_engine.gen_iterative.u_core
    detected = corrected = 0
    for _ in range(RUNS):
        jobs = [
            Job(
                rng.choice([ECB, CTR]),
                rng.randbytes(16),
                rng.randbytes(16 * rng.randrange(8)),
                rng.randbytes(16),
                ctx_save=rng.random() < 0.3,
            )
            for _ in range(3)
        ]
        results = port.begin(jobs)
        for _ in range(rng.randrange(2, LONGEST)):
            await RisingEdge(dut.clk_i)
        await ReadWrite()
        idle = not int(core.busy_q.value)  # then the core asserts that it holds nothing
        register = rng.choice([item for item in found if not (idle and "u_core" in item._path)])
        flip(register, rng.randrange(len(register)))
        await port.finish(results, 2000)
        for job, result in zip(jobs, results, strict=True):
            expected = model(job)
            if result.status == FAULT_DETECTED:
                assert result.beats == expected.beats[: len(result.beats)], register._path
                continue
            assert result.beats == expected.beats, (register._path, job)
            assert result.status in (OK, FAULT_CORRECTED), (register._path, result.status)
        statuses = [result.status for result in results]
        assert statuses.count(FAULT_DETECTED) <= 1
        detected += FAULT_DETECTED in statuses
        corrected += FAULT_CORRECTED in statuses
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        engine = dut.u_engine
        assert not int(engine.key_q.value) and not int(engine.chain_q.value)
    assert detected > RUNS // 10 and corrected > RUNS // 10, (detected, corrected)
