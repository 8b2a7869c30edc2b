"""cocotb test of the AES engine of all modes with all that can be left out left out."""

import random
from dataclasses import replace

import cocotb
from modes_port import CBC, CTR, ECB, MODES, Port, random_job
from support.engine_port import BAD_PARAM


@cocotb.test()
async def what_is_not_built_is_bad(dut):
    rng = random.Random(1)
    port = Port(dut)
    await port.start()
    jobs = []
    for _ in range(40):
        for mode in MODES:
            job = random_job(rng, 60, mode)
            inverse = job.decrypt and mode in (ECB, CBC)
            job.bad = mode not in (ECB, CBC, CTR) or inverse or len(job.key) != 16
            jobs += [job, replace(job, bad=True, change={"key_len": 2})]
    results = await port.check(jobs)
    good = sum(result.status != BAD_PARAM for result in results)
    assert 5 < good < len(jobs) // 2
