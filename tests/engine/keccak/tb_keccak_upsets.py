"""cocotb test: one flip-flop upset per run of jobs; KECCAK_PROTECT says what is promised.

A sample that every test run can afford; `cryptile faults` does the same for every flip-flop and
cycle on the netlist.
"""

import os
import random

import cocotb
from keccak_port import Port, random_job
from support import upsets
from support.upsets import bit_of, one_in_each_run

CORRECT = os.environ["KECCAK_PROTECT"] == "correct"


def registers(dut) -> list[list]:
    """Sort registers by what they are, so that each kind is hit as often as another."""
    sponge = dut.u_engine.u_sponge
    parity = sponge.gen_parity
    kinds = [[sponge.state_q], [sponge.buffer_q], upsets.registers(dut.u_engine)]
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
    await one_in_each_run(
        port,
        rng,
        runs=200,
        longest=150,
        jobs=lambda: [random_job(rng, 90, 250) for _ in range(2)],
        place=lambda: bit_of(rng, rng.choice(rng.choice(kinds))),
        corrects=CORRECT,
    )
