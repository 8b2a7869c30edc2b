"""Ed25519 in the tile: keys in slots sign by nonces that serve once, and nobody learns either."""

import dataclasses
import hashlib
import os
import random

import cocotb
import pytest
from cocotb.triggers import ClockCycles
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from random_bench import MAKES, ended, started, written
from support.key_slots import ANY_SLOT, Use
from support.pka import CYCLES
from support.tile_model import ABORTED, BAD_DESCRIPTOR, KEY_DENIED, OK, OPCODES, REFUSED
from tile_bench import Job

from cryptile.jobs.pka import ED_KEYGEN, ED_NONCE, ED_ONCE, ED_PUBLIC

PKA = OPCODES["pka"]
SIGNER = Use(PKA, (ED_NONCE,), 32, owners=(), encrypt=True, unwrap=True)
ONCE = Use(PKA, (ED_ONCE,), 64, owners=(), encrypt=True, counted=True, uses=1)
KEY, NONCE = 0, 1
"""Slots."""
ROOM = 160
ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""


class Signer:
    """Jobs of one queue, and a place for what they write."""

    def __init__(self, bench, rng):
        self.bench, self.rng, self.queue = bench, rng, bench.queues[0]
        self.cycles = []

    async def open(self):
        await self.queue.open(mask=0b11)
        await self.queue.write("ALLOWED", MAKES)
        self.room = self.queue.place(self.rng.randbytes(ROOM), 16, 7)
        return self

    def job(self, number, message=b"", **more):
        said = {"src": self.queue.place(message, 16, 5), "length": len(message), "tag": self.room}
        return Job(PKA, number, **(said | more))

    def nonce(self, **more):
        said = {"slot": KEY, "key_bytes": 32, "target": NONCE, "iv": ONCE.wrapped_for(ANY_SLOT)}
        return self.job(ED_NONCE, **(said | more))

    def sign(self, point, public, message, **more):
        digest = hashlib.sha512(point + public + message).digest()
        return self.job(ED_ONCE, digest + point, **({"slot": NONCE, "key_bytes": 64} | more))

    async def run(self, job):
        """Return a job's status and result; nothing is written behind it."""
        result, made = await written(self.queue, job, self.room, ROOM)
        self.cycles.append(result.cycles)
        return result.status, made


async def signing(dut, seed):
    bench, _ = await started(dut)
    return await Signer(bench, random.Random(seed)).open()


@cocotb.test()
async def signatures(dut):
    """A key that nobody has seen signs; a nonce serves once, this queue alone, and for its R."""
    this = await signing(dut, 1)
    generate = this.job(ED_KEYGEN, target=KEY, iv=SIGNER.wrapped_for(ANY_SLOT))
    status, public = await this.run(generate)
    assert (status, len(public)) == (OK, 32), "the public key, and nothing else"
    message = this.rng.randbytes(40)
    for wrong, status in (
        ({"target": None, "iv": bytes(16)}, BAD_DESCRIPTOR),
        ({"iv": dataclasses.replace(ONCE, uses=2).wrapped_for(ANY_SLOT)}, BAD_DESCRIPTOR),
        ({"mode": ED_PUBLIC, "target": None, "key_bytes": 0, "iv": bytes(16)}, KEY_DENIED),
        ({"slot": None, "key": this.room}, BAD_DESCRIPTOR),
    ):
        assert await this.run(dataclasses.replace(this.nonce(), **wrong)) == (status, b""), wrong
    points, signed = set(), []
    for turn in range(2 if ALL else 1):
        status, point = await this.run(this.nonce())
        assert (status, len(point)) == (OK, 32), "R, and nothing else"
        job = this.sign(point, public, message + bytes([turn]))
        for wrong in ({"key_bytes": 32}, {"slot": KEY}, {"mode": ED_NONCE}):
            status, result = await this.run(dataclasses.replace(job, **wrong))
            assert (status, result) == (BAD_DESCRIPTOR if "mode" in wrong else KEY_DENIED, b"")
        status, signature = await this.run(job)
        assert status == OK and signature[:32] == point
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message + bytes([turn]))
        points.add(point)
        signed.append(signature)
        # Another message, or the same one: this nonce answers no more.
        for text in (message, message + bytes([turn])):
            assert await this.run(this.sign(point, public, text)) == (KEY_DENIED, b"")
    assert len(points) == len(signed)
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public).verify(signed[0], message + b"+")


@cocotb.test(skip=not ALL)
async def others(dut):
    """A seed of others in a slot; the nonce of one queue is none of another's."""
    this = await signing(dut, 2)
    seed, message = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc4" * 2), b"of others"
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key().public_bytes_raw()
    use = dataclasses.replace(SIGNER, owners=(0, 1))
    await this.bench.slot(KEY, use, hashlib.sha512(seed).digest()[:32])
    status, point = await this.run(this.nonce())
    assert status == OK
    other = await this.bench.queues[1].open(mask=0b11)
    await other.write("ALLOWED", MAKES)
    for job in (this.sign(point, public, message), this.nonce()):
        (result,) = await ended(other, job)
        assert (result.status, result.written) == (KEY_DENIED, 0)
    status, signature = await this.run(this.sign(point, public, message))
    assert status == OK
    key.public_key().verify(signature, message)


@cocotb.test(skip=not ALL)
async def spent(dut):
    """An R that is not the nonce's, and an abort: no signature, and the nonce has served."""
    this = await signing(dut, 3)
    bench, secret, message = this.bench, this.rng.randbytes(32), b"spent"
    public = bytes(32)  # whoever signs may say any
    await bench.slot(KEY, dataclasses.replace(SIGNER, owners=(0,)), secret)
    _, point = await this.run(this.nonce())
    wrong = bytes([point[0] ^ 1]) + point[1:]
    assert await this.run(this.sign(wrong, public, message)) == (REFUSED, bytes(64))
    assert await this.run(this.sign(point, public, message)) == (KEY_DENIED, b"")
    assert this.cycles[1] > CYCLES["ed25519_sign_once"], "a refusal takes as long"
    for mode in (ED_ONCE, ED_NONCE):
        job = this.nonce()
        if mode == ED_ONCE:
            _, point = await this.run(job)
            job = this.sign(point, public, message)
        generation = await bench.registers.read(f"SLOT[{NONCE}].GENERATION")
        before = bench.memory.read(this.room, ROOM)
        this.queue.put(job)
        await this.queue.ring_bell()
        await ClockCycles(dut.clk_i, 9_000)
        await this.queue.write("CONTROL", 2)
        await this.queue.idle()
        assert this.queue.poll().status == ABORTED
        assert bench.memory.read(this.room, ROOM) == before
        lane = dut.gen_lane[PKA - 1].gen_built
        rows = lane.gen_own.u_engine.gen_lane[0].gen_engine.u_engine.u_pka.gen_rows[0].u_ram
        await ClockCycles(dut.clk_i, 600)
        assert not any(int(rows.mem[row].value) for row in range(160)), "all is wiped"
        assert await bench.registers.read(f"SLOT[{NONCE}].GENERATION") == generation
        await this.queue.open(mask=0b11)
        await this.queue.write("ALLOWED", MAKES)
        assert await this.run(this.sign(point, public, message)) == (KEY_DENIED, b"")
