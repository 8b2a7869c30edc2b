"""cocotb test: one flip-flop upset per run of jobs; CHACHA_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from chacha_port import Port, model, random_job
from cocotb.triggers import ReadWrite, RisingEdge

from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED

CORRECT = os.environ["CHACHA_PROTECT"] == "correct"
RUNS = 120 if os.environ["CHACHA_IMPL"] == "std" else 250
LONGEST = 300 if os.environ["CHACHA_IMPL"] == "std" else 60

FLOPS = ("copy_q", "q_o", "data_q", "word_q", "nibble_q", "state_q", "checks_q", "block_q")
"""Registers by name: in the primitives, in the engine's own coded register, in the cores."""


def registers(handle) -> list:
    """Find all registers below a handle."""
    found = []
    for child in handle:
        name = child._name
        if name in FLOPS and not (name == "q_o" and "flop" not in child._path.split(".")[-2]):
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += registers(child)
    return found


@cocotb.test()
async def one_upset(dut):
    rng = random.Random(int(os.environ.get("CHACHA_SEED", "1")))
    port = Port(dut, 1, {"dst": 0.2, "src": 0.2})
    await port.start()
    found = registers(dut.u_engine)
    places = [(register, bit) for register in found for bit in range(len(register))]
    assert len(places) > 1500, [register._path for register in found]
    flagged = 0
    for _ in range(RUNS):
        jobs = [random_job(rng, 90) for _ in range(2)]
        results = port.begin(jobs)
        for _ in range(1 + rng.randrange(LONGEST)):
            await RisingEdge(dut.clk_i)
        # Behind the clock edge, before anybody looks at valid and ready of this cycle.
        await ReadWrite()
        register, bit = rng.choice(places)
        register.value = int(register.value) ^ 1 << bit
        if CORRECT:
            await port.finish(results)
            port.compare(jobs, results, corrected=True)
            flagged += any(result.status == FAULT_CORRECTED for result in results)
            continue
        for _ in range(400):
            await RisingEdge(dut.clk_i)
            detected = any(result.status == FAULT_DETECTED for result in results)
            if detected or all(task.done() for task in port.tasks):
                break
        flagged += any(result.status == FAULT_DETECTED for result in results)
        for job, result in zip(jobs, results, strict=True):
            expected = model(job)
            assert result.beats == expected.beats[: len(result.beats)], register._path
            good = (-1, expected.status, FAULT_CORRECTED, FAULT_DETECTED)
            assert result.status in good, (register._path, result)
            if result.status == FAULT_DETECTED:
                break
            assert result.beats == expected.beats, register._path
        await port.clear()
        await RisingEdge(dut.clk_i)
    assert flagged > RUNS // 10
