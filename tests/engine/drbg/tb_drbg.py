"""cocotb tests of ``cry_drbg`` against NIST's vectors and a model written from the standard."""

import os
import random

import cocotb
from cocotb.triggers import ClockCycles, Timer
from drbg_oracle import Drbg
from drbg_port import (
    BAD_PARAM,
    ENTROPY,
    GENERATE,
    INSTANTIATE,
    NOT_SEEDED,
    OK,
    RESEED,
    TEST,
    TEST_FAILED,
    UNINSTANTIATE,
    Command,
    Port,
    secrets,
)
from support import nist_drbg

CYCLES_DF = [324, 277, 60, 942, 336]
CYCLES_NO_DF = [53, 53, 60, 942, 112]
TEST_CYCLES = 1853
INTERVAL = int(os.environ["CRYPTILE_INTERVAL"])
LATE = int(os.environ["CRYPTILE_LATE"])
BROKEN = "CRYPTILE_BROKEN" in os.environ
SHORT = INTERVAL < 3  # no run of requests from one seed: only what the interval changes


async def ported(dut, seed: int = 0, stall: float = 0.0) -> Port:
    port = Port(dut, seed, stall)
    await port.start()
    return port


@cocotb.test(skip=BROKEN or SHORT)
async def nist_vectors(dut):
    """CAVP, every group of AES-256: 3 x 480 vectors, or every n-th of them."""
    step = int(os.environ["CRYPTILE_EVERY"])
    port = await ported(dut)
    for name in nist_drbg.FILES:
        found = nist_drbg.vectors(name)
        assert len(found) == 480
        for vector in found[::step]:
            opened = Command(INSTANTIATE, vector.df, add=vector.personalization)
            assert (await port.call(opened, vector.entropy)).status == OK
            if vector.reseed:
                entropy, extra = vector.reseed
                assert (await port.call(Command(RESEED, add=extra), entropy)).status == OK
            for index in range(2):
                entropy = vector.predicted[index] if vector.predicted else b""
                asked = Command(
                    GENERATE,
                    predict=bool(entropy),
                    add=vector.additional[index],
                    size=len(vector.returned),
                )
                answer = await port.call(asked, entropy)
            assert answer.status == OK and answer.data == vector.returned


async def random_calls(port: Port, rng: random.Random, number: int) -> None:
    """Random commands, good and bad; the model has to agree, and to say when a reseed is due."""
    model, served = None, 0
    for _ in range(number):
        op = rng.choice((INSTANTIATE, RESEED, GENERATE, GENERATE, GENERATE, GENERATE))
        op = UNINSTANTIATE if rng.random() < 0.03 else op
        df = rng.random() < 0.5 if op == INSTANTIATE or model is None else model.df
        most = 90 if df else 48
        add = rng.randbytes(rng.choice((0, 0, 1, 7, 8, 9, 15, 16, 48, rng.randrange(most + 1))))
        size = rng.choice((1, 15, 16, 17, 33, 64, rng.randrange(1, 120)))
        predict = rng.random() < 0.2
        length = 48 if op == INSTANTIATE or not df else 32
        entropy = rng.randbytes(length)
        command = Command(op, df, predict, add, size)
        if op == UNINSTANTIATE:
            assert (await port.call(Command(op))).status == OK
            model = None
            assert secrets(port.dut) == 0 and not int(port.dut.seeded_o.value)
        elif op == INSTANTIATE:
            assert (await port.call(command, entropy)).status == OK
            model, served = Drbg(df, entropy, add), 0
        elif model is None:
            assert (await port.call(command)).status == NOT_SEEDED
        elif op == RESEED:
            assert (await port.call(command, entropy)).status == OK
            model.reseed(entropy, add)
            served = 0
        else:
            seeds = predict or served == INTERVAL
            answer = await port.call(command, entropy if seeds else b"")
            assert answer.status == OK and answer.entropy == (length // 8 if seeds else 0)
            assert answer.data == model.generate(size, add, entropy if seeds else None)
            served = 1 if seeds else served + 1
        if model is None:
            assert secrets(port.dut) == 0


@cocotb.test(skip=BROKEN)
async def random_mix(dut):
    """Against the model: without stalls and with, and requests that need a reseed."""
    for seed, stall in ((1, 0.0), (2, 0.5), (3, 0.9)):
        port = await ported(dut, seed, stall)
        await random_calls(port, random.Random(seed), 120 if stall < 0.9 else 30)


@cocotb.test(skip=BROKEN)
async def bad_parameters(dut):
    """Bad commands take and give nothing, and leave the instance as it was."""
    rng = random.Random(4)
    port = await ported(dut, 4)
    assert (await port.call(Command(GENERATE, size=16))).status == NOT_SEEDED
    assert (await port.call(Command(RESEED))).status == NOT_SEEDED
    entropy = rng.randbytes(48)
    assert (await port.call(Command(INSTANTIATE, False, add=bytes(49)))).status == BAD_PARAM
    assert (await port.call(Command(INSTANTIATE), entropy)).status == OK
    model = Drbg(False, entropy)
    for command in (
        Command(GENERATE, size=0),
        Command(GENERATE, size=65537),
        Command(GENERATE, add=bytes(49), size=16),
        Command(RESEED, add=bytes(49)),
        Command(INSTANTIATE, add=bytes(49)),
        Command(5),
        Command(7),
    ):
        answer = await port.call(command)
        assert (answer.status, answer.data, answer.entropy) == (BAD_PARAM, b"", 0)
    answer = await port.call(Command(GENERATE, size=65536))
    assert answer.data == model.generate(65536)
    steps = {b - a for a, b in zip(answer.beats, answer.beats[1:], strict=False)}
    assert steps == {14} and len(answer.beats) == 4096


@cocotb.test(skip=BROKEN or SHORT)
async def cycles(dut):
    """Whole jobs, from acceptance to `done`, all at hand: what the README states."""
    rng = random.Random(5)
    port = await ported(dut, 5)
    measured = {}
    for df in (True, False):
        opened = await port.call(Command(INSTANTIATE, df), rng.randbytes(48))
        again = await port.call(Command(RESEED), rng.randbytes(32 if df else 48))
        once = await port.call(Command(GENERATE, size=16))
        more = await port.call(Command(GENERATE, size=1024))
        extra = await port.call(Command(GENERATE, add=bytes(32), size=16))
        measured[df] = [answer.cycles for answer in (opened, again, once, more, extra)]
    assert measured == {True: CYCLES_DF, False: CYCLES_NO_DF}


@cocotb.test(skip=BROKEN or SHORT)
async def secrets_are_wiped(dut):
    """An abort or a failing source in any cycle of a job: nothing is left, and there is no DRBG."""
    rng = random.Random(6)
    for stop in (*range(0, 60, 3), *(rng.randrange(60, 420) for _ in range(60))):
        df = rng.random() < 0.5
        port = await ported(dut, stop, rng.choice((0.0, 0.5)))
        entropy = rng.randbytes(32 if df else 48)
        assert (await port.call(Command(INSTANTIATE, df), rng.randbytes(48))).status == OK
        asked = Command(GENERATE, predict=True, add=rng.randbytes(24), size=100)
        await port.call(asked, entropy, stop=stop)
        assert secrets(dut) != 0
        await port.clear()
        await ClockCycles(dut.clk_i, 1)
        await Timer(1, "ns")
        assert secrets(dut) == 0 and not int(dut.seeded_o.value)
        assert (await port.call(Command(GENERATE, size=16))).status == NOT_SEEDED
        await random_calls(port, rng, 3)


@cocotb.test(skip=BROKEN)
async def entropy_fails(dut):
    """A source that says so, or that is late, at each word of each kind of job."""
    rng = random.Random(7)
    port = await ported(dut, 7)
    for fail in (True, False):
        for count in range(6):
            for op in (INSTANTIATE, RESEED, GENERATE):
                df = op != INSTANTIATE and count < 4
                if op != INSTANTIATE:
                    opened = await port.call(Command(INSTANTIATE, df), rng.randbytes(48))
                    assert opened.status == OK
                asked = Command(op, df, True, rng.randbytes(8), 16)
                answer = await port.call(asked, rng.randbytes(8 * count), fail)
                assert (answer.status, answer.data) == (ENTROPY, b"")
                assert answer.cycles < 600 + (0 if fail else LATE)
                assert secrets(dut) == 0 and not int(dut.seeded_o.value)
                assert (await port.call(Command(GENERATE, size=16))).status == NOT_SEEDED


@cocotb.test(skip=BROKEN)
async def test_on_demand(dut):
    """OpTest takes the instance with it; an abort in the midst of the test begins it again."""
    rng = random.Random(8)
    port = await ported(dut, 8)
    for stop in (None, 40, 700):
        assert (await port.call(Command(INSTANTIATE, True), rng.randbytes(48))).status == OK
        answer = await port.call(Command(TEST), stop=stop)
        if stop is None:
            assert answer.status == OK
            assert answer.cycles == TEST_CYCLES
        else:
            await port.clear()
        assert secrets(dut) == 0 or stop
        assert (await port.call(Command(GENERATE, size=16))).status == NOT_SEEDED
        assert secrets(dut) == 0
    await random_calls(port, rng, 10)


@cocotb.test(skip=not BROKEN)
async def test_fails(dut):
    """In a design that is broken nothing leaves, and nothing is left."""
    port = await ported(dut, 9)
    for stall in (0.0, 0.5):
        port.stall = stall
        for op in (INSTANTIATE, GENERATE, RESEED, UNINSTANTIATE, TEST, GENERATE):
            answer = await port.call(Command(op, size=16))
            assert (answer.status, answer.data, answer.entropy) == (TEST_FAILED, b"", 0)
            assert int(dut.failed_o.value) and not int(dut.seeded_o.value)
            await ClockCycles(dut.clk_i, 1)
            await Timer(1, "ns")
            assert secrets(dut) == 0
        await port.clear()
        assert int(dut.failed_o.value)
        # A failure stays one while the next test runs, and if that one's report is aborted.
        dut.cmd_i.value, dut.cmd_valid_i.value = Command(TEST).bits, 1
        await ClockCycles(dut.clk_i, 1)
        dut.cmd_valid_i.value = 0
        for _ in range(2100):
            await ClockCycles(dut.clk_i, 1)
            await Timer(1, "ns")
            assert int(dut.failed_o.value)
            if int(dut.done_valid_o.value):
                break
        else:
            raise AssertionError("the test did not end")
        await port.clear()
        assert int(dut.failed_o.value)
