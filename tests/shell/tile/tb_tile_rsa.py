"""RSA in the tile: keys that are part of messages, or sealed there under a key in a slot, results
longer than other tags, aborts."""

import os
import random
from dataclasses import replace
from itertools import pairwise

import cocotb
from cocotb.triggers import ClockCycles
from random_bench import WIPED_WITHIN, started, written
from support import pka_rsa
from support.key_slots import ANY_SLOT, Use
from support.pka import CYCLES512
from support.tile_model import (
    ABORTED,
    AUTH,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    KEY_DENIED,
    NO_RANDOM,
    OK,
    OPCODES,
    REFUSED,
    find,
)
from tile_bench import Job, entries
from tile_state import State

from cryptile import layout
from cryptile.catalog import Key
from cryptile.jobs import rsa
from cryptile.jobs.oracle.rsa import SEAL, Rsa
from cryptile.pka.isa import WIDTH512

RSA, COPY = OPCODES["pka_rsa"], OPCODES["copy"]
PLACE = RSA - 1
"""Of the engine's lane: `nop` has none."""

ALLOWED = layout.blocks()["tile_queue"].registers["ALLOWED"]

SHORT = 4000
"""Cycles of a job that comes to no program."""

ABORTED_WITHIN = 2000
"""Cycles in which a queue is at rest, whatever its job."""

ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""

LENGTHS = (2048, 3072, 4096)

SECRETS = [rsa.some_key(bits)[-3 * bits // 16 :] for bits in LENGTHS]
"""Parts of private keys that hold neither many zeros nor many ones."""


class Asked:
    """Jobs of one queue, and a place for what they write."""

    def __init__(self, bench, rng, source):
        self.bench, self.rng, self.queue, self.source = bench, rng, bench.queues[0], source
        self.room, self.how = 0, {}
        self.state = State(bench.dut)
        lane = bench.dut.gen_lane[PLACE].gen_built
        self.engine = lane.gen_own.u_engine.gen_lane[0].gen_engine.u_engine

    async def open(self, **how):
        self.how = how
        await self.queue.open(**how)
        self.room = self.queue.place(self.rng.randbytes(ROOM), 16, 7)
        return self

    def rows(self):
        """The rows of data of the public-key engine."""
        memory = self.engine.u_pka.u_pka.gen_rows[0].u_ram.mem
        return [int(memory[row].value) for row in range(WIDTH512.data)]

    async def opens(self, job, bits):
        """Run a job until its key stands in the engine, and abort it then: it is wiped."""
        self.queue.put(job)
        await self.queue.ring_bell()
        for _ in range(SHORT // 50):
            await ClockCycles(self.bench.dut.clk_i, 50)
            if pka_rsa.text_in(self.rows(), bits) == rsa.some_key(bits):
                break
        else:
            raise AssertionError("the key does not come to the engine")
        await self.queue.write("CONTROL", 2)
        await self.queue.idle()
        assert self.queue.poll().status == ABORTED
        assert not await self.still()
        await self.open(**self.how)

    async def still(self, *secrets):
        """What is left when the engine has had the time to wipe itself."""
        await ClockCycles(self.bench.dut.clk_i, WIPED_WITHIN)
        return self.left(*secrets)

    def left(self, *secrets):
        """Where anything is in the engine, or anywhere a part of a private key or of a secret."""
        seal = self.engine.u_seal
        held = (seal.u_aead.s_q, seal.u_aead.key_q, seal.drawn_q, self.engine.u_pka.first_q)
        found = [value._path for value in held if int(value.value)]
        found += ["rows"] * any(self.rows())
        return found + self.state.holding(*SECRETS, *secrets)

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
        return await written(self.queue, job, self.room, ROOM, 10_000_000)


ROOM = 2000
"""Bytes of the longest result, and some behind it."""


async def asked(dut, seed, share=1.0, **how):
    bench, source = await started(dut, share)
    return await Asked(bench, random.Random(seed), source).open(**how)


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
    for bits in LENGTHS if ALL else (2048,):
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
    """A private operation is aborted in its midst: its key is wiped, and others go on. Likewise
    when the tile is tampered with."""
    this = await asked(dut, 4)
    bench, (first, second) = this.bench, this.bench.queues
    await second.open()
    key, number = rsa.some_key(2048), bytes([3]) + this.rng.randbytes(255)
    for wait in (60, 200, 4_000, 30_000):
        queue = first if wait == 60 else await first.open()
        queue.put(this.job(2048, "private", key, number))
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, wait)
        assert wait == 60 or any(this.rows())
        begin = bench.memory.cycle
        await queue.write("CONTROL", 2)
        await queue.idle()
        assert bench.memory.cycle - begin < ABORTED_WITHIN
        assert queue.poll().status == ABORTED
        assert not await this.still()
    data = second.place(bytes(64), 16)
    (result,) = await second.run(Job(COPY, src=data, dst=data + 32, length=9))
    assert result.status == OK
    await this.open()
    result, found = await this.run(this.job(2048, "public", key[:256], number))
    assert (result.status, found) == (OK, power(key, number))
    this.queue.put(this.job(2048, "private", key, number))
    await this.queue.ring_bell()
    await ClockCycles(dut.clk_i, 200)
    assert this.left()
    dut.tamper_i.value = 1
    await this.queue.idle()
    assert not await this.still()


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


def numbers(operation):
    """The modes of an operation, of all lengths."""
    return tuple(rsa.number(bits, operation) for bits in LENGTHS)


OPENS = Use(RSA, numbers("sealed"), SEAL, encrypt=True)
SEALS = Use(RSA, numbers("seal"), SEAL, encrypt=True)
NUMBER = bytes([3]) + bytes(255)


def sealed(under, nonce, bits=2048):
    """A key sealed by software."""
    return Rsa(bits // 8).sealed(rsa.some_key(bits), under, nonce)


@cocotb.test()
async def sealing(dut):
    """What one slot seals another one with the same key opens, of each length; software does, too.
    No nonce comes twice, and each is a word of the generator."""
    this = await asked(dut, 6, mask=0b11)
    under, nonces = this.rng.randbytes(SEAL), set()
    await this.bench.slot(0, SEALS, under)
    await this.bench.slot(1, OPENS, under)
    for bits in (2048, 2048, 3072, 4096) if ALL else (2048, 2048, 4096):
        key = rsa.some_key(bits)
        result, found = await this.run(this.job(bits, "seal", key, b"", slot=0))
        assert (result.status, len(found)) == (OK, len(key) + 2 * SEAL)
        assert Rsa(bits // 8).opened(found, under) == key
        assert not await this.still()
        assert found[:SEAL] in this.source.taken and found[:SEAL] not in nonces
        nonces.add(found[:SEAL])
        await this.opens(this.job(bits, "sealed", found, bytes(bits // 8), slot=1), bits)
    # With the key from memory it is the same.
    at = this.queue.place(under, 16, 5)
    job = replace(this.job(2048, "seal", rsa.some_key(2048), b""), key=at)
    result, found = await this.run(job)
    assert (result.status, Rsa(256).opened(found, under)) == (OK, rsa.some_key(2048))


@cocotb.test()
async def sealed_rights(dut):
    """A slot opens, or seals, if its policy says so, for its queue, with its key, and no other."""
    this = await asked(dut, 7, mask=0b111)
    under = this.rng.randbytes(SEAL)
    text, key = sealed(under, bytes(SEAL)), rsa.some_key(2048)
    opens = this.job(2048, "sealed", text, NUMBER, slot=0)
    seals = this.job(2048, "seal", key, b"", slot=1)
    cipher, mode = find(key=Key.sized, iv=False, output=True)
    both = Use(RSA, (*OPENS.modes, *SEALS.modes), SEAL, encrypt=True)
    for use, job, status in (
        (OPENS, {}, None),
        (OPENS, {"slot": 1}, KEY_DENIED),
        (OPENS, {"mode": rsa.number(3072, "sealed")}, BAD_PARAM),
        (OPENS, {"mode": SEALS.modes[0]}, KEY_DENIED),
        (replace(OPENS, modes=OPENS.modes[1:]), {}, KEY_DENIED),
        (replace(OPENS, owners=(1,)), {}, KEY_DENIED),
        (replace(OPENS, encrypt=False, decrypt=True), {}, KEY_DENIED),
        (replace(OPENS, unwrap=True), {}, KEY_DENIED),
        (replace(OPENS, nonce=True, uses=9), {}, KEY_DENIED),
        (replace(OPENS, counted=True, uses=0), {}, KEY_DENIED),
        (replace(OPENS, key_bytes=32), {}, KEY_DENIED),
        (replace(OPENS, opcode=cipher, modes=(mode,)), {}, KEY_DENIED),
        (OPENS, {"key_len": 1}, KEY_DENIED),
        (replace(OPENS, key_bytes=32), {"key_len": 2}, BAD_PARAM),
        (OPENS, {"decrypt": 1}, KEY_DENIED),
        (replace(both, decrypt=True), {"decrypt": 1}, BAD_PARAM),
        (OPENS, {"more": 1}, KEY_DENIED),
        (replace(OPENS, contexts=True), {"more": 1}, BAD_PARAM),
        (OPENS, {"tag_len": 255}, KEY_DENIED),
        (OPENS, {"target": 2}, BAD_DESCRIPTOR),
        (OPENS, {"mode": 0}, BAD_DESCRIPTOR),
    ):
        await this.bench.slot(0, use, under.ljust(use.key_bytes, b"\0").ljust(40, b"\0"))
        asks = replace(opens, **job)
        if status is None:
            await this.opens(asks, 2048)
            continue
        result, found = await this.run(asks)
        assert (result.status, found) == (status, b""), (use, job)
    await this.bench.slot(1, OPENS, under)
    assert (await this.run(seals))[0].status == KEY_DENIED
    # A slot whose key is another one opens nothing.
    await this.bench.slot(0, both, this.rng.randbytes(SEAL))
    result, found = await this.run(replace(opens, tag=this.room))
    assert (result.status, found) == (AUTH, bytes(256))
    assert result.cycles < SHORT and not await this.still()


@cocotb.test()
async def tampered(dut):
    """A sealed key of which a bit, a part, n or the length is another: zeros, and nothing left."""
    this = await asked(dut, 8, mask=0b1)
    rng, under = this.rng, this.rng.randbytes(SEAL)
    await this.bench.slot(0, OPENS, under)
    text = sealed(under, rng.randbytes(SEAL))
    other = Rsa(256).sealed(pka_rsa.some_key(2048).text, under, text[:SEAL])
    edges = [0, SEAL, *(SEAL + 128 * n for n in range(2, 8)), len(text)]
    wrong = [text[:a] + other[a:b] + text[b:] for a, b in pairwise(edges) if a]
    for at in (0, SEAL, SEAL + 256, len(text) - SEAL - 1, len(text) - 1):
        wrong.append(text[:at] + bytes([text[at] ^ 1 << rng.randrange(8)]) + text[at + 1 :])
    wrong += [sealed(under, text[:SEAL], 4096)[: len(text)]]
    for number, blob in enumerate(wrong):
        result, found = await this.run(this.job(2048, "sealed", blob, NUMBER, slot=0))
        assert (result.status, found) == (AUTH, bytes(256))
        assert result.cycles < SHORT
        assert number % 4 or not await this.still()
    # What was opened, or was not, is in no job behind it.
    key = rsa.some_key(2048)[:256]
    result, found = await this.run(this.job(2048, "public", key, NUMBER))
    assert (result.status, found) == (OK, power(key, NUMBER))


@cocotb.test()
async def clear_keys(dut):
    """A queue without clear keys has private keys that are sealed under a slot's, and public ones;
    it neither brings others nor seals them."""
    this = await asked(dut, 9, mask=0b11)
    under, key = this.rng.randbytes(SEAL), rsa.some_key(2048)
    await this.bench.slot(0, OPENS, under)
    await this.bench.slot(1, SEALS, under)
    await this.queue.write("ALLOWED", ALLOWED.pack(opcodes=0xFFFF, no_clear_keys=1))
    at = this.queue.place(under, 16, 3)
    text = sealed(under, bytes(SEAL))
    for operation, parts, more in (
        ("private", (key, NUMBER), {}),
        ("seal", (key, b""), {"slot": 1}),
        ("seal", (key, b""), {"key": at}),
        ("sealed", (text, NUMBER), {"key": at}),
    ):
        result, found = await this.run(replace(this.job(2048, operation, *parts), **more))
        assert (result.status, found) == (KEY_DENIED, b""), operation
    result, found = await this.run(this.job(2048, "public", key[:256], NUMBER))
    assert (result.status, found) == (OK, power(key, NUMBER))
    await this.opens(this.job(2048, "sealed", text, NUMBER, slot=0), 2048)


@cocotb.test()
async def made_keys(dut):
    """A sealing key is made in a slot, for what its maker says, and nobody knows it: what it seals
    it opens. In memory it is random bytes."""
    this = await asked(dut, 10, mask=0b110)
    use = Use(RSA, (*OPENS.modes, *SEALS.modes), SEAL, owners=(), encrypt=True)
    makes = Job(RSA, rsa.SEALING_KEY, tag=this.room, target=2, iv=use.wrapped_for(ANY_SLOT))
    assert (await this.run(makes))[0].status == KEY_DENIED
    may = ALLOWED.pack(opcodes=0xFFFF, make_keys=1)
    await this.queue.write("ALLOWED", may)
    for wrong in (
        {"iv": replace(use, key_bytes=32).wrapped_for(ANY_SLOT)},
        {"iv": replace(use, modes=(0,)).wrapped_for(ANY_SLOT)},
        {"iv": replace(use, opcode=COPY).wrapped_for(ANY_SLOT)},
        {"target": 0},
    ):
        result, _ = await this.run(replace(makes, **wrong))
        assert result.status in (BAD_DESCRIPTOR, KEY_DENIED), wrong
    result, found = await this.run(makes)
    assert (result.status, found) == (OK, b"")
    assert await this.bench.registers.read("SLOT[2].POLICY") == use.policy
    key = rsa.some_key(2048)
    result, text = await this.run(this.job(2048, "seal", key, b"", slot=2))
    assert (result.status, text[SEAL : SEAL + 256]) == (OK, key[:256])
    assert any(Rsa(256).opened(text, word) == key for word in this.source.taken)
    await this.opens(this.job(2048, "sealed", text, NUMBER, slot=2), 2048)
    await this.queue.write("ALLOWED", may)
    assert (await this.run(makes))[0].status == OK
    result, found = await this.run(this.job(2048, "sealed", text, NUMBER, slot=2))
    assert (result.status, found) == (AUTH, bytes(256)), "by another key"
    result, found = await this.run(Job(RSA, rsa.SEALING_KEY, tag=this.room))
    assert (result.status, found in this.source.taken) == (OK, True)
    assert not await this.still(found)


@cocotb.test()
async def aborts_of_sealed(dut):
    """Aborted in each phase: no part of a key is left, and the queue's next job is right."""
    this = await asked(dut, 11, mask=0b11)
    under = this.rng.randbytes(SEAL)
    await this.bench.slot(0, OPENS, under)
    await this.bench.slot(1, SEALS, under)
    jobs = (
        lambda: this.job(2048, "sealed", sealed(under, bytes(SEAL)), NUMBER, slot=0),
        lambda: this.job(2048, "seal", rsa.some_key(2048), b"", slot=1),
    )
    for number, wait in enumerate((60, 90, 130, 170, 260, 350, 450, 550, 650, 1200)):
        this.queue.put(jobs[number % 2]())
        await this.queue.ring_bell()
        await ClockCycles(dut.clk_i, wait)
        done = this.queue.poll()
        await this.queue.write("CONTROL", 2)
        await this.queue.idle()
        assert (done or this.queue.poll()).status in (OK, ABORTED)
        assert not await this.still()
        await this.open(mask=0b11)
    result, found = await this.run(jobs[1]())
    assert (result.status, Rsa(256).opened(found, under)) == (OK, rsa.some_key(2048))


@cocotb.test(skip=not ALL)
async def opened(dut):
    """What a sealed key makes of a number is what the key in the clear does, and takes as long."""
    this = await asked(dut, 12, mask=0b1)
    under = this.rng.randbytes(SEAL)
    await this.bench.slot(0, OPENS, under)
    for bits in LENGTHS:
        number = bytes([3]) + this.rng.randbytes(bits // 8 - 1)
        text = sealed(under, this.rng.randbytes(SEAL), bits)
        result, found = await this.run(this.job(bits, "sealed", text, number, slot=0))
        assert (result.status, power(rsa.some_key(bits), found)) == (OK, number)
        steps = CYCLES512[f"rsa{bits}_private"]
        assert steps < result.cycles < steps + 3000
