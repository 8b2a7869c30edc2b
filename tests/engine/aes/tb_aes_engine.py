"""cocotb tests of the AES engine on its port.

AES_IMPL says which datapath it has; with AES_LOCKSTEP=1 there are three of them in step.
"""

import itertools
import os
import random

import aes_cavp
import cocotb
from aes_port import Job, Port, model
from cocotb.triggers import ReadWrite, RisingEdge

from cryptile.jobs.oracle.aes import CBC, CTR, ECB
from cryptile.jobs.port import CONTEXT, FAULT_CORRECTED, MESSAGE, OK

IMPL = os.environ["AES_IMPL"]
LOCKSTEP = os.environ.get("AES_LOCKSTEP") == "1"
SLOW = IMPL == "serial"
MODES = (ECB, CBC, CTR)
ROUNDS = {16: 10, 24: 12, 32: 14}

# Exact cycles by key size: between blocks of one job, and from an idle engine's job to its first
# block; "inverse" is decryption in ECB and CBC, which runs the key schedule first.
ONE_ROUND_EACH = {
    size: {"block": rounds, "first": 2 + rounds, "inverse": rounds, "inverse_first": 3 + 2 * rounds}
    for size, rounds in ROUNDS.items()
}
CYCLES = {
    "serial": {
        16: {"block": 258, "first": 259, "inverse": 378, "inverse_first": 541},
        24: {"block": 290, "first": 291, "inverse": 450, "inverse_first": 637},
        32: {"block": 354, "first": 355, "inverse": 522, "inverse_first": 733},
    },
    "iterative": ONE_ROUND_EACH,
    "pipelined": ONE_ROUND_EACH,
}[IMPL]


def random_job(rng: random.Random, most: int = 100) -> Job:
    mode = rng.choice(MODES)
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


def bad_job(rng: random.Random) -> Job:
    mode, key, data = rng.choice(MODES), rng.randbytes(16), rng.randbytes(32)
    kind = rng.randrange(3)
    if kind == 0:
        return Job(rng.randrange(3, 16), key, data, bad=True)
    if kind == 1:
        return Job(mode, key, data, key_len=3, bad=True)
    return Job(rng.choice([ECB, CBC]), key, data, msg_len=rng.choice([1, 15, 33]), bad=True)


async def known(dut, cases) -> None:
    port = Port(dut)
    await port.start()
    results = await port.run([job for job, _ in cases])
    for (job, expected), result in zip(cases, results, strict=True):
        assert (result.status, result.bytes(MESSAGE)) == (OK, expected), job


@cocotb.test()
async def cavp_known_answer(dut):
    await known(dut, aes_cavp.known_answer()[:: 40 if SLOW else 3])


@cocotb.test()
async def cavp_multi_block(dut):
    await known(dut, aes_cavp.multi_block()[:: 6 if SLOW else 1])


@cocotb.test()
async def counter_vectors(dut):
    await known(dut, aes_cavp.counter())


@cocotb.test()
async def monte_carlo(dut):
    """CAVP's chaining: each output is the next input; CBC swaps in the output before it."""
    port = Port(dut)
    await port.start()
    rng = random.Random(2)
    sizes = (16,) if SLOW else (16, 24, 32)
    for number, size in enumerate(sizes):
        for mode in (ECB, CBC):
            job = Job(mode, rng.randbytes(size), rng.randbytes(16), rng.randbytes(16))
            job.decrypt = bool(number % 2)
            previous = job.iv
            for _ in range(20 if SLOW else 150):
                (result,) = await port.check([job])
                iv = job.data if job.decrypt else result.bytes(MESSAGE)
                following = result.bytes(MESSAGE) if mode == ECB else previous
                previous = result.bytes(MESSAGE)
                job = Job(mode, job.key, following, iv, job.decrypt)


@cocotb.test()
async def bad_parameters(dut):
    """A bad job moves neither key nor data, and the next good one is untouched."""
    rng = random.Random(5)
    port = Port(dut)
    await port.start()
    bad = [bad_job(rng) for _ in range(4 if SLOW else 20)]
    bad += [Job(mode, bytes(16), bytes(16), bad=True) for mode in range(3, 16)]
    await port.check_refused(bad, lambda: random_job(rng, 40))


@cocotb.test()
async def empty_messages(dut):
    port = Port(dut)
    await port.start()
    iv = bytes(range(16))
    for mode in MODES:
        for decrypt in (False, True):
            for ctx_save in (False, True):
                await port.check([Job(mode, b"", b"", iv, decrypt, ctx_save, key_len=0)])
                assert not port.handshakes["key"]


@cocotb.test()
async def context_chaining(dut):
    """A message in parts, each continued from the context of the one before, is the whole."""
    rng = random.Random(7)
    port = Port(dut)
    await port.start()
    for mode in MODES:
        for decrypt in (False, True):
            data, iv, key = rng.randbytes(96), rng.randbytes(16), rng.randbytes(24)
            expected = model(Job(mode, key, data, iv, decrypt)).bytes(MESSAGE)
            got = b""
            for start, end in ((0, 16), (16, 64), (64, 96)):
                job = Job(mode, key, data[start:end], iv, decrypt, ctx_save=True)
                (result,) = await port.check([job])
                got += result.bytes(MESSAGE)
                iv = result.bytes(CONTEXT)
            assert got == expected


@cocotb.test()
async def counter_wraps(dut):
    port = Port(dut)
    await port.start()
    for iv in (b"\xff" * 16, bytes(8) + b"\xff" * 8, bytes(12) + b"\xff\xff\xff\xfe"):
        await port.check([Job(CTR, bytes(16), bytes(60), iv, ctx_save=True)])


@cocotb.test()
async def wiped_when_aborted(dut):
    """Whatever the phase of whatever job is aborted, no secret is left."""
    rng = random.Random(8)
    port = Port(dut, 8, {"dst": 0.3, "src": 0.3})
    await port.start()
    for number in range(4 if SLOW else 20):
        port.begin([random_job(rng, 200) for _ in range(4)])
        for _ in range(rng.randrange(1, 90)):
            await RisingEdge(dut.clk_i)
        if number % 3 == 0:
            await port.reset()
        else:
            await port.clear()
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert is_wiped(dut)


@cocotb.test()
async def wiped_after_job(dut):
    rng = random.Random(9)
    port = Port(dut)
    await port.start()
    for mode in MODES:
        await port.check([Job(mode, rng.randbytes(32), rng.randbytes(32), rng.randbytes(16))])
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert is_wiped(dut)


def is_wiped(dut) -> bool:
    top = dut.u_engine
    engines = [top.gen_lane[lane].gen_engine.u_engine for lane in range(3)] if LOCKSTEP else [top]
    secrets = [secret for engine in engines for secret in (engine.key_q, engine.chain_q)]
    return not any(int(secret.value) for secret in [*secrets, *([dut.dst_o] if LOCKSTEP else [])])


def gaps(cycles: list[int]) -> set[int]:
    return {b - a for a, b in itertools.pairwise(cycles)}


@cocotb.test()
async def cycles_per_block(dut):
    """Distance of blocks of one job, and from the job to its first block, exact."""
    rng = random.Random(10)
    port = Port(dut)
    await port.start()
    for size, cycles in CYCLES.items():
        for mode in MODES:
            for decrypt in (False, True):
                data = rng.randbytes(48 if SLOW else 640)
                job = Job(mode, rng.randbytes(size), data, bytes(16), decrypt)
                (result,) = await port.check([job])
                inverse = decrypt and mode != CTR
                expected = cycles["inverse" if inverse else "block"]
                if IMPL == "pipelined" and (mode != CBC or decrypt):
                    expected = 1
                assert gaps(result.cycles) == {expected}, (size, mode, decrypt)
                first = result.cycles[0] - port.handshakes["job"][0]
                expected = cycles["inverse_first" if inverse else "first"] + LOCKSTEP
                assert first == expected, (size, mode)
                assert result.done - result.cycles[-1] == 1


@cocotb.test()
async def key_change(dut):
    """Jobs of one and of several blocks, each with a key of its own, leave no gap."""
    rng = random.Random(11)
    port = Port(dut)
    await port.start()
    for size, cycles in CYCLES.items():
        for mode in (ECB, CTR):
            jobs = [
                Job(mode, rng.randbytes(size), rng.randbytes(16 * blocks), rng.randbytes(16))
                for blocks in ((1, 1, 2) if SLOW else (1, 1, 1, 3, 1, 2, 20, 1, 4, *[1] * 20))
            ]
            results = await port.check(jobs)
            beats = [cycle for result in results for cycle in result.cycles]
            assert gaps(beats) == {1 if IMPL == "pipelined" else cycles["block"]}, (size, mode)


@cocotb.test()
async def no_secret_in_timing(dut):
    """All handshakes come in the same cycles whatever key, IV and data are."""
    rng = random.Random(12)
    port = Port(dut)
    await port.start()
    values = [lambda n: bytes(n), lambda n: b"\xff" * n, rng.randbytes, rng.randbytes]
    for mode in MODES:
        for decrypt in (False, True):
            for size in (16,) if SLOW else ROUNDS:
                seen = set()
                for value in values:
                    begin = port.cycle
                    job = Job(mode, value(size), value(48), value(16), decrypt)
                    (result,) = await port.check([job])
                    events = [
                        *itertools.chain(*port.handshakes.values()),
                        *result.cycles,
                        result.done,
                    ]
                    seen.add(tuple(event - begin for event in events))
                assert len(seen) == 1, (mode, decrypt, size, seen)


@cocotb.test(skip=not LOCKSTEP)
async def lane_that_differs(dut):
    """It is outvoted and said to be, and all is well from the next job on."""
    rng = random.Random(13)
    port = Port(dut)
    await port.start()
    job = Job(CTR, rng.randbytes(16), rng.randbytes(160), rng.randbytes(16))
    for moment in range(1, 60):
        results = port.begin([job])
        for _ in range(moment):
            await RisingEdge(dut.clk_i)
        dut.fault_inject_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.fault_inject_i.value = 0
        await port.finish(results)
        assert (results[0].status, results[0].beats) == (FAULT_CORRECTED, model(job).beats), moment
        await port.check([random_job(rng, 40)])


@cocotb.test(skip=not LOCKSTEP)
async def lanes_that_all_differ(dut):
    """Nothing leaves, and the alarm is up until all is cleared."""
    rng = random.Random(14)
    port = Port(dut, 14, {"dst": 1.0})
    await port.start()
    port.begin([Job(CTR, rng.randbytes(16), rng.randbytes(40), rng.randbytes(16))])
    await ReadWrite()
    while not int(dut.dst_valid_o.value):
        await RisingEdge(dut.clk_i)
        await ReadWrite()
    for lane in (1, 2):
        beat = dut.u_engine.gen_tmr.u_lockstep.gen_lane[lane].u_beat.copy_q
        beat.value = int(beat.value) ^ 1 << (30 + lane)
    for _ in range(20):
        await RisingEdge(dut.clk_i)
        assert not int(dut.dst_valid_o.value) and not int(dut.done_valid_o.value)
        assert int(dut.fault_detected_o.value)
    await port.clear()
    port.stalls = {}
    await RisingEdge(dut.clk_i)
    assert not int(dut.fault_detected_o.value)
    await port.check([random_job(rng, 40)])
