"""cocotb test: one flip-flop upset per run of jobs; AES_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist, but does not look behind a fault that was detected.
"""

import os
import random

import cocotb
from cocotb.triggers import ReadWrite, RisingEdge
from modes_port import MODES, Job, Port, Result, model, random_job, secrets
from support.upsets import TakesAll, flip, registers

from cryptile.jobs.oracle.aes import CCM, CTR, TAGGED, XTS
from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED, OK

CORRECT = os.environ["AES_PROTECT"] == "correct"
REDUCED = "AES_BUILT" in os.environ
BUILT = [int(mode) for mode in os.environ["AES_BUILT"].split(",")] if REDUCED else list(MODES)
RUNS = 120
LONGEST = 160


def built_job(rng: random.Random) -> Job:
    """Make a good job; REDUCED is AES-128 without the inverse cipher."""
    while True:
        job = random_job(rng, 60, rng.choice(BUILT))
        inverse = job.decrypt and job.mode not in TAGGED and job.mode != CTR
        size = len(job.key) // (2 if job.mode == XTS else 1)
        if not REDUCED or (size == 16 and not inverse):
            return job


class DetectPort(TakesAll, Port):
    """A job that ends early gives less than it should."""


UpsetPort = Port if CORRECT else DetectPort


def judge(job: Job, result: Result, place: str) -> None:
    expected = model(job)
    if result.status == FAULT_DETECTED and not CORRECT:
        assert result.beats == expected.beats[: len(result.beats)], (place, job)
        return
    assert result.beats == expected.beats, (place, job)
    allowed = (OK, FAULT_CORRECTED) if expected.status == OK else (expected.status,)
    assert result.status in allowed, (place, job, result.status)


@cocotb.test()
async def one_upset(dut):
    """An upset anywhere, at any time; then the same engine goes on."""
    rng = random.Random(int(os.environ.get("AES_SEED", "1")))
    # What waits on `dst` may be withdrawn at ProtectDetect, which the port's checker forbids.
    port = UpsetPort(dut, 1, {"src": 0.2, "key": 0.4, **({"dst": 0.2} if CORRECT else {})})
    await port.start()
    found = registers(dut.u_engine)
    bits = [(register, bit) for register in found for bit in range(len(register))]
    assert len(bits) > (4900 if CORRECT else 1500), [register._path for register in found]
    outside = [(register, bit) for register, bit in bits if not is_core(register)]
    flagged = 0
    for _ in range(RUNS):
        jobs = [built_job(rng) for _ in range(3)]
        results = port.begin(jobs)
        for _ in range(rng.randrange(2, LONGEST)):
            await RisingEdge(dut.clk_i)
        await ReadWrite()  # behind the edge, before anybody looks at valid and ready
        register, bit = rng.choice(bits) if rng.random() < 0.5 else rng.choice(wide(rng, found))
        if is_core(register) and not int(dut.u_engine.gen_iterative.u_core.busy_q.value):
            register, bit = rng.choice(outside)  # an idle core asserts that it holds nothing
        flip(register, bit)
        await port.finish(results, 5000)
        for job, result in zip(jobs, results, strict=True):
            judge(job, result, register._path)
        statuses = [result.status for result in results]
        flagged += FAULT_CORRECTED in statuses or FAULT_DETECTED in statuses
        assert statuses.count(FAULT_DETECTED) <= 1
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut)), register._path
    assert flagged > RUNS // 2, flagged


def is_core(register) -> bool:
    return "u_core" in register._path


def wide(rng: random.Random, found: list) -> list:
    """Choose a register of data, each as often as another, and give its bits."""
    register = rng.choice([register for register in found if len(register) >= 128])
    return [(register, bit) for bit in range(len(register))]


@cocotb.test(skip=CORRECT)
async def nothing_taken_yet(dut):
    """A job that fails at its start drops its keys and all sections; the next one finds its own."""
    rng = random.Random(2)
    port = UpsetPort(dut, 2, {"key": 0.8, "src": 0.8})
    await port.start()
    (chain,) = [register for register in registers(dut.u_engine) if "u_chain" in register._path]
    key, data, tag = rng.randbytes(16), rng.randbytes(37), bytes(16)
    kinds = [
        Job(CTR, key, data),
        Job(XTS, key + data[:16], data),
        Job(XTS, key + data[:16], data, context=bytes(16)),
        Job(CTR, key, context=bytes(16), ctx_save=True),
        Job(CCM, key, data, bytes(12), aad=data, tag=tag, decrypt=True),
        Job(CCM, key, data, bytes(12), context=bytes(32), tag=tag, decrypt=True),
        Job(CCM, key, b"", bytes(12), aad=data, tag=tag, decrypt=True),
    ]
    for job in kinds * 3:
        following = built_job(rng)
        results = port.begin([job, following], [Result.of(0), Result.of(0)])
        while not port.handshakes["job"]:
            await RisingEdge(dut.clk_i)
        await ReadWrite()
        flip(chain, rng.randrange(128))
        await port.finish(results, 2000)
        assert (results[0].status, results[0].beats) == (FAULT_DETECTED, []), job
        judge(following, results[1], f"behind {job}")
        assert results[1].status == model(following).status
