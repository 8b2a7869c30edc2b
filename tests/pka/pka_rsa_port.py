"""The engine port of ``cry_pka_rsa_engine``, and jobs of RSA for it."""

import os
import random
from dataclasses import dataclass

from pka_engine_port import EnginePort
from pka_port import MACHINE
from support import pka as simulated
from support import pka_rsa
from support.job_port import Result

from cryptile.jobs import job
from cryptile.jobs import rsa as modes
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.port import BAD_PARAM, INVALID, OK, pack_job, pack_key

CASES = int(os.environ["CRYPTILE_CASES"])
"""None: public operations of 2,048 bits; two: private ones of all lengths, too."""

LENGTHS = pka_rsa.LENGTHS if CASES else pka_rsa.LENGTHS[:1]
RANDOM_CYCLES = 1000
LATENCY = 4
"""Cycles from the last beat of the message to the first of the tag, beside the program's and one
for each word of its random rows but the first."""

DRAWS = {"private": 2, "public": 0, "public64": 0, "sealed": 2}
"""Random rows of an operation."""

WORDS = MACHINE.bits // 128
"""Words of the port that each of them has."""

PROGRAMS = {"sealed": "private"}
"""Of operations that have no program of their name."""


@dataclass(frozen=True)
class Job:
    """A job, and what of it is another: that is refused, and then it brings nothing."""

    job: job.Job
    change: tuple[tuple[str, int], ...] = ()

    def pack(self) -> int:
        said = {"mode": self.job.mode, "key_len": 0, "msg_len": len(self.job.message)}
        return pack_job(**said | dict(self.change))

    def keys(self, rng: random.Random) -> list[int]:
        if self.change or self.job.key is None:
            return []
        return pack_key(self.job.key + rng.randbytes(16))

    def src(self) -> list[int]:
        return [] if self.change else list(self.job.beats())


class Port(EnginePort):
    """Holds jobs against their reference."""

    LIMIT = 100_000_000

    @property
    def engine(self):
        return self.dut.u_engine.u_pka

    def left(self) -> int:
        """Return what the engines hold, and what was drawn for them."""
        seal = self.dut.u_engine.u_seal
        own = (seal.u_aead.s_q, seal.u_aead.key_q, seal.u_aead.dst_q, seal.drawn_q)
        return super().left() | any(int(value.value) for value in own)

    @staticmethod
    def model(said: Job) -> Result:
        outcome = Outcome(BAD_PARAM) if said.change else modes.outcome(said.job)
        return Result(outcome.status, outcome.beats())

    def begins(self, said: Job, result: Result) -> None:
        """Check in which cycle the tag of a job began to come."""
        bits, operation, item = modes.modes()[said.job.mode]
        taken = result.cycles[0] - self.handshakes["src"][-1] - DRAWS[operation] * (WORDS - 1)
        name = PROGRAMS.get(operation, operation)
        assert taken - simulated.OF[MACHINE][f"rsa{bits}_{name}"] == LATENCY
        assert taken - item.steps == LATENCY

    async def gives(self, said: Job, expected: bytes | None) -> None:
        """Run a job alone: it gives this, or is refused, in the cycles of its program."""
        (result,) = await self.check([said])
        none = bytes(modes.modes()[said.job.mode][2].tag or 0)
        assert result.status == (INVALID if expected is None else OK)
        assert result.bytes() == (expected or none)
        self.begins(said, result)
        await self.wiped()


def asked(bits: int, operation: str, *numbers: int | bytes, key: bytes | None = None) -> Job:
    """Return a job; numbers are of the modulus's length, but what is bytes."""
    parts = [n if isinstance(n, bytes) else n.to_bytes(bits // 8, "big") for n in numbers]
    return Job(job.Job(modes.number(bits, operation), False, 0, b"", b"".join(parts), key))
