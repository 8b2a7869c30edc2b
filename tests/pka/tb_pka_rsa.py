"""cocotb tests of ``cry_pka`` with rows of 512 bits: RSA against the simulator, row by row."""

import os
import random

import cocotb
from pka_port import FAULT, MACHINE, OK, REFUSED, Port
from support import pka, pka_rsa

from cryptile.pka.machine import Machine

CASES = int(os.environ["CRYPTILE_CASES"])
"""None: a public operation alone."""

IMAGE = pka.image(MACHINE)
NAMES = tuple(IMAGE.results)
MOST_CYCLES = 9_000_000


class Engine(Port):
    def __init__(self, dut):
        super().__init__(dut, "row")

    async def given(self, rows: dict[str, int]) -> None:
        """Write a job's inputs."""
        for name, value in rows.items():
            await self.write(IMAGE.names[name], value)

    async def compare(self, name: str, bits: int, inputs: dict[str, int], seed: int) -> int | None:
        """Run a job here and in the simulator, compare all rows, and return the result."""
        rng, program = random.Random(seed), pka_rsa.program(bits, name)
        draws = [rng.getrandbits(MACHINE.bits) for _ in range(2 if name == "private" else 0)]
        rows = pka_rsa.rows(inputs, bits)
        machine: Machine = pka.started(rows, iter(draws), MACHINE)
        outcome = machine.run(IMAGE.entries[program])
        await self.given(rows)
        self.dut.program_i.value = NAMES.index(program)
        end = await self.run(iter(draws), limit=MOST_CYCLES)
        assert end.status == (REFUSED if outcome.flag else OK)
        assert end.cycles == outcome.cycles == pka.OF[MACHINE][program]
        for ram in self.rams:
            assert {n: int(ram.mem[n].value) for n in machine.rows} == machine.rows
        results = []
        for number in range(1 if outcome.flag else bits // MACHINE.bits):
            if number:
                await self.next_row()
            assert self.get("done_index") == number
            results.append(self.get("result"))
        await self.take()
        assert self.left() == 0
        if outcome.flag:
            assert results == [0]
            return None
        return pka_rsa.joined(results)


async def ported(dut) -> Engine:
    engine = Engine(dut)
    dut.program_i.value = 0
    await engine.start()
    return engine


@cocotb.test()
async def public(dut):
    """Of each length; a message that is not below the modulus takes the same cycles."""
    engine, rng = await ported(dut), random.Random(1)
    for bits in pka_rsa.LENGTHS if CASES else pka_rsa.LENGTHS[:1]:
        for _ in range(max(CASES, 1)):
            modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
            inputs = {"modulus": modulus, "message": rng.randrange(modulus)}
            expected = pow(inputs["message"], pka_rsa.E, modulus)
            assert await engine.compare("public", bits, inputs, 0) == expected
            if CASES:
                refused = inputs | {"message": modulus}
                assert await engine.compare("public", bits, refused, 0) is None


@cocotb.test(skip=not CASES)
async def exponents(dut):
    """One of 64 bits, and an even one."""
    engine, rng = await ported(dut), random.Random(2)
    modulus, exponent = rng.getrandbits(2048) | 1 << 2047 | 1, rng.getrandbits(64) | 1
    inputs = {"modulus": modulus, "message": rng.randrange(modulus), "exponent": exponent}
    expected = pow(inputs["message"], exponent, modulus)
    assert await engine.compare("public64", 2048, inputs, 0) == expected
    assert await engine.compare("public64", 2048, inputs | {"exponent": 65536}, 0) is None


@cocotb.test(skip=not CASES)
async def private(dut):
    """Of 2,048 bits, and of the others where there is time; one with a wrong key."""
    engine, rng = await ported(dut), random.Random(3)
    for bits in pka_rsa.LENGTHS if CASES > 1 else pka_rsa.LENGTHS[:1]:
        key = pka_rsa.some_key(bits)
        message = rng.randrange(key.modulus)
        assert await engine.compare("private", bits, key.inputs(message), 5) == key.private(message)
    key = pka_rsa.some_key(2048)
    wrong = key.inputs(5 << 2000) | {"coefficient": 1}
    assert await engine.compare("private", 2048, wrong, 6) is None


@cocotb.test()
async def ends_early(dut):
    """Abort and reset, and no random bits: all is wiped, and the next job is right."""
    engine, rng = await ported(dut), random.Random(4)
    rows = pka_rsa.rows(pka_rsa.some_key(2048).inputs(77 << 900), 2048)
    for way in (engine.clear, engine.reset):
        await engine.given(rows)
        dut.program_i.value = NAMES.index("rsa2048_private")
        await engine.begin()
        await engine.cycle(rng.randrange(3000, 5000))
        assert engine.left()
        await way()
        assert engine.left() == 0
    await engine.given(rows)
    end = await engine.run(iter(()))
    assert end.status not in (OK, REFUSED, FAULT)
    await engine.take()
    assert engine.left() == 0
    inputs = {"modulus": (1 << 2048) - 1, "message": 3 << 1500}
    expected = pow(inputs["message"], pka_rsa.E, inputs["modulus"])
    assert await engine.compare("public", 2048, inputs, 0) == expected
