"""RSA in the tile: keys that are part of messages, results longer than other tags, aborts."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from random_bench import started, written
from support.pka import CYCLES512
from support.tile_model import (
    ABORTED,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    NO_RANDOM,
    OK,
    OPCODES,
    REFUSED,
)
from tile_bench import Job, entries

from cryptile.jobs import rsa
from cryptile.pka.isa import WIDTH512

RSA, COPY = OPCODES["pka_rsa"], OPCODES["copy"]
PLACE = RSA - 1
"""Of the engine's lane: `nop` has none."""

ABORTED_WITHIN = 2000
"""Cycles in which a queue is at rest, whatever its job."""

WIPED_WITHIN = 600
"""Cycles from there on in which the lane takes the next job."""

ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""


class Asked:
    """Jobs of one queue, and a place for what they write."""

    def __init__(self, bench, rng):
        self.bench, self.rng, self.queue = bench, rng, bench.queues[0]
        self.room = 0

    async def open(self, **how):
        await self.queue.open(**how)
        self.room = self.queue.place(self.rng.randbytes(600), 16, 7)
        return self

    def job(self, bits, operation, key, number, **more):
        """A job whose source is a list of two pieces: key and number lie apart, anywhere."""
        parts = (self.queue.place(part, 16, self.rng.randrange(16)) for part in (key, number))
        spans = zip(parts, map(len, (key, number)), strict=True)
        said = {
            "src": self.queue.place(entries(*spans), 16),
            "src_list": 1,
            "length": len(key) + len(number),
            "tag": self.room,
        }
        return Job(RSA, rsa.number(bits, operation), **said | more)

    async def run(self, job):
        """Return a job's record, and its result; nothing is written behind that."""
        return await written(self.queue, job, self.room, 600, 10_000_000)


async def asked(dut, seed, share=1.0, **how):
    bench, _ = await started(dut, share)
    return await Asked(bench, random.Random(seed)).open(**how)


def power(key, number):
    """What a public operation of a key with 65537 gives."""
    size = len(number)
    return pow(int.from_bytes(number, "big"), 65537, int.from_bytes(key[:size], "big")).to_bytes(
        size, "big"
    )


@cocotb.test()
async def public(dut):
    """Results have all bytes of the modulus; a refusal leaves zeros and takes as long."""
    this = await asked(dut, 1)
    for bits in (2048, 3072, 4096) if ALL else (2048,):
        key, size = rsa.some_key(bits)[: bits // 8], bits // 8
        number = bytes([3]) + this.rng.randbytes(size - 1)
        result, found = await this.run(this.job(bits, "public", key, number))
        assert (result.status, found) == (OK, power(key, number))
        least = CYCLES512[f"rsa{bits}_public"]
        assert least < result.cycles < least + 600
        result, found = await this.run(this.job(bits, "public", key, key))
        assert (result.status, found) == (REFUSED, bytes(size))
        assert result.cycles > least, "a refusal takes as long as a result"
    three = (3).to_bytes(64, "big")
    if ALL:
        key = rsa.some_key(2048)[:256]
        result, found = await this.run(this.job(2048, "public64", key + three, bytes(255) + b"\7"))
        assert (result.status, found) == (REFUSED, bytes(256)), "most of 7^3 is zeros"


@cocotb.test()
async def refused(dut):
    """Other lengths, keys in slots and other tags: nothing is written, and a job goes on."""
    this = await asked(dut, 2)
    key, number = rsa.some_key(2048), bytes([3]) + this.rng.randbytes(255)
    for bits, operation, said in (
        (2048, "public", {"length": 511}),
        (2048, "private", {}),
        (2048, "public", {"tag_len": 255}),
        (2048, "public", {"decrypt": 1}),
        (4096, "public", {}),
    ):
        result, found = await this.run(this.job(bits, operation, key[:256], number, **said))
        assert (result.status, found) == (BAD_PARAM, b""), (operation, said)
    for said in ({"slot": 0}, {"target": 1}, {"row": 1}):
        result, found = await this.run(this.job(2048, "private", key, number, **said))
        assert (result.status, found) == (BAD_DESCRIPTOR, b""), said
    await this.queue.write("CONTROL", 2)
    await this.queue.idle()
    await this.open(max_bytes=1151)
    result, found = await this.run(this.job(2048, "private", key, number))
    assert (result.status, found) == (BAD_DESCRIPTOR, b""), "more than MAX_BYTES"


@cocotb.test()
async def without_words(dut):
    """A private operation without random bits ends, and leaves zeros."""
    this = await asked(dut, 3, share=0.0)
    job = this.job(2048, "private", rsa.some_key(2048), bytes([3]) + bytes(255))
    result, found = await this.run(job)
    assert (result.status, found) == (NO_RANDOM, bytes(256))
    assert result.cycles < 65_536 + 6_000


@cocotb.test()
async def aborts(dut):
    """A private operation is aborted in its midst: its key is wiped, and others go on."""
    this = await asked(dut, 4)
    bench, (first, second) = this.bench, this.bench.queues
    await second.open()
    key, number = rsa.some_key(2048), bytes([3]) + this.rng.randbytes(255)
    lane = dut.gen_lane[PLACE].gen_built
    engine = lane.gen_own.u_engine.gen_lane[0].gen_engine.u_engine
    rows = engine.u_pka.gen_rows[0].u_ram
    for wait in (60, 200, 4_000, 30_000):
        queue = first if wait == 60 else await first.open()
        queue.put(this.job(2048, "private", key, number))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, wait)
        assert wait == 60 or any(int(rows.mem[row].value) for row in range(WIDTH512.data))
        begin = bench.memory.cycle
        await queue.write("CONTROL", 2)
        await queue.idle()
        assert bench.memory.cycle - begin < ABORTED_WITHIN
        assert queue.poll().status == ABORTED
        await ClockCycles(dut.clk_i, WIPED_WITHIN)
        assert not any(int(rows.mem[row].value) for row in range(WIDTH512.data))
        assert not int(engine.first_q.value)
    data = second.place(bytes(64), 16)
    (result,) = await second.run(Job(COPY, src=data, dst=data + 32, length=9))
    assert result.status == OK
    await this.open()
    result, found = await this.run(this.job(2048, "public", key[:256], number))
    assert (result.status, found) == (OK, power(key, number))


@cocotb.test(skip=not ALL)
async def private(dut):
    """What a public operation makes of the result is the number; a wrong key is refused."""
    this = await asked(dut, 5)
    for bits in (2048, 4096):
        key, number = rsa.some_key(bits), bytes([3]) + this.rng.randbytes(bits // 8 - 1)
        result, found = await this.run(this.job(bits, "private", key, number))
        assert (result.status, power(key, found)) == (OK, number)
        steps = CYCLES512[f"rsa{bits}_private"]
        assert steps < result.cycles < steps + 1000
    key = rsa.some_key(2048)
    wrong = key[:-1] + bytes([key[-1] ^ 1])
    number = bytes([3]) + bytes(254) + b"\1"
    result, found = await this.run(this.job(2048, "private", wrong, number))
    assert (result.status, found) == (REFUSED, bytes(256))
