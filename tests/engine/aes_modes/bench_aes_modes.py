"""cocotb tests of the AES engine of all modes on its port; AES_IMPL says which datapath it has."""

import os
import random

import cocotb
from modes_port import (
    CBC,
    CCM,
    CMAC,
    CTR,
    ECB,
    GCM,
    MODES,
    XTS,
    Job,
    Port,
    random_job,
)
from support import nist_aes, nist_modes, wycheproof
from support.engine_port import AUTH_FAILED, MESSAGE, OK, TAG

IMPL = os.environ["AES_IMPL"]
PIPELINED = IMPL == "pipelined"
CHANNELS = ("job", "key", "src", "dst", "done")
ROUNDS = {16: 10, 24: 12, 32: 14}


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> Port:
    port = Port(dut, seed, stalls)
    await port.start()
    return port


async def known(dut, cases: list[tuple[Job, int, bytes, bytes]]) -> None:
    """Run jobs with what is known of them: status, message and tag (if it is not compared)."""
    port = await start(dut)
    results = await port.run([job for job, *_ in cases])
    for (job, status, data, tag), result in zip(cases, results, strict=True):
        assert result.status == status, (job, result.status)
        if status == OK:
            assert result.bytes(MESSAGE) == data, job
        assert result.bytes(TAG) == (b"" if job.decrypt else tag), job


def aead_case(mode: int, vector: nist_modes.Vector) -> tuple[Job, int, bytes, bytes]:
    source = vector.cipher if vector.decrypt else vector.plain
    result = vector.plain if vector.decrypt else vector.cipher
    job = Job(
        mode, vector.key, source, vector.iv, vector.aad, vector.tag, len(vector.tag), vector.decrypt
    )
    return job, OK if vector.valid else AUTH_FAILED, result, vector.tag


@cocotb.test()
async def cavp_gcm(dut):
    await known(dut, [aead_case(GCM, v) for v in nist_modes.gcm(101 if PIPELINED else 301)])


@cocotb.test()
async def cavp_ccm(dut):
    await known(dut, [aead_case(CCM, v) for v in nist_modes.ccm(11 if PIPELINED else 31)])


@cocotb.test()
async def cavp_xts(dut):
    await known(dut, [aead_case(XTS, v) for v in nist_modes.xts(5 if PIPELINED else 13)])


@cocotb.test()
async def cavp_ecb_cbc_ctr(dut):
    cases = []
    for mode, path in (
        *((ECB, f"ECB/ECBMMT{size}.rsp") for size in (128, 192, 256)),
        *((CBC, f"CBC/CBCMMT{size}.rsp") for size in (128, 192, 256)),
        *((CTR, f"CTR/aes-{size}-ctr.txt") for size in (128, 192, 256)),
    ):
        for decrypt, fields in nist_aes.vectors(nist_aes.FOLDER / path):
            source, result = fields["PLAINTEXT"], fields["CIPHERTEXT"]
            if decrypt:
                source, result = result, source
            job = Job(mode, fields["KEY"], source, fields.get("IV", bytes(16)), decrypt=decrypt)
            cases.append((job, OK, result, b""))
    await known(dut, cases[:: 1 if PIPELINED else 4])


@cocotb.test()
async def cmac_vectors(dut):
    await known(dut, [aead_case(CMAC, vector) for vector in nist_modes.cmac()])


def wycheproof_cases(mode: int, name: str, step: int) -> list[tuple[Job, int, bytes, bytes]]:
    cases = []
    for group in wycheproof.load(name)["testGroups"]:
        if group["keySize"] not in (128, 192, 256):
            continue
        if mode == GCM and group["ivSize"] == 0:
            continue
        if mode == CCM and not (56 <= group["ivSize"] <= 104 and group["tagSize"] % 16 == 0):
            continue
        for test in group["tests"]:
            key, iv, aad, plain, cipher, tag = (
                bytes.fromhex(test.get(field, ""))
                for field in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            if mode == CCM and len(tag) not in (4, 6, 8, 10, 12, 14, 16):
                continue
            valid = test["result"] == "valid"
            size = group["tagSize"] // 8
            source = plain if mode == CMAC else cipher
            job = Job(mode, key, source, iv, aad, tag, size, decrypt=True)
            cases.append((job, OK if valid else AUTH_FAILED, b"" if mode == CMAC else plain, tag))
            if valid:
                job = Job(mode, key, plain, iv, aad, tag_size=size)
                cases.append((job, OK, cipher, tag))
    return cases[::step]


@cocotb.test()
async def wycheproof_gcm(dut):
    await known(dut, wycheproof_cases(GCM, "aes_gcm_test.json", 2 if PIPELINED else 5))


@cocotb.test()
async def wycheproof_ccm(dut):
    await known(dut, wycheproof_cases(CCM, "aes_ccm_test.json", 3 if PIPELINED else 7))


@cocotb.test()
async def wycheproof_cmac(dut):
    await known(dut, wycheproof_cases(CMAC, "aes_cmac_test.json", 2 if PIPELINED else 5))


@cocotb.test()
async def back_to_back(dut):
    """Keys, modes, directions and lengths change from job to job; nothing stalls."""
    rng = random.Random(1)
    port = await start(dut)
    await port.check([random_job(rng) for _ in range(250 if PIPELINED else 60)])


@cocotb.test()
async def modes_in_turn(dut):
    """Every mode behind every mode, short jobs: what one leaves behind would hurt the next."""
    rng = random.Random(2)
    port = await start(dut)
    for first in MODES:
        jobs = []
        for second in MODES:
            jobs += [random_job(rng, 40, first), random_job(rng, 40, second)]
        await port.check(jobs)


@cocotb.test()
async def stalls(dut):
    """Each channel alone, all of them, and an output that hardly moves."""
    rng = random.Random(3)
    settings = [dict.fromkeys([name], 0.7) for name in CHANNELS]
    settings += [dict.fromkeys(CHANNELS, 0.6), {"dst": 0.95, "src": 0.2}]
    port = await start(dut)
    for setting in settings:
        port.stalls = setting
        await port.check([random_job(rng, 80) for _ in range(25 if PIPELINED else 7)])
