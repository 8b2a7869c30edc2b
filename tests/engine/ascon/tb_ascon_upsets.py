"""cocotb test: one flip-flop upset per run of jobs; ASCON_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from ascon_port import Port, random_job
from cocotb.triggers import ReadWrite, RisingEdge
from support.upsets import flip, registers

from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED

CORRECT = os.environ["ASCON_PROTECT"] == "correct"
RUNS = 200


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
        for _ in range(rng.randrange(1, 120)):
            await RisingEdge(dut.clk_i)
        await ReadWrite()  # before anyone looks at what this cycle's readies are
        register = rng.choice(found)
        flip(register, rng.randrange(len(register)))
        if CORRECT:
            await port.finish(results)
            port.compare(jobs, results, corrected=True)
            flagged += any(result.status == FAULT_CORRECTED for result in results)
            continue
        for _ in range(500):
            await RisingEdge(dut.clk_i)
            detected = any(result.status == FAULT_DETECTED for result in results)
            if detected or all(task.done() for task in port.tasks):
                break
        else:
            raise AssertionError(f"hangs: {register._path}")
        flagged += detected
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
