"""P-384 and P-521 in the tile: keys in slots, such as are made there too, and what is refused."""

import dataclasses
import hashlib
import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from random_bench import MAKES, WIPED_WITHIN, ended, started, written
from support import wycheproof
from support.key_slots import ANY_SLOT, UNWRAPS, Use, kek
from support.tile_model import (
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    KEY_DENIED,
    MODES,
    OK,
    OPCODES,
    REFUSED,
    find,
)
from tile_bench import Job
from tile_jobs import make_token
from tile_state import State

from cryptile.catalog import Key
from cryptile.jobs import pka

ENGINE = pka.ENGINES[os.environ["CRYPTILE_ENGINE_NAME"]]
PKA, CURVE, NUMBER = OPCODES[ENGINE.name], ENGINE.on, ENGINE.on.size
ECDH, SIGN, VERIFY, PUBLIC, KEYGEN = map(
    ENGINE.number, ("ecdh", "sign", "verify", "public", "keygen")
)
HASH, MAC = find(key=Key.bytes, tag=48)
WRONG = [size for size in (32, 48, 64, 66, 80) if size != NUMBER]
"""Bytes that no key has."""
SIGNER = Use(PKA, (SIGN, PUBLIC), NUMBER, owners=(), encrypt=True)
AGREER = Use(PKA, (ECDH,), NUMBER, owners=(), encrypt=True, unwrap=True)
TAGS = Use(HASH, (MAC,), NUMBER, owners=(), encrypt=True)
ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""
ROOM = 256
"""Bytes for what a job writes."""


def scalar_of(rng):
    """A private key."""
    return rng.randrange(1, CURVE.n).to_bytes(NUMBER, "big")


def digest_of(rng):
    """A hash, of 64 bytes or fewer."""
    return rng.randbytes(min(NUMBER, 64)).rjust(NUMBER, b"\0")


class Asked:
    """Jobs of one queue, and a place for what they write."""

    def __init__(self, bench, rng):
        self.bench, self.rng, self.queue = bench, rng, bench.queues[0]

    async def open(self):
        await self.queue.open(mask=0b11)
        await self.queue.write("ALLOWED", MAKES)
        self.room = self.queue.place(self.rng.randbytes(ROOM), 16, 7)
        return self

    def job(self, number, message=b"", **more):
        """A job; its key has as many bytes as the curve's have."""
        said = {"src": self.queue.place(message, 16, 5), "length": len(message), "tag": self.room}
        return Job(PKA, number, **({"key_bytes": NUMBER} | said | more))

    async def run(self, job):
        """Return a job's status and result; nothing is written behind it."""
        result, made = await written(self.queue, job, self.room, ROOM)
        return result.status, made

    async def nothing_left(self, *secrets):
        """Nothing of secrets is anywhere in the tile when the engine has had the time to wipe."""
        await ClockCycles(self.bench.dut.clk_i, WIPED_WITHIN)
        State(self.bench.dut).holds_nothing_of(*secrets)


async def asked(dut, seed):
    bench, _ = await started(dut)
    return await Asked(bench, random.Random(seed)).open()


@cocotb.test()
async def keys(dut):
    """A key that is made in a slot signs; one that is not of its length or purpose is denied."""
    this = await asked(dut, 1)
    made = this.job(KEYGEN, target=0, iv=SIGNER.wrapped_for(ANY_SLOT), key_bytes=0)
    for wrong in WRONG:
        use = dataclasses.replace(SIGNER, key_bytes=wrong)
        job = dataclasses.replace(made, iv=use.wrapped_for(ANY_SLOT))
        assert await this.run(job) == (BAD_DESCRIPTOR, b""), wrong
    status, point = await this.run(made)
    assert (status, len(point)) == (OK, 2 * NUMBER), "the public key, and nothing else"
    digest = digest_of(this.rng)
    sizes = [{"key_bytes": size} for size in WRONG]
    for wrong in (*sizes, {"mode": ECDH}, {"slot": 1}):
        job = dataclasses.replace(this.job(SIGN, digest, slot=0), **wrong)
        longest = max(NUMBER, 64)
        denied = BAD_DESCRIPTOR if wrong.get("key_bytes", 0) > longest else KEY_DENIED
        assert await this.run(job) == (denied, b""), wrong
    secret = this.queue.place(this.rng.randbytes(NUMBER), 16, 3)
    for wrong in ({"key_bytes": 32}, {"key_bytes": 64}, {"length": NUMBER - 1}, {"tag_len": 48}):
        job = dataclasses.replace(this.job(SIGN, digest, key=secret), **wrong)
        assert await this.run(job) == (BAD_PARAM, b""), wrong
    status, signature = await this.run(this.job(SIGN, digest, slot=0))
    assert status == OK and CURVE.verify(point + digest + signature)
    if ALL:
        assert await this.run(this.job(PUBLIC, slot=0)) == (OK, point)
        whole = point + digest + signature
        said = {"key_bytes": 0}
        assert await this.run(this.job(VERIFY, whole, **said)) == (OK, signature[:NUMBER])
        wrong = whole[:-1] + bytes([whole[-1] ^ 1])
        assert await this.run(this.job(VERIFY, wrong, **said)) == (REFUSED, bytes(NUMBER))


@cocotb.test(skip=not ALL or not MODES[PKA, ECDH].agrees)
async def secrets(dut):
    """Keys that agree on a secret in a slot, where it serves for tags and stays."""
    this = await asked(dut, 2)
    tags = []
    made = this.job(KEYGEN, target=0, iv=AGREER.wrapped_for(ANY_SLOT), key_bytes=0)
    status, point = await this.run(made)
    assert (status, len(point)) == (OK, 2 * NUMBER)
    scalar = scalar_of(this.rng)
    peer = CURVE.public(scalar)
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
    text, secret = this.rng.randbytes(50), CURVE.ecdh(scalar, point)
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
    assert CURVE.public(key) == point
    await this.nothing_left(key[-48:])
    held = this.queue.place(key, 16, 9)
    assert await this.run(this.job(PUBLIC, key=held)) == (OK, point)
    scalar = scalar_of(this.rng)
    secret = CURVE.ecdh(scalar, point)
    assert await this.run(this.job(ECDH, CURVE.public(scalar), key=held)) == (OK, secret)
    await this.nothing_left(key[-48:], secret[-48:])
    zero = this.queue.place(bytes(NUMBER), 16)
    assert await this.run(this.job(PUBLIC, key=zero)) == (REFUSED, bytes(2 * NUMBER))


@cocotb.test(skip=os.environ["CRYPTILE_WRAPPED"] == "0")
async def wrapped(dut):
    """A wrapped key, into a slot and for one job alone, is the key that it was."""
    this = await asked(dut, 4)
    key, iv, keys = scalar_of(this.rng), this.rng.randbytes(16), this.rng.randbytes(16)
    point, said = CURVE.public(key), dataclasses.replace(SIGNER, owners=(0,))
    await this.bench.slot(0, kek(), keys)
    token = make_token(keys, iv, key, said.wrapped_for(ANY_SLOT))
    at = this.queue.place(token, 16, 11)
    by_token = this.job(PUBLIC, key=at, slot=0, token=1)
    assert await this.run(by_token) == (OK, point)
    spoilt = bytearray(token)
    spoilt[32 + NUMBER - 1] ^= 1  # of the last beat of the key
    job = dataclasses.replace(by_token, key=this.queue.place(bytes(spoilt), 16))
    assert await this.run(job) == (KEY_DENIED, b"")
    unwrap = Job(
        *UNWRAPS,
        decrypt=1,
        slot=0,
        target=1,
        aad_len=16,
        aad=at,
        iv_len=16,
        long_iv=at + 16,
        length=NUMBER,
        src=at + 32,
        tag=at + 32 + NUMBER,
        tag_len=16,
    )
    short = dataclasses.replace(unwrap, length=64, tag=at + 32 + 64)
    for job, status in ((short, AUTH), (unwrap, OK)):
        (result,) = await ended(this.queue, job)
        assert result.status == status
    assert await this.run(this.job(PUBLIC, slot=1)) == (OK, point)


def vectors(name):
    """Tests of a file of Wycheproof for this curve, each with its group."""
    groups = wycheproof.load(name.format(f"secp{CURVE.n.bit_length()}r1"))["testGroups"]
    return [(group, case) for group in groups for case in group["tests"]]


@cocotb.test(skip=not ALL)
async def wycheproofs(dut):
    """A sample of Wycheproof's: secrets, and signatures that are right and wrong."""
    this = await asked(dut, 5)
    width = -(-CURVE.n.bit_length() // 8)

    def numbers(text):
        """Numbers as the engine has them, of such as fill their bytes."""
        parts = (text[at : at + width] for at in range(0, len(text), width))
        return CURVE.text(*(int.from_bytes(part, "big") for part in parts))

    found = vectors("ecdh_{}_ecpoint_test.json")
    good = [case for _, case in found if case["result"] == "valid" and case["public"][:2] == "04"]
    for case in this.rng.sample(good, 2):
        private = CURVE.text(int(case["private"], 16))
        point = numbers(bytes.fromhex(case["public"])[1:])
        job = this.job(ECDH, point, key=this.queue.place(private, 16, 3))
        assert await this.run(job) == (OK, CURVE.text(int(case["shared"], 16))), case["tcId"]
    name = {48: "sha384", 80: "sha512"}[NUMBER]
    found = [
        (group, case)
        for group, case in vectors(f"ecdsa_{{}}_{name}_p1363_test.json")
        if len(case["sig"]) == 4 * width
    ]
    for result, status in (("valid", OK), ("invalid", REFUSED)):
        some = [pair for pair in found if pair[1]["result"] == result]
        for group, case in this.rng.sample(some, 2):
            point = numbers(bytes.fromhex(group["publicKey"]["uncompressed"])[1:])
            digest = hashlib.new(name, bytes.fromhex(case["msg"])).digest().rjust(NUMBER, b"\0")
            signature = numbers(bytes.fromhex(case["sig"]))
            job = this.job(VERIFY, point + digest + signature, key_bytes=0)
            assert (await this.run(job))[0] == status, case["tcId"]
