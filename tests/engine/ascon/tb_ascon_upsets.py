"""cocotb test: one flip-flop upset per run of jobs; ASCON_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from ascon_port import Port, random_job, secrets
from cocotb.triggers import RisingEdge
from support.upsets import alarm, bit_of, hit, one_in_each_run, registers

CORRECT = os.environ["ASCON_PROTECT"] == "correct"
RUNS, LONGEST = 200, 120


@cocotb.test()
async def one_upset(dut):
    rng = random.Random(1)
    # A beat that waits and is hit is withdrawn at ProtectDetect: there, none waits.
    port = Port(dut, 1, {"src": 0.2, "dst": 0.2 * CORRECT})
    await port.start()
    found = registers(dut.u_engine)
    assert len(found) == (33 if CORRECT else 19), found
    await one_in_each_run(
        port,
        rng,
        runs=RUNS,
        longest=LONGEST,
        jobs=lambda: [random_job(rng, 60, 60) for _ in range(2)],
        place=lambda: bit_of(rng, rng.choice(found)),
        corrects=CORRECT,
    )


@cocotb.test(skip=CORRECT)
async def nothing_left(dut):
    """An alarm leaves neither data nor key behind, and the job after it is as any other."""
    rng = random.Random(2)
    port = Port(dut, 2, {"src": 0.2})
    await port.start()
    found, alarms = registers(dut.u_engine), 0
    for _ in range(RUNS):
        results = port.begin([random_job(rng, 60, 60)])
        register, bit = bit_of(rng, rng.choice(found))
        await hit(port, rng.randrange(1, LONGEST), register, bit)
        alarms += await alarm(port, results, f"{register._path}[{bit}]")
        await RisingEdge(dut.clk_i)
        assert not any(secrets(dut)), register._path
        await port.clear()
        await port.check([random_job(rng, 20, 20)])
    assert alarms > RUNS // 10
