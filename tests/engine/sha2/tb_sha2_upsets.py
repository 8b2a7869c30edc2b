"""cocotb test: one flip-flop upset per run of jobs; SHA2_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from cocotb.triggers import ReadWrite, RisingEdge
from sha2_port import Port, model, random_job
from support.upsets import any_bit, flip, one_in_each_run

from cryptile.jobs.port import FAULT_DETECTED

CORRECT = os.environ["SHA2_PROTECT"] == "correct"
HASHES = list(range(int(os.environ["SHA2_HASHES"])))

FLOPS = ("copy_q", "state_q", "hash_q", "schedule_q", "key_q")
"""Registers by name: in the primitives, in the core, in the engine."""


def registers(handle) -> list:
    """Find all registers below a handle."""
    found = []
    for child in handle:
        name = child._name
        if name in FLOPS:
            found.append(child)
        elif name.startswith(("u_", "gen_")):
            found += registers(child)
    return found


@cocotb.test()
async def one_upset(dut):
    rng = random.Random(int(os.environ.get("SHA2_SEED", "1")))
    port = Port(dut, 1, {"dst": 0.2, "src": 0.2})
    await port.start()
    found = registers(dut.u_engine)
    least = 3000 if len(HASHES) > 2 else 1500
    assert sum(map(len, found)) > least, [register._path for register in found]
    await one_in_each_run(
        port,
        rng,
        runs=60,
        longest=500,
        jobs=lambda: [random_job(rng, HASHES, 90) for _ in range(2)],
        place=any_bit(rng, found),
        corrects=CORRECT,
        patience=4000,
    )


@cocotb.test()
async def waiting_result(dut):
    """Chaining value or output are hit while a result waits for its reader: what is seen stays."""
    rng = random.Random(2)
    port = Port(dut, 2, {"dst": 0.9})
    await port.start()
    outputs = [register for register in registers(dut.u_engine.gen_dst) if len(register) > 1]
    assert outputs
    for number in range(16):
        jobs = [random_job(rng, HASHES, 60)]
        while jobs[0].tag is not None:
            jobs = [random_job(rng, HASHES, 60)]
        results = port.begin(jobs)
        # In the very cycle in which it comes: a Detect engine withdraws what is hit later.
        while True:
            await RisingEdge(dut.clk_i)
            await ReadWrite()
            if int(dut.dst_valid_o.value):
                break
        register = dut.u_engine.u_core.hash_q if number % 2 else rng.choice(outputs)
        flip(register, rng.randrange(len(register)))
        if CORRECT:
            await port.finish(results)
            port.compare(jobs, results, corrected=True)
            continue
        while results[0].status < 0:
            await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        expected = model(jobs[0]).beats
        assert results[0].beats == expected[: len(results[0].beats)]
        assert results[0].status == FAULT_DETECTED or results[0].beats == expected
        assert results[0].status == FAULT_DETECTED or number % 2
        await port.clear()
