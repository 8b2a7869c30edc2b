"""cocotb test: one flip-flop upset per run of jobs; CHACHA_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from chacha_port import Port, random_job
from support.upsets import any_bit, one_in_each_run

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
    assert sum(map(len, found)) > 1500, [register._path for register in found]
    await one_in_each_run(
        port,
        rng,
        runs=RUNS,
        longest=LONGEST,
        jobs=lambda: [random_job(rng, 90) for _ in range(2)],
        place=any_bit(rng, found),
        corrects=CORRECT,
    )
