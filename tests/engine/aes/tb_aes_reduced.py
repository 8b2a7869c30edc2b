"""cocotb tests of an AES engine built for AES-128 encryption in ECB and CTR only."""

import random

import cocotb
from aes_port import Job, Port

from cryptile.jobs.oracle.aes import CBC, CTR, ECB


@cocotb.test()
async def good_and_bad(dut):
    rng = random.Random(1)
    port = Port(dut, 1, {"dst": 0.2, "src": 0.2})
    await port.start()
    jobs = []
    for _ in range(20):
        key, data, iv = rng.randbytes(16), rng.randbytes(48), rng.randbytes(16)
        jobs += [
            Job(ECB, key, data, iv),
            Job(CTR, key, data[:-5], iv, ctx_save=True),
            Job(CTR, key, data, iv, decrypt=True),
        ]
        jobs.append(
            rng.choice(
                [
                    Job(ECB, key, data, iv, decrypt=True, bad=True),
                    Job(CBC, key, data, iv, bad=True),
                    Job(ECB, rng.randbytes(24), data, iv, bad=True),
                    Job(CTR, rng.randbytes(32), data, iv, bad=True),
                ]
            )
        )
    await port.check(jobs)
