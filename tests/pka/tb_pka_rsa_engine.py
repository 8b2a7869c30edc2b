"""cocotb tests of ``cry_pka_rsa_engine``: RSA on the engine port, with keys that are not sealed."""

import random

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_der_private_key
from pka_port import MACHINE
from pka_rsa_port import CASES, LATENCY, LENGTHS, RANDOM_CYCLES, WORDS, Job, Port, asked
from support import pka as simulated
from support import pka_rsa, rsa_padding, wycheproof
from support.engine_port import settled_high
from support.job_port import Result
from support.upsets import hit, registers

from cryptile.catalog import Key, engines
from cryptile.jobs import job
from cryptile.jobs import rsa as modes
from cryptile.jobs.outcome import Outcome
from cryptile.jobs.port import FAULT_DETECTED, NO_RANDOM


@cocotb.test()
async def signatures(dut):
    """Wycheproof's are verified by what the engine makes of them; back to back, with stalls too."""
    port = await Port.started(dut, 1)
    for bits in LENGTHS:
        first = min(wycheproof.folder().glob(f"rsa_signature_{bits}_*_test.json"))
        group = wycheproof.load(first.name)["testGroups"][0]
        key = group["publicKey"]
        modulus, exponent = (int(key[part], 16) for part in ("modulus", "publicExponent"))
        assert exponent == pka_rsa.E and modulus.bit_length() == bits
        case = next(case for case in group["tests"] if case["result"] == "valid")
        said = asked(bits, "public", modulus, int(case["sig"], 16))
        port.stalls = {"src": 0.3, "dst": 0.5}
        both = [said, asked(bits, "public", modulus, 2), said]
        results = await port.check(both[: 3 if CASES else 1])
        port.stalls = {}
        message = bytes.fromhex(case["msg"])
        for result in results[::2]:
            assert rsa_padding.verified(group, result.bytes(), message, bits)
        assert results[-1].beats == results[0].beats
        await port.wiped()


@cocotb.test()
async def edges(dut):
    """A result of a row's edges; what is refused takes the same cycles and gives zeros."""
    port, rng = await Port.started(dut, 2), random.Random(2)
    for bits in LENGTHS:
        modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
        message = rng.randrange(modulus)
        expected = pow(message, pka_rsa.E, modulus).to_bytes(bits // 8, "big")
        await port.gives(asked(bits, "public", modulus, message), expected)
        wrong = [(modulus, modulus), (modulus ^ 1, message)]
        if CASES:
            wrong += [(modulus ^ 1 << bits - 1, 5), (modulus, (1 << bits) - 1), (modulus, 1)]
        for numbers in wrong:
            await port.gives(asked(bits, "public", *numbers), None)


@cocotb.test(skip=not CASES)
async def exponents(dut):
    """One of 64 bits; an even one, one, and one that is longer."""
    port, rng = await Port.started(dut, 3), random.Random(3)
    for bits in LENGTHS[:CASES]:
        modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
        message, good = rng.randrange(modulus), rng.getrandbits(64) | 1 << 63 | 1
        for exponent in (good, 3, 65536, 1, (1 << 64) + 1, (1 << 511) + 3):
            given = exponent.to_bytes(modes.EXPONENT, "big")
            right = pow(message, exponent, modulus).to_bytes(bits // 8, "big")
            expected = right if exponent in (good, 3) else None
            await port.gives(asked(bits, "public64", modulus, given, message), expected)


@cocotb.test(skip=not CASES)
async def private(dut):
    """Others' ciphertexts; a key that is none takes the same cycles."""
    port = await Port.started(dut, 4)
    for bits in LENGTHS if CASES > 1 else LENGTHS[:1]:
        group = wycheproof.load(f"rsa_pkcs1_{bits}_test.json")["testGroups"][0]
        loaded = load_der_private_key(bytes.fromhex(group["privateKeyPkcs8"]), None)
        case = next(case for case in group["tests"] if case["result"] == "valid")
        own = rsa.generate_private_key(pka_rsa.E, bits)
        sealed = own.public_key().encrypt(b"text", padding.PKCS1v15())
        for pair, sent, message in (
            (loaded, bytes.fromhex(case["ct"]), bytes.fromhex(case["msg"])),
            (own, sealed, b"text"),
        ):
            numbers = pair.private_numbers()
            key = pka_rsa.of_primes(numbers.p, numbers.q)
            said = asked(bits, "private", key.text, sent)
            (result,) = await port.check([said])
            found = result.bytes()
            assert found[:2] == b"\0\2" and found[2:].partition(b"\0")[2] == message
            port.begins(said, result)
            await port.wiped()
        wrong = bytearray(key.text)
        wrong[-1] ^= 1  # of the coefficient: right modulo q alone
        await port.gives(asked(bits, "private", bytes(wrong), sent), None)


@cocotb.test()
async def refused(dut):
    """Wrong lengths and parameters take nothing, at once; a good job behind them is right."""
    port = await Port.started(dut, 5)
    every = engines()[modes.NAME].modes.values()
    for item in every:
        whole = job.Job(item.number, False, 0, b"", b"", None)
        right = modes.size(item.number)
        sizes = {0, 1, 16, 64, 128, 255, 256, 257, 512, 576, 640, 896, 1151, 1152, 1153, 2048, 2304}
        sizes |= {modes.size(other.number) for other in every} | {2**31, 2**32 - 1}
        bad = [{"msg_len": size} for size in sorted(sizes - {right})]
        rest = [("aad_len", 1), ("decrypt", 1), ("ctx_save", 1), ("ctx_load", 1), ("is_final", 0)]
        lengths = {1, 16, 32, 64, 128, 255, 256, 384, 512, 928, 1024, 1376, 1824, 2**31}
        rest += [("out_len", size) for size in sorted(lengths - {item.tag})]
        if item.key is Key.sized:
            rest += [("key_len", number) for number in (1, 2, 3)]
        bad += [{"msg_len": right, name: value} for name, value in rest]
        await port.check([Job(whole, tuple(fields.items())) for fields in bad])
    assert port.left() == 0
    await port.check([asked(2048, "public", (1 << 2048) - 1, 3 << 1500)])


@cocotb.test()
async def no_random_bits(dut):
    """Without them a job ends in time, gives zeros, and leaves nothing; so with a part of them."""
    port = await Port.started(dut, 6, feed=False)
    said = asked(2048, "private", modes.some_key(2048), 5 << 2000)
    none = Result(NO_RANDOM, Outcome(tag=bytes(256)).beats())
    for words in (0, WORDS - 1):
        results = port.begin([said], [none])
        dut.rnd_i.value = 2**128 - 1
        dut.rnd_valid_i.value = int(words > 0)
        for _ in range(words):
            await settled_high(dut.rnd_ready_o)
            await RisingEdge(dut.clk_i)
        dut.rnd_valid_i.value = 0
        await port.finish(results)
        assert (results[0].status, results[0].bytes()) == (NO_RANDOM, bytes(256))
        assert results[0].done - port.handshakes["src"][-1] < 3500 + RANDOM_CYCLES
        await port.wiped()


@cocotb.test()
async def aborts(dut):
    """Clear and reset in each phase of a job: no end comes, all is wiped, the next job is right."""
    port, rng = await Port.started(dut, 7), random.Random(7)
    good = asked(2048, "public", (1 << 2048) - 5, 7 << 1700)
    secret = asked(2048, "private", modes.some_key(2048), 5 << 2000)
    end = simulated.OF[MACHINE]["rsa2048_public"] + LATENCY
    stops = [(secret, stop) for stop in (1, 3, 20, 71, 72, 74, 400, rng.randrange(4000, 9000))]
    stops += [(good, stop) for stop in (33, rng.randrange(end), end + 40)]
    for number, (said, stop) in enumerate(stops):
        port.stalls = {"dst": 0.9} if stop > end else {}
        beats = (modes.modes()[said.job.mode][2].tag or 0) // 16
        await port.aborts(said, beats, stop, reset=number % 3 == 2)
    port.stalls = {}
    await port.check([good])


@cocotb.test()
async def upsets(dut):
    """Each bit of each copy of what steers a job: the result is right, and each is reported."""
    port = await Port.started(dut, 8)
    copies = registers(dut.u_engine.u_pka.u_steps)
    assert len(copies) == 3
    good = asked(2048, "public", (1 << 2048) - 7, 11 << 1600)
    results = port.begin([good])
    flips = [(copy, bit) for copy in copies for bit in range(len(copy))]
    random.Random(8).shuffle(flips)
    for number, (copy, bit) in enumerate(flips):
        # The first while the message comes, most in the program.
        await hit(port, 3 if number < 10 else 500, copy, bit)
        await Timer(1, "ns")
        assert int(dut.fault_corrected_o.value), (copy._path, bit)
    await port.finish(results)
    port.compare([good], results)


@cocotb.test()
async def upsets_of_beats(dut):
    """One bit of a row's first beats while the next ones are late: a fault, and zeros."""
    port, rng = await Port.started(dut, 9), random.Random(9)
    held = dut.u_engine.u_pka.first_q
    said = asked(2048, "public", (1 << 2048) - 7, 11 << 1600)
    beats = said.src()
    for _ in range(12):
        results = port.begin([said], [Result(FAULT_DETECTED, Outcome(tag=bytes(256)).beats())])
        port.tasks.pop(2).cancel()
        there = rng.choice([count for count in range(len(beats)) if count % WORDS])
        await port.send("src", beats[:there])
        await hit(port, 2, held, rng.randrange(128 * (there % WORDS)))
        await port.send("src", beats[there:])
        await port.finish(results)
        port.compare([said], results)
        await port.wiped()
