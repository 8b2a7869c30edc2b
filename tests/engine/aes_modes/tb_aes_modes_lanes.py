"""cocotb tests of the AES lanes that share a core: no job is touched by those of other lanes."""

import random
from dataclasses import replace

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge
from modes_port import MODES, Job, Port, random_job

from cryptile.jobs.oracle.aes import CBC, CCM, CMAC, CTR, ECB, GCM, XTS
from cryptile.jobs.port import BAD_PARAM

LANES = 4
SERIAL = (CBC, CMAC, CCM)
SIZE = 1024


class Lane:
    """The port of one lane, as that of an engine."""

    def __init__(self, dut, number: int):
        self._dut, self._number = dut, number

    def __getattr__(self, name: str):
        signal = getattr(self._dut, name)
        return signal if name in ("clk_i", "rst_ni") else signal[self._number]


async def start(dut, seed: int = 0, stalls: dict[str, float] | None = None) -> list[Port]:
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    ports = [Port(Lane(dut, number), seed + number, stalls) for number in range(LANES)]
    dut.rst_ni.value = 0
    for port in ports:
        port.abandon()
        port.dut.clear_i.value = 0
    await ClockCycles(dut.clk_i, 2)
    dut.rst_ni.value = 1
    await RisingEdge(dut.clk_i)
    return ports


def jobs_for(rng: random.Random, lane: int, number: int, most: int = 120) -> list[Job]:
    """Random jobs that a lane can do, and on all but the first some that it cannot."""
    jobs = []
    while len(jobs) < number:
        job = random_job(rng, most, None if rng.random() < 0.5 else rng.choice(SERIAL))
        if lane:
            inverse = job.decrypt and job.mode in (ECB, CBC)
            job.bad = inverse or job.mode in (GCM, XTS)
        if not job.bad or rng.random() < 0.3:
            jobs.append(job)
    return jobs


async def all_at_once(ports: list[Port], jobs: list[list[Job]]) -> None:
    tasks = [cocotb.start_soon(port.check(some)) for port, some in zip(ports, jobs, strict=True)]
    for task in tasks:
        await task


@cocotb.test()
async def random_mix(dut):
    """All modes, directions, keys and lengths on all lanes: without stalls, and with."""
    for seed, stalls in ((1, {}), (2, {"src": 0.3, "dst": 0.3, "key": 0.3}), (3, {"dst": 0.9})):
        rng = random.Random(seed)
        ports = await start(dut, seed, stalls)
        most = 60 if stalls else 160
        jobs = [jobs_for(rng, lane, 12 if stalls else 30, most) for lane in range(LANES)]
        assert any(job.bad for some in jobs for job in some) or stalls
        await all_at_once(ports, jobs)


@cocotb.test()
async def short_jobs(dut):
    """Jobs of a block or none behind each other, keys expanded for each."""
    rng = random.Random(4)
    ports = await start(dut, 4)
    first = [
        replace(random_job(rng, 32, rng.choice((ECB, CBC, XTS))), decrypt=True) for _ in range(40)
    ]
    await all_at_once(ports, [first, *(jobs_for(rng, lane, 30, 33) for lane in (1, 2, 3))])


@cocotb.test()
async def abort(dut):
    """One lane is cleared in mid-flow, at every phase; the others do not notice."""
    rng = random.Random(5)
    ports = await start(dut, 5, {"dst": 0.1})
    for number in range(24):
        victim = number % LANES
        running = [
            cocotb.start_soon(port.check(jobs_for(rng, lane, 3, 80)))
            for lane, port in enumerate(ports)
            if lane != victim
        ]
        port = ports[victim]
        for _ in range(4):
            port.begin([job for job in jobs_for(rng, victim, 4, 100) if not job.bad])
            await ClockCycles(dut.clk_i, rng.randrange(1, 50))
            await port.clear()
            await port.check(jobs_for(rng, victim, 1, 40))
        for task in running:
            await task


@cocotb.test()
async def all_cleared(dut):
    """When all lanes are cleared nothing is left of keys and data, in the core neither."""
    rng = random.Random(6)
    ports = await start(dut, 6, {"dst": 0.5})
    for _ in range(4):
        for lane, port in enumerate(ports):
            port.begin([job for job in jobs_for(rng, lane, 8, 100) if not job.bad])
        await ClockCycles(dut.clk_i, rng.randrange(20, 80))
        share = dut.u_lanes.u_share
        assert secrets(share)
        for port in ports:
            port.dut.clear_i.value = 1
            port.abandon()
        await RisingEdge(dut.clk_i)
        for port in ports:
            port.dut.clear_i.value = 0
        await RisingEdge(dut.clk_i)
        await ReadOnly()
        assert not secrets(share)
        await RisingEdge(dut.clk_i)
    await all_at_once(ports, [jobs_for(rng, lane, 2) for lane in range(LANES)])


def secrets(share) -> bool:
    """Whether the core or a result that waits hold anything."""
    stages = share.u_core.gen_stage
    held = [stages[s].state_q for s in range(14)] + [stages[s].window_q for s in range(14)]
    held += [share.gen_requester[r].u_catch.slot_q for r in range(LANES)]
    return any(int(signal.value) for signal in held)


def long_job(mode: int, size: int = SIZE) -> Job:
    nonce = bytes(range(13)) if mode == CCM else bytes(12) if mode == GCM else bytes(16)
    return Job(mode, bytes(range(16)), bytes(size), nonce)


async def measure(dut, jobs: list[Job]) -> tuple[int, float]:
    """Cycles from the first job's handshake to the last `done`; share of cycles with a block."""
    ports = await start(dut)
    results = [port.begin([job]) for port, job in zip(ports, jobs, strict=False)]
    blocks, first, cycle = 0, None, 0
    while not all(task.done() for port in ports for task in port.tasks):
        await ReadOnly()
        blocks += int(dut.block_o.value)
        if first is None and any(int(port.dut.job_valid_i.value) for port in ports):
            first = cycle
        await RisingEdge(dut.clk_i)
        cycle += 1
    assert all(result.status == 0 for some in results for result in some)
    last = max(some[-1].done for some in results)
    begin = min(port.handshakes["job"][0] for port in ports[: len(jobs)])
    return last - begin, blocks / (last - begin)


EXPECTED = {
    "cbc": (643, 644, 646),
    "cmac": (644, 646, 650),
    "ccm": (718, 784, 916),
    "ctr": (76,),
    "gcm": (81,),
}
"""Cycles of jobs of SIZE bytes, one on each of 1, 2 and 4 lanes."""


@cocotb.test()
async def speed(dut):
    """Serial modes hardly feel each other; one job goes as fast as with a core of its own."""
    found = {}
    for name, mode in (("cbc", CBC), ("cmac", CMAC), ("ccm", CCM), ("ctr", CTR), ("gcm", GCM)):
        cycles = []
        for lanes in (1, 2, 4) if mode in SERIAL else (1,):
            spent, share = await measure(dut, [long_job(mode)] * lanes)
            dut._log.info(
                "%s of %d bytes on %d lanes: %d cycles, core busy %.1f %%",
                name,
                SIZE,
                lanes,
                spent,
                100 * share,
            )
            cycles.append(spent)
        found[name] = tuple(cycles)
    assert found == EXPECTED


@cocotb.test()
async def nobody_waits_for_another(dut):
    """A lane whose output nobody takes costs the others nothing but its turns."""
    ports = await start(dut)
    ports[0].stalls = ports[1].stalls = {"dst": 1.0}
    ports[0].begin([long_job(CTR, 1024)])
    ports[1].begin([long_job(CCM, 1024)])
    await ClockCycles(dut.clk_i, 60)
    before = ports[2].cycle
    await all_at_once(ports[2:], [[long_job(CBC, 512)], [long_job(CMAC, 512)]])
    spent = ports[2].cycle - before
    assert spent < 32 * 10 + 40, spent


@cocotb.test()
async def what_serial_lanes_lack(dut):
    ports = await start(dut)
    for mode in MODES:
        for decrypt in (False, True):
            job = replace(long_job(mode, 32), decrypt=decrypt, bad=True)
            if mode == XTS:
                job.key = bytes(32)
            if mode in (GCM, XTS) or (mode in (ECB, CBC) and decrypt):
                (result,) = await ports[3].run([job], [0])
                assert result.status == BAD_PARAM
