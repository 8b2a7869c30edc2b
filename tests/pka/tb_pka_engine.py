"""cocotb tests of ``cry_pka_engine``: others' answers on the port, refusals, aborts, wiping."""

import os
import random
from dataclasses import dataclass

import cocotb
from cocotb.triggers import RisingEdge, Timer
from pka_port import WIPE_CYCLES
from pka_port import Port as Inside
from support import pka as simulated
from support import wycheproof
from support.engine_port import give_random
from support.job_port import JobPort, Result

from cryptile.jobs import job
from cryptile.jobs.oracle.pka import N256
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.pka import P256_ECDH, X25519, pka_outcome
from cryptile.jobs.port import BAD_PARAM, INVALID, NO_RANDOM, OK, pack_job

CASES = int(os.environ["CRYPTILE_CASES"])
RANDOM_CYCLES = 1000
LATENCY = 6
"""Cycles from the last beat of the message to the first of the secret, beside the program's."""


@dataclass(frozen=True)
class Job:
    """A job, and what it should give if that is not what ``pka_outcome`` says."""

    job: job.Job
    change: tuple[tuple[str, int], ...] = ()

    def pack(self) -> int:
        if not self.change:
            return self.job.word()
        fields = {"mode": self.job.mode, "key_len": 0, "msg_len": len(self.job.message)}
        return pack_job(**fields | dict(self.change))

    def keys(self, _rng: random.Random) -> list[int]:
        return [] if self.change else self.job.transfers()

    def src(self) -> list[int]:
        return [] if self.change else list(self.job.beats())


class Port(JobPort):
    """Runs jobs of the engine and looks at what it holds."""

    @staticmethod
    def model(said: Job) -> Result:
        outcome = Outcome(BAD_PARAM) if said.change else pka_outcome(said.job)
        return Result(outcome.status, outcome.beats())

    def left(self) -> int:
        engine = self.dut.u_engine
        return Inside(engine.u_pka, "row").left() | int(engine.first_q.value)

    async def wiped(self) -> None:
        """Wait for the wipe: nothing is left, and a job is accepted."""
        for _ in range(WIPE_CYCLES + 2):
            await RisingEdge(self.dut.clk_i)
        await Timer(1, "ns")
        assert self.left() == 0 and int(self.dut.job_ready_o.value)


async def started(dut, seed: int, feed: bool = True) -> Port:
    port = Port(dut, seed)
    port.timeout = 2_000_000
    await port.start()
    if feed:
        cocotb.start_soon(give_random(dut))
    return port


def made(mode: int, key: bytes, point: bytes) -> Job:
    return Job(job.Job(mode, False, 0, b"", point, key))


def agreed(rng: random.Random, count: int) -> list[tuple[Job, bytes]]:
    """Draw cases of Wycheproof, each with its secret, the first of each algorithm a valid one."""
    found = []
    groups = wycheproof.load("x25519_test.json")["testGroups"]
    cases = [case for group in groups for case in group["tests"]]
    for case in rng.sample([case for case in cases if any(bytes.fromhex(case["shared"]))], count):
        key, point, shared = (bytes.fromhex(case[n]) for n in ("private", "public", "shared"))
        found.append((made(X25519, key, point), shared))
    groups = wycheproof.load("ecdh_secp256r1_ecpoint_test.json")["testGroups"]
    cases = [case for group in groups for case in group["tests"] if len(case["public"]) == 130]
    for case in rng.sample([case for case in cases if case["result"] == "valid"], count):
        key = (int(case["private"], 16)).to_bytes(32, "big")
        point = bytes.fromhex(case["public"])[1:]
        found.append((made(P256_ECDH, key, point), bytes.fromhex(case["shared"])))
    return found


@cocotb.test()
async def wycheproofs(dut):
    """Secrets are those of others and come in the cycles of the program, back to back."""
    port = await started(dut, 1)
    for case, shared in agreed(random.Random(1), CASES):
        (result,) = await port.check([case])
        assert (result.status, result.bytes()) == (OK, shared)
        name = "x25519" if case.job.mode == X25519 else "p256_ecdh"
        taken = result.cycles[0] - port.handshakes["src"][-1]
        assert taken - simulated.CYCLES[name] == LATENCY, taken
        await port.wiped()
    # The same cycles for a point that is refused, and no secret.
    (result,) = await port.check([made(X25519, bytes(range(32)), bytes(32))])
    assert (result.status, result.bytes()) == (INVALID, bytes(32))
    assert result.cycles[0] - port.handshakes["src"][-1] - simulated.CYCLES["x25519"] == LATENCY


@cocotb.test()
async def refused(dut):
    """Wrong lengths and parameters take nothing, at once; a good job behind them is right."""
    port = await started(dut, 2)
    good = made(X25519, bytes(range(32)), b"\x09" + bytes(31))
    for mode, whole in ((X25519, 32), (P256_ECDH, 64)):
        sizes = {0, 1, 31, 33, 48, 63, 65, 96, 128, 2**32 - 1, 32, 64} - {whole}
        bad = [Job(made(mode, b"", b"").job, (("msg_len", size),)) for size in sorted(sizes)]
        rest = [("aad_len", 1), ("decrypt", 1), ("ctx_save", 1), ("ctx_load", 1), ("is_final", 0)]
        rest += [("out_len", size) for size in (1, 16, 31, 33, 64)]
        bad += [Job(made(mode, b"", b"").job, (("msg_len", whole), field)) for field in rest]
        await port.check(bad)
    await port.check([Job(good.job, (("mode", mode),)) for mode in range(2, 16)])
    assert port.left() == 0
    await port.check([good])


@cocotb.test()
async def no_random_bits(dut):
    """Without them a job ends in time, gives zeros, and leaves nothing."""
    port = await started(dut, 3, feed=False)
    key, point = (N256 - 2).to_bytes(32, "big"), bytes(32)
    none = Result(NO_RANDOM, Outcome(tag=bytes(32)).beats())
    for case in (made(X25519, key, point), made(P256_ECDH, key, 2 * point)):
        (result,) = await port.check([case], [none])
        assert result.done - port.handshakes["key"][0] < RANDOM_CYCLES + 1000
        await port.wiped()
    # Half of what is needed is not enough, and is not kept for the next job.
    dut.rnd_valid_i.value, dut.rnd_i.value = 1, 2**128 - 1
    results = port.begin([made(P256_ECDH, key, 2 * point)], [none])
    while not int(dut.rnd_ready_o.value):
        await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    dut.rnd_valid_i.value = 0
    await Timer(1, "ns")
    await port.finish(results)
    assert (results[0].status, results[0].bytes()) == (NO_RANDOM, bytes(32))
    await port.wiped()


@cocotb.test()
async def aborts(dut):
    """Clear and reset in each phase of a job: no end comes, all is wiped, the next job is right."""
    port, rng = await started(dut, 4), random.Random(4)
    case = made(X25519, bytes(range(1, 33)), b"\x09" + bytes(31))
    whole = simulated.CYCLES["x25519"] + LATENCY
    for number, stop in enumerate((1, 2, 3, 5, 7, 20, 300, rng.randrange(whole), whole + 10)):
        port.stalls = {"dst": 0.9} if stop > whole else {}
        port.begin([case])
        for _ in range(stop):
            await RisingEdge(dut.clk_i)
        await (port.reset() if number % 3 == 2 else port.clear())
        await RisingEdge(dut.clk_i)
        assert not int(dut.dst_valid_o.value) and not int(dut.done_valid_o.value)
        await port.wiped()
    port.stalls = {}
    await port.check([case])
