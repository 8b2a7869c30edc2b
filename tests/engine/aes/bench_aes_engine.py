"""cocotb tests of the AES engine on its port."""

import random

import cocotb
from aes_port import CBC, CTR, ECB, Job, Port


def random_job(rng: random.Random, most: int = 100) -> Job:
    mode = rng.choice([ECB, CBC, CTR])
    size = rng.randrange(most)
    if mode != CTR:
        size -= size % 16
    return Job(
        mode,
        rng.randbytes(rng.choice([16, 24, 32])),
        rng.randbytes(size),
        rng.randbytes(16),
        decrypt=rng.random() < 0.5,
        ctx_save=rng.random() < 0.3,
    )


@cocotb.test()
async def random_back_to_back(dut):
    rng = random.Random(1)
    port = Port(dut)
    await port.start()
    await port.check([random_job(rng) for _ in range(60)])
