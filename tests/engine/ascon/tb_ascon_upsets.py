"""cocotb test: one flip-flop upset per run of jobs; ASCON_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from ascon_port import Port, random_job, secrets
from cocotb.triggers import ReadWrite, RisingEdge
from support.upsets import flip, registers

from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED

CORRECT = os.environ["ASCON_PROTECT"] == "correct"
RUNS = 200


async def hit(dut, rng, found):
    """Flip a bit some time later, before anyone looks at what this cycle's readies are."""
    for _ in range(rng.randrange(1, 120)):
        await RisingEdge(dut.clk_i)
    await ReadWrite()
    register = rng.choice(found)
    flip(register, rng.randrange(len(register)))
    return register


async def alarm(dut, port, results, register):
    """Wait for the end of a job that a fault was detected in, or of all; tell whether one was."""
    for _ in range(500):
        await RisingEdge(dut.clk_i)
        if any(result.status == FAULT_DETECTED for result in results):
            return True
        if all(task.done() for task in port.tasks):
            return False
    raise AssertionError(f"hangs: {register._path}")


@cocotb.test()
async def one_upset(dut):
    rng = random.Random(1)
    # A beat that waits and is hit is withdrawn at ProtectDetect: there, none waits.
    port = Port(dut, 1, {"src": 0.2, "dst": 0.2 * CORRECT})
    await port.start()
    found = registers(dut.u_engine)
    assert len(found) == (33 if CORRECT else 19), found
    flagged = 0
    for _ in range(RUNS):
        jobs = [random_job(rng, 60, 60) for _ in range(2)]
        results = port.begin(jobs)
        register = await hit(dut, rng, found)
        if CORRECT:
            await port.finish(results)
            port.compare(jobs, results, corrected=True)
            flagged += any(result.status == FAULT_CORRECTED for result in results)
            continue
        flagged += await alarm(dut, port, results, register)
        for wanted, result in zip(port.expected, results, strict=True):
            assert result.beats == wanted.beats[: len(result.beats)], register._path
            good = (-1, wanted.status, FAULT_CORRECTED, FAULT_DETECTED)
            assert result.status in good, register._path
            if result.status == FAULT_DETECTED:
                break
            assert result.beats == wanted.beats, register._path
        await port.clear()
        await RisingEdge(dut.clk_i)
    assert flagged > RUNS // 10


@cocotb.test(skip=CORRECT)
async def nothing_left(dut):
    """An alarm leaves neither data nor key behind, and the job after it is as any other."""
    rng = random.Random(2)
    port = Port(dut, 2, {"src": 0.2})
    await port.start()
    found, alarms = registers(dut.u_engine), 0
    for _ in range(RUNS):
        results = port.begin([random_job(rng, 60, 60)])
        register = await hit(dut, rng, found)
        alarms += await alarm(dut, port, results, register)
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut)), register._path
        await port.clear()
        await port.check([random_job(rng, 20, 20)])
    assert alarms > RUNS // 10
