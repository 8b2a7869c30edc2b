"""cocotb tests of ``cry_pka_rsa_engine``: private keys that are sealed, and their sealing."""

import random
from dataclasses import replace
from itertools import pairwise

import cocotb
from cocotb.triggers import RisingEdge, Timer
from pka_port import MACHINE
from pka_rsa_port import CASES, LENGTHS, RANDOM_CYCLES, Job, Port, asked
from support import pka_rsa
from support.engine_port import give_random, settled_high
from support.job_port import Result
from support.upsets import TakesAll, hit, registers

from cryptile.catalog import engines
from cryptile.jobs import job
from cryptile.jobs import rsa as modes
from cryptile.jobs.oracle.rsa import SEAL, Rsa
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.port import (
    AUTH_FAILED,
    FAULT_DETECTED,
    NO_RANDOM,
    OK,
    TAG,
    bytes_of,
    pack_beats,
)

SHORT = 2500
"""Cycles of what comes to no program, for any length."""


OPENING = {2048: 491, 3072: 715, 4096: 939}
"""Cycles from the job to its tag, of a sealed key that is at hand."""

CHOOSING = 2
"""Cycles from the tag to the number."""


def sealed(bits: int, under: bytes, nonce: bytes, key: bytes | None = None) -> bytes:
    """Return a key sealed."""
    return Rsa(bits // 8).sealed(key or modes.some_key(bits), under, nonce)


def opening(rng: random.Random, bits: int = 2048, **other: bytes) -> Job:
    """Return a job of a sealed key that is right, but for what is said to be another."""
    under = rng.randbytes(SEAL)
    text = other.get("text") or sealed(bits, under, rng.randbytes(SEAL))
    return asked(bits, "sealed", text, 5 << bits - 9, key=other.get("under", under))


def sealing(rng: random.Random, bits: int = 2048, key: bytes | None = None) -> Job:
    """Return a job that seals a key."""
    return asked(bits, "seal", key or modes.some_key(bits), key=rng.randbytes(SEAL))


def seals_to(said: Job, nonce: bytes) -> Result:
    """Return what a job of ``sealing`` gives."""
    bits = modes.modes()[said.job.mode][0]
    assert said.job.key
    return Result(OK, pack_beats(sealed(bits, said.job.key, nonce, said.job.message), TAG))


def refused(said: Job, status: int) -> Result:
    """Return what a job gives that ends so: zeros."""
    tag = 16 if said.job.mode == modes.SEALING_KEY else modes.modes()[said.job.mode][2].tag
    return Result(status, Outcome(tag=bytes(tag or 0)).beats())


MAKING = Job(job.Job(modes.SEALING_KEY, False, 0, b"", b"", None))
"""Makes a key under which others are sealed."""


async def soon(dut, seed: int, feed: bool = True) -> Port:
    """Begin what comes to no private program."""
    port = await Port.started(dut, seed, feed)
    port.timeout = 200_000
    return port


async def give_words(dut, words: list[int]) -> None:
    """Give these random words, and then none."""
    for word in words:
        dut.rnd_i.value = word
        dut.rnd_valid_i.value = 1
        await settled_high(dut.rnd_ready_o)
        await RisingEdge(dut.clk_i)
        dut.rnd_valid_i.value = 0


@cocotb.test()
async def opened(dut):
    """What a key that is opened makes of a number is the same as by the key in the clear, and takes
    as long behind the message's last beat."""
    port, rng = await Port.started(dut, 1), random.Random(1)
    for bits in LENGTHS if CASES > 1 else LENGTHS[:1]:
        key = pka_rsa.some_key(bits)
        number, under = rng.randrange(key.modulus), rng.randbytes(SEAL)
        text = sealed(bits, under, rng.randbytes(SEAL), key.text)
        said = asked(bits, "sealed", text, number, key=under)
        expected = key.private(number).to_bytes(bits // 8, "big")
        port.stalls = {"src": 0.2, "key": 0.9}
        await port.gives(said, expected)
        port.stalls = {}


@cocotb.test()
async def rows(dut):
    """All of a key that was opened comes to its rows, whatever the length; an abort wipes it."""
    port, rng = await soon(dut, 2), random.Random(2)
    for bits in pka_rsa.LENGTHS:
        for _ in range(2):
            key = modes.some_key(bits)[: bits // 8] + rng.randbytes(5 * bits // 16)
            under = rng.randbytes(SEAL)
            said = asked(bits, "sealed", sealed(bits, under, rng.randbytes(SEAL), key), key=under)
            # Of the number one beat alone, so that the engine waits.
            message = said.job.message + bytes(bits // 8)
            whole = replace(said, job=replace(said.job, message=message))
            port.begin([whole], [Result.of(bits // 128)])
            port.tasks[2].cancel()
            there = len(said.src()) + 1
            port.tasks[2] = cocotb.start_soon(port.send("src", whole.src()[:there]))
            for _ in range(SHORT):
                await RisingEdge(dut.clk_i)
            memory = port.engine.u_pka.gen_rows[0].u_ram.mem
            held = [int(memory[row].value) for row in range(MACHINE.data)]
            assert port.tasks[2].done() and pka_rsa.text_in(held, bits) == key
            taken = [at - port.handshakes["job"][0] for at in port.handshakes["src"][-2:]]
            assert taken == [OPENING[bits], OPENING[bits] + CHOOSING]
            await port.clear()
            await port.wiped()


async def denied(port: Port, said: Job, statuses: tuple[int, ...] = (AUTH_FAILED,)) -> None:
    """Run a job alone whose sealed key must not be opened: zeros, in time, and nothing is left."""
    (result,) = await port.run([said], [refused(said, AUTH_FAILED)])
    assert result.status in statuses, (result.status, said)
    assert result.beats == port.expected[0].beats
    # No program has run.
    assert result.done - port.handshakes["job"][0] < SHORT
    await port.wiped()


@cocotb.test()
async def tampered(dut):
    """One bit of any field, of the key, or of the tag: zeros, and no program begins."""
    port, rng = await soon(dut, 3), random.Random(3)
    for bits in pka_rsa.LENGTHS:
        size = bits // 8
        under = rng.randbytes(SEAL)
        text = sealed(bits, under, rng.randbytes(SEAL))
        edges = [0, SEAL, *(SEAL + size * n // 2 for n in range(2, 8)), len(text)]
        places = [8 * at for at in edges[:-1]] + [8 * at - 1 for at in edges[1:]]
        places += rng.sample(range(8 * len(text)), 400 if CASES > 1 else 10)
        for place in places if bits == 2048 or CASES else places[:4]:
            wrong = bytearray(text)
            wrong[place // 8] ^= 1 << place % 8
            await denied(port, asked(bits, "sealed", bytes(wrong), 5, key=under))
        for place in rng.sample(range(128), 4):
            other = (int.from_bytes(under, "little") ^ 1 << place).to_bytes(SEAL, "little")
            await denied(port, asked(bits, "sealed", text, 5, key=other))


@cocotb.test()
async def spliced(dut):
    """Parts of two sealed keys, of one in another order, of another length, with another n."""
    port, rng = await soon(dut, 4), random.Random(4)
    under, half = rng.randbytes(SEAL), 128
    keys = [modes.some_key(2048), pka_rsa.some_key(2048).text]
    nonces = [rng.randbytes(SEAL) for _ in keys]
    one, two = (sealed(2048, under, nonce, key) for key, nonce in zip(keys, nonces, strict=True))
    # With the nonce of the other: what a user would need who could choose nonces.
    again = sealed(2048, under, nonces[0], keys[1])
    edges = [0, SEAL, *(SEAL + half * n for n in range(2, 8)), len(one)]
    wrong = []
    for first, last in pairwise(edges):
        for other in (two, again):
            changed = one[:first] + other[first:last] + one[last:]
            wrong += [changed] if changed != one else []
    parts = [one[first:last] for first, last in pairwise(edges)]
    for first in range(2, 6):
        swapped = [*parts]
        swapped[first], swapped[first + 1] = parts[first + 1], parts[first]
        wrong.append(b"".join(swapped))
    # The ciphertext begins later, or is longer than it was.
    wrong += [one[16:] + bytes(16), one[:SEAL] + one[SEAL + 16 : -16] + bytes(16) + one[-16:]]
    wrong += [bytes(len(one)), b"\xff" * len(one)]
    for text in wrong:
        await denied(port, asked(2048, "sealed", text, 5, key=under))
    # A whole sealed key of one length, at the begin or the end of what should be of another.
    for short, long in ((2048, 3072), (2048, 4096), (3072, 4096)):
        room = modes.size(modes.number(long, "sealed")) - long // 8
        inner = sealed(short, under, nonces[0])
        for text in (inner.ljust(room, b"\0"), inner.rjust(room, b"\0")):
            await denied(port, asked(long, "sealed", text, 5, key=under))
        outer = sealed(long, under, nonces[0])
        room = modes.size(modes.number(short, "sealed")) - short // 8
        for text in (outer[:room], outer[-room:]):
            await denied(port, asked(short, "sealed", text, 5, key=under))


@cocotb.test()
async def sealings(dut):
    """A key that is sealed is what software makes of it with the nonce, whatever stalls; it opens.
    Of two words that are drawn the first is the nonce."""
    port, rng = await soon(dut, 5, feed=False), random.Random(5)
    settings = [{}, {"src": 0.5, "dst": 0.5}, {"key": 0.98}, {"dst": 0.9}]
    for bits in pka_rsa.LENGTHS:
        for port.stalls in settings if bits == 2048 or CASES else settings[:2]:
            said, nonce = sealing(rng, bits), rng.randbytes(SEAL)
            words = [int.from_bytes(nonce, "little"), rng.getrandbits(128)]
            cocotb.start_soon(give_words(dut, words))
            (result,) = await port.check([said], [seals_to(said, nonce)])
            await port.wiped()
            assert Rsa(bits // 8).opened(result.bytes(), said.job.key) == said.job.message
            if not port.stalls:
                steps = modes.modes()[said.job.mode][2].steps
                assert result.cycles[-1] - port.handshakes["job"][0] == steps
    port.stalls = {}
    # What is sealed may be anything.
    for said in (sealing(rng, key=rng.randbytes(896)), sealing(rng, key=bytes(896))):
        cocotb.start_soon(give_words(dut, [1, 2]))
        await port.check([said], [seals_to(said, (1).to_bytes(SEAL, "little"))])


@cocotb.test()
async def sealing_keys(dut):
    """A sealing key is the first of two words."""
    port, rng = await soon(dut, 6, feed=False), random.Random(6)
    for port.stalls in ({}, {"dst": 0.9}):
        word = rng.randbytes(SEAL)
        cocotb.start_soon(give_words(dut, [int.from_bytes(word, "little"), 3]))
        (result,) = await port.check([MAKING], [Result(OK, pack_beats(word, TAG))])
        if not port.stalls:
            steps = engines()[modes.NAME].modes["sealing_key"].steps
            assert result.cycles[-1] - port.handshakes["job"][0] == steps
        await port.wiped()


@cocotb.test()
async def without_words(dut):
    """Without random words, with one, and with the same one twice there is neither nonce nor key;
    what comes with the job is taken all the same."""
    port, rng = await soon(dut, 7, feed=False), random.Random(7)
    for words, status in (([], NO_RANDOM), ([5], NO_RANDOM), ([5, 5], FAULT_DETECTED)):
        for said in (sealing(rng), sealing(rng, 4096), MAKING):
            for port.stalls in ({}, {"src": 0.3, "dst": 0.5}, {"key": 0.995}):
                cocotb.start_soon(give_words(dut, words))
                (result,) = await port.check([said], [refused(said, status)])
                wait = result.done - port.handshakes["job"][0]
                assert port.stalls or wait < RANDOM_CYCLES * (not words or words == [5]) + SHORT
                port.stalls = {}
                await port.wiped()
    cocotb.start_soon(give_words(dut, [7, 8]))
    said = sealing(rng)
    await port.check([said], [seals_to(said, (7).to_bytes(SEAL, "little"))])


@cocotb.test()
async def one_behind_the_other(dut):
    """Jobs of all kinds, with stalls on each channel: nothing of one is in the next."""
    port, rng = await soon(dut, 8, feed=False), random.Random(8)
    key, modulus = modes.some_key(2048), (1 << 2048) - 9
    for port.stalls in ({}, {"src": 0.3, "dst": 0.3, "done": 0.9, "key": 0.5, "job": 0.5}):
        wrong = opening(rng, text=b"\1" * 928)
        seal, small = sealing(rng), sealing(rng, 3072)
        jobs = [seal, wrong, MAKING, small, wrong, asked(2048, "public", modulus, 3), wrong, seal]
        word = [rng.randbytes(SEAL) for _ in range(4)]
        given = [w for one in word for w in (int.from_bytes(one, "little"), 1)]
        cocotb.start_soon(give_words(dut, given))
        expected = [
            *(seals_to(seal, word[0]), refused(wrong, AUTH_FAILED)),
            *(Result(OK, pack_beats(word[1], TAG)), seals_to(small, word[2])),
            *(refused(wrong, AUTH_FAILED), Port.model(jobs[5]), refused(wrong, AUTH_FAILED)),
            seals_to(seal, word[3]),
        ]
        await port.check(jobs, expected)
    port.stalls = {}
    await port.wiped()
    if CASES:
        # Of a key in the clear all parts but n are zeros: what another one has left would serve.
        port.timeout = 2_000_000
        cocotb.start_soon(give_random(dut))
        await port.gives(asked(2048, "private", key[:256] + bytes(640), 5), None)


@cocotb.test()
async def aborts(dut):
    """Clear and reset in each phase: no end comes, all is wiped, and a good job is right."""
    port, rng = await soon(dut, 9), random.Random(9)
    longest = 700
    kinds = [
        lambda: opening(rng),
        lambda: sealing(rng),
        lambda: opening(rng, text=bytes(928)),
        lambda: MAKING,
    ]
    stops = [*range(1, 40), *range(40, longest, 7 if CASES else 31)]
    for number, stop in enumerate(stops):
        said = kinds[number % 4]()
        port.stalls = {"dst": 0.9} if number % 3 else {}
        beats = 1 if said is MAKING else (modes.modes()[said.job.mode][2].tag or 0) // 16
        await port.aborts(said, beats, stop, reset=number % 3 == 2)
        if number % 5 == 0:
            port.stalls = {}
            await denied(port, opening(rng, text=bytes(928)))


@cocotb.test()
async def upsets(dut):
    """Each bit of each copy of what steers a job: results are right, and each is reported."""
    port, rng = await soon(dut, 10, feed=False), random.Random(10)
    copies = registers(dut.u_engine.u_seal.u_steps)
    assert len(copies) == 3
    flips = [(copy, bit) for copy in copies for bit in range(len(copy))]
    rng.shuffle(flips)
    while flips:
        seal, nonce = sealing(rng), rng.randbytes(SEAL)
        wrong = opening(rng, text=bytes(928))
        words = [int.from_bytes(nonce, "little"), 1]
        for said, result in ((seal, seals_to(seal, nonce)), (wrong, refused(wrong, AUTH_FAILED))):
            cocotb.start_soon(give_words(dut, words if said is seal else []))
            results = port.begin([said], [result])
            while flips and not all(task.done() for task in port.tasks):
                copy, bit = flips.pop()
                await hit(port, 10, copy, bit)
                await Timer(1, "ns")
                assert int(dut.fault_corrected_o.value), (copy._path, bit)
            await port.finish(results)
            port.compare([said], results)


@cocotb.test()
async def upsets_of_words(dut):
    """One bit of a nonce or of a sealing key, before it leaves: a fault."""
    port, rng = await soon(dut, 12, feed=False), random.Random(12)
    for number in range(24):
        said = MAKING if number % 2 else sealing(rng)
        results = port.begin([said], [refused(said, FAULT_DETECTED)])
        keys = port.tasks.pop(1)
        keys.cancel()
        late = said is not MAKING and number % 3 == 0
        await give_words(dut, [rng.getrandbits(128), 5][: 1 + late])
        await hit(port, 2, dut.u_engine.u_seal.drawn_q, rng.randrange(128))
        await give_words(dut, [] if late else [5])
        await port.send("key", said.keys(rng))
        await port.finish(results)
        assert results[0].status == FAULT_DETECTED
        assert not any(b"".join(map(bytes_of, results[0].beats[1:])))
        await port.wiped()


class Gathering(TakesAll, Port):
    """Takes what comes, however much it is."""


@cocotb.test()
async def upsets_of_aead(dut):
    """One bit of the AEAD at any time: what is not right does not end well, a wrong seal is never
    taken, and a key that is opened never leaves."""
    rng = random.Random(11)
    port = Gathering(dut, 11)
    await port.start()
    cocotb.start_soon(give_words(dut, list(range(1, 20_000))))
    found = registers(dut.u_engine.u_seal.u_aead)
    ends: dict[int, int] = {}
    for number in range(2000 if CASES > 1 else 150):
        kind = number % 3
        said = (sealing(rng), opening(rng, text=bytes(928)), opening(rng))[kind]
        results = port.begin([said], [Result()])
        register = rng.choice(found)
        await hit(port, rng.randrange(1, 560), register, rng.randrange(len(register)))
        # What is opened comes to a program, whose end nobody waits for.
        for _ in range(SHORT if kind < 2 else 700):
            await RisingEdge(dut.clk_i)
            if results[0].status >= 0:
                break
        (result,) = results
        place = (register._path, said.job.mode, result.status)
        assert result.status in (-1, OK, AUTH_FAILED, FAULT_DETECTED), place
        ends[result.status] = ends.get(result.status, 0) + 1
        data = b"".join(map(bytes_of, result.beats))
        if kind == 0:
            whole = Rsa(256).opened(data, said.job.key) == said.job.message
            assert whole == (result.status == OK) or result.status == FAULT_DETECTED, place
        else:
            assert not any(data) and (result.status != OK), place
            assert kind == 2 or result.status != -1, place
        await port.clear()
        await port.wiped()
    assert min(ends.get(status, 0) for status in (OK, FAULT_DETECTED, AUTH_FAILED)) > 10, ends
