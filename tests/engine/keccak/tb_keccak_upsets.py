"""cocotb test: one flip-flop upset per run of jobs; KECCAK_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from cocotb.triggers import ReadWrite, RisingEdge
from keccak_port import Port, random_job

from cryptile.jobs.port import FAULT_CORRECTED, FAULT_DETECTED

CORRECT = os.environ["KECCAK_PROTECT"] == "correct"
RUNS = 200


def copies(handle) -> list:
    """Find all registers of primitives below a handle."""
    found = []
    for child in handle:
        name = child._name
        if name == "copy_q" or (name == "q_o" and handle._name == "u_codeword"):
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += copies(child)
    return found


def registers(dut) -> list[list]:
    """Sort registers by what they are, so that each kind is hit as often as another."""
    sponge = dut.u_engine.u_sponge
    parity = sponge.gen_parity
    kinds = [[sponge.state_q], [sponge.buffer_q], copies(dut.u_engine)]
    kinds.append([parity.state_parity_q, parity.buffer_parity_q])
    if CORRECT:
        kinds.append([sponge.prior_q, parity.prior_parity_q, parity.gen_correct.lanes_q])
    return kinds


@cocotb.test()
async def one_upset(dut):
    rng = random.Random(int(os.environ.get("KECCAK_SEED", "1")))
    port = Port(dut, 1, {"dst": 0.2, "src": 0.2})
    await port.start()
    kinds = registers(dut)
    assert len(kinds[2]) == (18 if CORRECT else 16), kinds[2]
    flagged = 0
    for _ in range(RUNS):
        jobs = [random_job(rng, 90, 250) for _ in range(2)]
        results = port.begin(jobs)
        for _ in range(rng.randrange(1, 150)):
            await RisingEdge(dut.clk_i)
        await ReadWrite()  # before anyone looks at what this cycle's readies are
        register = rng.choice(rng.choice(kinds))
        register.value = int(register.value) ^ 1 << rng.randrange(len(register))
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
        flagged += any(result.status == FAULT_DETECTED for result in results)
        for wanted, result in zip(port.expected, results, strict=True):
            assert result.beats == wanted.beats[: len(result.beats)], register._path
            good = (-1, wanted.status, FAULT_CORRECTED, FAULT_DETECTED)
            assert result.status in good, (register._path, result)
            if result.status == FAULT_DETECTED:
                break
            assert result.beats == wanted.beats, register._path
        await port.clear()
        await RisingEdge(dut.clk_i)
    assert flagged > RUNS // 10
