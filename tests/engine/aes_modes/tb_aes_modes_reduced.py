"""cocotb test of the AES engine of all modes with most of what can be left out left out."""

import os
import random
from dataclasses import replace

import cocotb
from modes_port import MODES, Port, random_job

from cryptile.jobs.oracle.aes import CTR, TAGGED, XTS
from cryptile.jobs.port import BAD_PARAM

BUILT = [int(mode) for mode in os.environ["AES_BUILT"].split(",")]


@cocotb.test()
async def what_is_not_built_is_bad(dut):
    rng = random.Random(1)
    port = Port(dut)
    await port.start()
    jobs = []
    for _ in range(40):
        for mode in MODES:
            job = random_job(rng, 60, mode)
            inverse = job.decrypt and mode != CTR and mode not in TAGGED
            size = len(job.key) // (2 if mode == XTS else 1)
            job.bad = mode not in BUILT or inverse or size != 16
            jobs += [job, replace(job, bad=True, change={"key_len": 2})]
    results = await port.check(jobs)
    good = sum(result.status != BAD_PARAM for result in results)
    assert 5 < good < len(jobs) // 2
