"""Engines that take random bits, in the tile: what comes of their jobs, and who waits for whom."""

import dataclasses
import hashlib
import hmac
import os
import random

import cocotb
from cocotb.triggers import ClockCycles
from random_bench import MAKES, WIPED_WITHIN, ended, records, started
from support.key_slots import ANY_SLOT, Use
from support.pka import CYCLES
from support.tile_model import (
    ABORTED,
    BAD_DESCRIPTOR,
    BAD_PARAM,
    KEY_DENIED,
    NO_RANDOM,
    OK,
    OPCODES,
    REFUSED,
    find,
)
from tile_bench import Job
from tile_state import State

from cryptile.catalog import Key
from cryptile.jobs import pka
from cryptile.jobs.oracle.curve25519 import x25519
from cryptile.jobs.oracle.nist_curve import P256

PKA, RANDOM = OPCODES["pka"], OPCODES["random"]
HASH, HMAC = find(key=Key.bytes, tag=32)
ALL = os.environ["CRYPTILE_JOBS"] != "0"
"""Also what takes long."""

ABORTED_WITHIN = 2000
"""Cycles in which an aborted queue is at rest."""

DATA_ROWS = 160
"""Rows of the engine's memory that are not constants."""

BASE = (9).to_bytes(32, "little")
"""The coordinate of which public keys of X25519 are multiples."""

PLACE = PKA - 1
"""The lane of the public-key engine."""


def agreement(queue, rng, mode, *, key=None, point=None):
    """A job whose scalar and point are valid ones, or those that are given."""
    said = next(job for job in iter(lambda: pka.PKA.jobs(rng, 1, 64)[0], None) if usable(job, mode))
    return Job(
        PKA,
        mode,
        key=queue.place(key or said.key, 16, 3),
        src=queue.place(point or said.message, 16, 5),
        length=len(point or said.message),
        tag=queue.place(rng.randbytes(32), 16, 7),
    )


def usable(job, mode):
    return job.mode == mode and not job.refused and not pka.PKA.outcome(job).status


def asked(queue, rng, length):
    """A job for random bytes, and the room for them with 16 bytes behind it."""
    room = queue.place(rng.randbytes(length + 16), 16, rng.randrange(16))
    return Job(RANDOM, iv=length.to_bytes(4, "little") + bytes(12), tag=room)


@cocotb.test()
async def lengths(dut):
    """Random bytes of any number: each word once, nothing behind the last byte; nothing stays."""
    bench, source = await started(dut)
    rng, queues = random.Random(1), [await queue.open() for queue in bench.queues]
    given = []
    for turn in range(6):
        source.share = rng.choice((1.0, 0.1))
        bench.memory.stall = rng.choice((0.0, 0.5))
        queue = queues[turn % 2]
        sizes = [rng.choice((0, 1, 15, 16, 17, 31, 33, 100, 255, 1000)) for _ in range(4)]
        jobs = [asked(queue, rng, size) for size in sizes]
        behind = [
            bench.memory.read(job.tag + (size or 32), 16 if size else 0)
            for job, size in zip(jobs, sizes, strict=True)
        ]
        results = await ended(queue, *jobs)
        for job, size, rest, result in zip(jobs, sizes, behind, results, strict=True):
            assert (result.status, result.written) == (OK, size or 32)
            data = bench.memory.read(job.tag, size or 32)
            given += [data[at : at + 16] for at in range(0, len(data), 16)]
            assert bench.memory.read(job.tag + len(data), len(rest)) == rest
    await ClockCycles(dut.clk_i, 64)
    State(dut).holds_nothing_of(*given)
    left = list(source.taken)
    for part in given:
        word = next(word for word in left if word.startswith(part))
        left.remove(word)
    assert len(left) <= 3, "a word at hand for each engine, and no other"
    for wrong in ({"mode": 1}, {"length": 1, "src": queues[0].heap}, {"decrypt": 1}):
        job = dataclasses.replace(asked(queues[0], rng, 20), **wrong)
        assert (await ended(queues[0], job))[0].status == BAD_PARAM, wrong
    await queues[0].write("CONTROL", 0)
    await queues[0].idle()
    queue = await queues[0].open(max_bytes=100)
    statuses = [
        result.status
        for result in await ended(queue, asked(queue, rng, 100), asked(queue, rng, 101))
    ]
    assert statuses == [OK, BAD_DESCRIPTOR]


@cocotb.test()
async def agreements(dut):
    """Secrets by keys from memory and from slots; a slot serves the modes that it names."""
    bench, _ = await started(dut)
    rng, queue = random.Random(2), await bench.queues[0].open(mask=0b11)
    both = pka.X25519, pka.P256_ECDH
    secrets = [rng.randbytes(32) for _ in both]
    for slot, (mode, secret) in enumerate(zip(both, secrets, strict=True)):
        use = Use(PKA, (mode,), 32, encrypt=True)
        await bench.slot(slot, use, secret)
    for mode, other in ((pka.X25519, 1), (pka.P256_ECDH, 0)):
        job = agreement(queue, rng, mode)
        (result,) = await ended(queue, dataclasses.replace(job, key=None, slot=other))
        assert (result.status, result.written) == (KEY_DENIED, 0)
        for wrong in ({"length": 31}, {"tag_len": 16}, {"aad_len": 16, "aad": job.src}):
            short = dataclasses.replace(job, **wrong)
            assert (await ended(queue, short))[0].status == BAD_PARAM, wrong
    for mode, slot in ((pka.X25519, 0), (pka.P256_ECDH, None)) if ALL else ():
        job = agreement(queue, rng, mode, key=secrets[mode])
        expected = bench.expect(job)
        ours = job if slot is None else dataclasses.replace(job, key=None, slot=slot)
        (result,) = await ended(queue, ours)
        assert [(result.status, result.written)] == expected[0] == [(OK, 32)]
        bench.check(expected[1])


@cocotb.test(skip=not ALL)
async def signatures(dut):
    """A new key goes into a slot, and gives its public key and signatures, and nothing else."""
    bench, _ = await started(dut)
    rng, queue = random.Random(7), await bench.queues[0].open(mask=0b1)

    async def given(mode, message, **key):
        job = Job(
            PKA,
            mode,
            src=queue.place(message, 16, 5),
            length=len(message),
            tag=queue.place(bytes(96), 16, 7),
            **key,
        )
        (result,) = await ended(queue, job)
        return result.status, bench.memory.read(job.tag, result.written)

    status, keys = await given(pka.P256_KEYGEN, b"")
    key, point, digest = keys[:32], keys[32:], rng.randbytes(32)
    assert (status, len(keys)) == (OK, 96)
    await bench.slot(0, Use(PKA, (pka.P256_SIGN, pka.P256_PUBLIC), 32, encrypt=True), key)
    assert await given(pka.P256_PUBLIC, b"", slot=0) == (OK, point) == (OK, P256.public(key))
    status, signature = await given(pka.P256_SIGN, digest, slot=0)
    assert status == OK and P256.verify(point + digest + signature)
    whole = point + digest + signature
    assert await given(pka.P256_VERIFY, whole) == (OK, signature[:32])
    wrong = whole[:-1] + bytes([whole[-1] ^ 1])
    assert await given(pka.P256_VERIFY, wrong) == (REFUSED, bytes(32))
    for mode in (pka.X25519, pka.P256_ECDH):
        message = point[: pka.PKA.sizes[mode]]
        assert await given(mode, message, slot=0) == (KEY_DENIED, b"")


@cocotb.test()
async def made(dut):
    """A private key that nobody has seen agrees on a key, which serves in a slot and stays."""
    bench, _ = await started(dut)
    rng, (queue, other) = random.Random(8), bench.queues
    await queue.open(mask=0b11)
    await queue.write("ALLOWED", MAKES)
    agrees = Use(PKA, (pka.P256_ECDH,), 32, owners=(), encrypt=True, unwrap=True)
    mac = Use(HASH, (HMAC,), 32, owners=(), encrypt=True)

    room = queue.place(rng.randbytes(128), 16, 7)
    before = bench.memory.read(room, 128)
    generate = Job(PKA, pka.P256_KEYGEN, target=0, iv=agrees.wrapped_for(ANY_SLOT), tag=room)
    (result,) = await ended(queue, generate)
    point = bench.memory.read(room, 64)
    assert (result.status, result.written) == (OK, 64)
    assert bench.memory.read(room + 64, 64) == before[64:], "the public key, and nothing else"

    scalar = rng.randrange(1, 1 << 255).to_bytes(32, "big")
    peer = queue.place(P256.public(scalar), 16, 5)
    agree = Job(
        PKA,
        pka.P256_ECDH,
        slot=0,
        target=1,
        iv=mac.wrapped_for(ANY_SLOT),
        src=peer,
        length=64,
        tag=room,
    )
    secret = P256.ecdh(scalar, point)
    assert secret
    if ALL:
        # In memory the slot gives none; a point beside the curve, and an abort, leave slot 1 empty.
        plain = dataclasses.replace(agree, target=None, iv=bytes(16))
        assert (await ended(queue, plain))[0].status == KEY_DENIED
        beside = dataclasses.replace(agree, src=queue.place(bytes(64), 16))
        assert (await ended(queue, beside))[0].status == REFUSED
        queue.put(agree)
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, 5_000)
        await queue.write("CONTROL", 2)
        await queue.idle()
        assert queue.poll().status == ABORTED
        assert await bench.registers.read("SLOT[1].ATTRIBUTES") == 0
        await queue.open(mask=0b11)
        await queue.write("ALLOWED", MAKES)
    (result,) = await ended(queue, agree)
    assert (result.status, result.written) == (OK, 0)
    assert bench.memory.read(room, 64) == point, "no secret in memory"
    text = rng.randbytes(50)
    message = queue.place(text, 16, 3)
    job = Job(HASH, HMAC, slot=1, key_bytes=32, src=message, length=50, tag=room)
    assert (await ended(queue, job))[0].status == OK
    assert bench.memory.read(room, 32) == hmac.digest(secret, text, hashlib.sha256)
    await other.open(mask=0b11)
    assert (await ended(other, dataclasses.replace(job, src=0, length=0)))[0].status == KEY_DENIED


@cocotb.test()
async def made_x25519(dut):
    """A private key of X25519, likewise: it is for agreements alone, and here for slots alone."""
    bench, _ = await started(dut)
    rng, (queue, other) = random.Random(9), bench.queues
    await queue.open(mask=0b11)
    await queue.write("ALLOWED", MAKES)
    agrees = Use(PKA, (pka.X25519,), 32, owners=(), encrypt=True, unwrap=True)
    mac = Use(HASH, (HMAC,), 32, owners=(), encrypt=True)

    room = queue.place(rng.randbytes(96), 16, 7)
    before = bench.memory.read(room, 96)
    generate = Job(PKA, pka.X_KEYGEN, target=0, iv=agrees.wrapped_for(ANY_SLOT), tag=room)
    for modes in ((pka.P256_ECDH,), (pka.X25519, pka.P256_ECDH), (pka.ED_NONCE,), (pka.X_KEYGEN,)):
        wrong = dataclasses.replace(agrees, modes=modes).wrapped_for(ANY_SLOT)
        (result,) = await ended(queue, dataclasses.replace(generate, iv=wrong))
        assert (result.status, result.written) == (BAD_DESCRIPTOR, 0), modes
    (result,) = await ended(queue, generate)
    public = bench.memory.read(room, 32)
    assert (result.status, result.written) == (OK, 32)
    assert result.cycles > CYCLES["x25519_keygen"]
    assert bench.memory.read(room + 32, 64) == before[32:], "the public key, and nothing else"

    scalar = rng.randbytes(32)
    peer, secret = queue.place(x25519(scalar, BASE), 16, 5), x25519(scalar, public)
    more = {"slot": 0, "src": peer, "length": 32, "tag": room}
    agree = Job(PKA, pka.X25519, target=1, iv=mac.wrapped_for(ANY_SLOT), **more)
    plain = dataclasses.replace(agree, target=None, iv=bytes(16))
    assert (await ended(queue, plain))[0].status == KEY_DENIED, "none in memory"
    await other.open(mask=0b11)
    await other.write("ALLOWED", MAKES)
    assert (await ended(other, agree))[0].status == KEY_DENIED, "the key is its queue's alone"
    (result,) = await ended(queue, agree)
    assert (result.status, result.written) == (OK, 0)
    assert bench.memory.read(room, 32) == public, "no secret in memory"
    text = rng.randbytes(50)
    message = queue.place(text, 16, 3)
    job = Job(HASH, HMAC, slot=1, key_bytes=32, src=message, length=50, tag=room)
    assert (await ended(queue, job))[0].status == OK
    assert bench.memory.read(room, 32) == hmac.digest(secret, text, hashlib.sha256)


@cocotb.test(skip=not ALL)
async def x25519_secrets(dut):
    """A key that was made without `unwrap` agrees on secrets for memory; one in memory is whole."""
    bench, _ = await started(dut)
    queue = await bench.queues[0].open(mask=0b11)
    await queue.write("ALLOWED", MAKES)
    agrees = Use(PKA, (pka.X25519,), 32, owners=(), encrypt=True)
    room = queue.place(bytes(96), 16, 7)
    generate = Job(PKA, pka.X_KEYGEN, tag=room)
    (result,) = await ended(queue, generate)
    pair = bench.memory.read(room, 64)
    assert (result.status, result.written) == (OK, 64)
    await ClockCycles(dut.clk_i, WIPED_WITHIN)
    State(dut).holds_nothing_of(pair[:32])
    assert x25519(pair[:32], BASE) == pair[32:]
    into = dataclasses.replace(generate, target=0, iv=agrees.wrapped_for(ANY_SLOT))
    (result,) = await ended(queue, into)
    public = bench.memory.read(room, 32)
    assert (result.status, result.written) == (OK, 32) and public != pair[32:]
    agree = Job(PKA, pka.X25519, slot=0, src=queue.place(pair[32:], 16), length=32, tag=room)
    (result,) = await ended(queue, agree)
    assert (result.status, result.written) == (OK, 32)
    assert bench.memory.read(room, 32) == x25519(pair[:32], public)
    for number in (pka.P256_PUBLIC, pka.P256_SIGN):
        wrong = dataclasses.replace(agree, mode=number, length=pka.PKA.sizes[number])
        assert (await ended(queue, wrong))[0].status == KEY_DENIED
    zero = dataclasses.replace(agree, src=queue.place(bytes(32), 16))
    assert (await ended(queue, zero))[0].status == REFUSED


@cocotb.test(skip=not ALL)
async def refused(dut):
    """A point beside the curve, a scalar of 0 in a slot: no secret, and no less time."""
    bench, _ = await started(dut)
    rng, queue = random.Random(6), await bench.queues[1].open(mask=0b10)
    await bench.slot(1, Use(PKA, (pka.P256_ECDH,), 32, (1,), encrypt=True), bytes(32))
    beside = agreement(queue, rng, pka.P256_ECDH, point=bytes(64))
    zero = agreement(queue, rng, pka.P256_ECDH, key=bytes(32))
    for job, given in ((beside, beside), (zero, dataclasses.replace(zero, key=None, slot=1))):
        expected = bench.expect(job)
        (result,) = await ended(queue, given)
        assert [(result.status, result.written)] == expected[0] == [(REFUSED, 32)]
        assert result.cycles > CYCLES["p256_ecdh"]
        bench.check(expected[1])


@cocotb.test(skip=not ALL)
async def without_words(dut):
    """Without random bits jobs end, in bounded time, with zeros; behind that all is as before."""
    bench, source = await started(dut)
    rng, (first, second) = random.Random(3), [await queue.open() for queue in bench.queues]
    await compare_random(second, rng)
    source.share = 0.0
    await ClockCycles(dut.clk_i, 4)
    taken = len(source.taken)
    jobs = agreement(first, rng, pka.X25519), asked(second, rng, 200)
    for queue, job in zip((first, second), jobs, strict=True):
        queue.put(job)
        await queue.ring_bell()
    for queue, job, size in ((first, jobs[0], 32), (second, jobs[1], 200)):
        (result,) = await records(queue)
        assert (result.status, result.written) == (NO_RANDOM, size)
        assert 65_536 <= result.cycles < 66_500
        data = bench.memory.read(job.tag, size)
        # Two words were there: one at hand, one at the port.
        assert not any(data[48 if queue is second else 0 :])
    assert len(source.taken) <= taken + 1
    source.share = 1.0
    await compare_random(second, rng)


async def compare_random(queue, rng):
    (result,) = await ended(queue, asked(queue, rng, 77))
    assert (result.status, result.written) == (OK, 77)


@cocotb.test()
async def turns(dut):
    """A job waits for two of each other queue, however many are in their rings."""
    bench, source = await started(dut, share=0.0)
    rng, (first, second) = random.Random(4), [await queue.open() for queue in bench.queues]
    job = agreement(first, rng, pka.X25519, point=(1).to_bytes(32, "little"))  # of small order
    expected = bench.expect(job)
    for index in range(6):
        first.put(dataclasses.replace(job, length=32 if index == 0 else 31))
    await first.ring_bell()
    await ClockCycles(dut.clk_i, 600)
    second.put(dataclasses.replace(agreement(second, rng, pka.X25519), length=31))
    await second.ring_bell()
    source.share = 1.0
    (result,) = await records(second)
    assert result.status == BAD_PARAM
    ends = await records(first, 6)
    assert [end.status for end in ends] == [REFUSED] + [BAD_PARAM] * 5
    assert ends[0].cycles > CYCLES["x25519"], "a refusal takes as long as a secret"
    bench.check(expected[1])
    written = [address for address, _, _ in bench.memory.writes]
    overtaken = written.index(first.completions + 16 * 1), written.index(first.completions + 16 * 2)
    assert overtaken[0] < written.index(second.completions) < overtaken[1]


@cocotb.test()
async def aborts(dut):
    """A job is aborted in its midst: its key is wiped, as is the engine, which takes a job of the
    other queue."""
    bench, _ = await started(dut)
    state = State(dut)
    rng, (first, second) = random.Random(5), [await queue.open() for queue in bench.queues]
    lane = dut.gen_lane[PLACE].gen_built
    rows = lane.gen_own.u_engine.gen_lane[0].gen_engine.u_engine.u_pka.gen_rows[0].u_ram
    for wait in (40, 100, 700, 5_000):
        queue = first if wait == 40 else await first.open()
        job = agreement(queue, rng, pka.P256_ECDH)
        queue.put(job)
        await queue.ring_bell()
        await ClockCycles(dut.clk_i, wait)
        begin = bench.memory.cycle
        await queue.write("CONTROL", 2)
        await queue.idle()
        assert bench.memory.cycle - begin < ABORTED_WITHIN
        assert queue.poll().status == ABORTED
        if wait != 700:
            second.put(dataclasses.replace(agreement(second, rng, pka.X25519), length=31))
            await second.ring_bell()
            (result,) = await second.wait(1, WIPED_WITHIN)
            assert result.status == BAD_PARAM
        else:
            await ClockCycles(dut.clk_i, WIPED_WITHIN)
        assert not any(int(rows.mem[row].value) for row in range(DATA_ROWS))
        state.holds_nothing_of(
            bench.memory.read(job.key, 32), bench.memory.read(job.src, job.length)
        )
    # Words at hand are given to nobody behind a generator that stopped, nor behind tampering.
    at_hand = dut.gen_random.u_random.word_q
    for forgets in (dut.rnd_forget_i, dut.tamper_i):
        assert int(at_hand.value)
        forgets.value = 1
        await ClockCycles(dut.clk_i, 3)
        assert not int(at_hand.value) and not dut.rnd_ready_o.value
        forgets.value = 0
        await ClockCycles(dut.clk_i, 20)
