"""P-384 in the tile: keys in slots, such as are made there too, and what is refused."""

import dataclasses
import os
import random

import cocotb
from random_bench import MAKES, ended, started
from support.key_slots import ANY_SLOT, Use
from support.tile_model import BAD_DESCRIPTOR, BAD_PARAM, KEY_DENIED, OK, OPCODES, REFUSED, find
from tile_bench import Job

from cryptile.catalog import Key, mode
from cryptile.jobs.oracle.nist_curve import P384

PKA384 = OPCODES["pka384"]
ECDH, SIGN, VERIFY, PUBLIC, KEYGEN = (
    mode("pka384", f"p384_{name}") for name in ("ecdh", "sign", "verify", "public", "keygen")
)
HASH, MAC = find(key=Key.bytes, tag=48)
NUMBER = 48
SIGNER = Use(PKA384, (SIGN, PUBLIC), NUMBER, owners=(), encrypt=True)
AGREER = Use(PKA384, (ECDH,), NUMBER, owners=(), encrypt=True, unwrap=True)
TAGS = Use(HASH, (MAC,), NUMBER, owners=(), encrypt=True)
ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""


class Asked:
    """Jobs of one queue, and a place for what they write."""

    def __init__(self, bench, rng):
        self.bench, self.rng, self.queue = bench, rng, bench.queues[0]

    async def open(self):
        await self.queue.open(mask=0b11)
        await self.queue.write("ALLOWED", MAKES)
        self.room = self.queue.place(self.rng.randbytes(160), 16, 7)
        return self

    def job(self, number, message=b"", **more):
        """A job; its key has as many bytes as the curve's have."""
        said = {"src": self.queue.place(message, 16, 5), "length": len(message), "tag": self.room}
        return Job(PKA384, number, **({"key_bytes": NUMBER} | said | more))

    async def run(self, job):
        """Return a job's status and result; nothing is written behind it."""
        before = self.bench.memory.read(self.room, 160)
        (result,) = await ended(self.queue, job)
        after = self.bench.memory.read(self.room, 160)
        assert after[result.written :] == before[result.written :]
        return result.status, after[: result.written]


async def asked(dut, seed):
    bench, _ = await started(dut)
    return await Asked(bench, random.Random(seed)).open()


@cocotb.test()
async def keys(dut):
    """A key that is made in a slot signs; one that is not of its length or purpose is denied."""
    this = await asked(dut, 1)
    made = this.job(KEYGEN, target=0, iv=SIGNER.wrapped_for(ANY_SLOT), key_bytes=0)
    for wrong in (32, 64):
        use = dataclasses.replace(SIGNER, key_bytes=wrong)
        job = dataclasses.replace(made, iv=use.wrapped_for(ANY_SLOT))
        assert await this.run(job) == (BAD_DESCRIPTOR, b""), wrong
    status, point = await this.run(made)
    assert (status, len(point)) == (OK, 2 * NUMBER), "the public key, and nothing else"
    digest = this.rng.randbytes(NUMBER)
    for wrong in ({"key_bytes": 32}, {"key_bytes": 64}, {"mode": ECDH}, {"slot": 1}):
        job = dataclasses.replace(this.job(SIGN, digest, slot=0), **wrong)
        assert await this.run(job) == (KEY_DENIED, b""), wrong
    secret = this.queue.place(this.rng.randbytes(64), 16, 3)
    for wrong in ({"key_bytes": 32}, {"key_bytes": 64}, {"length": 47}, {"tag_len": 48}):
        job = dataclasses.replace(this.job(SIGN, digest, key=secret), **wrong)
        assert await this.run(job) == (BAD_PARAM, b""), wrong
    status, signature = await this.run(this.job(SIGN, digest, slot=0))
    assert status == OK and P384.verify(point + digest + signature)
    if ALL:
        assert await this.run(this.job(PUBLIC, slot=0)) == (OK, point)
        whole = point + digest + signature
        said = {"key_bytes": 0}
        assert await this.run(this.job(VERIFY, whole, **said)) == (OK, signature[:NUMBER])
        wrong = whole[:-1] + bytes([whole[-1] ^ 1])
        assert await this.run(this.job(VERIFY, wrong, **said)) == (REFUSED, bytes(NUMBER))


@cocotb.test(skip=not ALL)
async def secrets(dut):
    """Keys that agree on a secret of 48 bytes in a slot, where it serves for tags and stays."""
    this = await asked(dut, 2)
    tags = []
    made = this.job(KEYGEN, target=0, iv=AGREER.wrapped_for(ANY_SLOT), key_bytes=0)
    status, point = await this.run(made)
    assert (status, len(point)) == (OK, 2 * NUMBER)
    scalar = this.rng.randrange(1, 1 << 383).to_bytes(NUMBER, "big")
    peer = P384.public(scalar)
    agree = this.job(ECDH, peer, slot=0, target=1, iv=TAGS.wrapped_for(ANY_SLOT))
    plain = dataclasses.replace(agree, target=None, iv=bytes(16))
    assert (await this.run(plain))[0] == KEY_DENIED, "not in memory"
    part = dataclasses.replace(TAGS, key_bytes=32)
    job = dataclasses.replace(agree, iv=part.wrapped_for(ANY_SLOT))
    assert (await this.run(job))[0] == BAD_DESCRIPTOR, "not a part of it"
    beside = dataclasses.replace(agree, src=this.queue.place(bytes(2 * NUMBER), 16))
    assert await this.run(beside) == (REFUSED, b"")
    assert await this.bench.registers.read("SLOT[1].ATTRIBUTES") == 0
    assert await this.run(agree) == (OK, b"")
    text, secret = this.rng.randbytes(50), P384.ecdh(scalar, point)
    for where in ({"slot": 1}, {"key": this.queue.place(secret, 16, 3)}):
        tags.append(await this.run(dataclasses.replace(this.job(MAC, text, **where), opcode=HASH)))
    assert tags[0] == tags[1] and tags[0][0] == OK


@cocotb.test(skip=not ALL)
async def in_memory(dut):
    """Keys from memory: all modes against the curve, and what a job leaves behind."""
    this = await asked(dut, 3)
    status, pair = await this.run(this.job(KEYGEN, key_bytes=0))
    assert (status, len(pair)) == (OK, 3 * NUMBER), "more bytes than 127"
    key, point = pair[:NUMBER], pair[NUMBER:]
    assert P384.public(key) == point
    held = this.queue.place(key, 16, 9)
    assert await this.run(this.job(PUBLIC, key=held)) == (OK, point)
    scalar = this.rng.randrange(1, 1 << 383).to_bytes(NUMBER, "big")
    secret = P384.ecdh(scalar, point)
    assert await this.run(this.job(ECDH, P384.public(scalar), key=held)) == (OK, secret)
    zero = this.queue.place(bytes(NUMBER), 16)
    assert await this.run(this.job(PUBLIC, key=zero)) == (REFUSED, bytes(2 * NUMBER))
