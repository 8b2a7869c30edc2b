"""cocotb tests of the SHA-2 engine on its port; SHA2_ROUNDS and SHA2_HASHES say how it is built."""

import os
import random

import cocotb
from sha2_port import Port, random_job

ROUNDS = int(os.environ["SHA2_ROUNDS"])
HASHES = list(range(int(os.environ["SHA2_HASHES"])))
CHANNELS = ("job", "key", "src", "dst", "done")


def cycles(hash_mode: int) -> int:
    """Cycles of a block."""
    return (64 if hash_mode < 2 else 80) // ROUNDS


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


@cocotb.test()
async def back_to_back(dut):
    """Hashes, HMAC, parts, lengths and directions change from job to job; nothing stalls."""
    rng = random.Random(1)
    port = await start(dut)
    await port.check([random_job(rng, HASHES) for _ in range(150)])
