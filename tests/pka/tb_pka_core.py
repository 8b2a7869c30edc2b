"""cocotb tests of ``cry_pka_core``: what issues and is written, as in the simulator by cycle."""

import itertools
import os
import random

import cocotb
from pka_port import FAULT, MACHINE, OK, PARAM, RANDOM, REFUSED, Port

from cryptile.pka.isa import CODE_ROWS, Kind, Word, flow, isa
from cryptile.pka.machine import Machine, ProgramError
from cryptile.pka.timing import written

FOLD = 2**256 - 38
EDGES = (
    *(0, 1, 2, 2**32 - 1, 2**64 - 1, 2**64, 2**128 - 1, 2**192),
    *(max(MACHINE.prime, 1) - 1, MACHINE.prime, FOLD if Kind.FOLD in MACHINE.kinds else 2**32),
    MACHINE.most,
)
PAIRS = 7
"""Of rows that a program has: few, so that instructions meet the rows of those before."""

EXTRAS = [int.from_bytes(bytes([number] * (MACHINE.bits // 8)), "big") for number in range(256)]
"""What the bench gives for the constants that no row has."""

NOTED = tuple(isa().choices[name].code for name in ("less", "noting"))
CHOICES = tuple(isa().choices[name].code for name in ("carry", "negative")) + (
    NOTED if MACHINE.steps else ()
)
"""What `sel` may ask for beside digits."""

PROGRAMS = int(os.environ["CRYPTILE_PROGRAMS"])
RANDOM_CYCLES, MAX_CYCLES = 64, 4096


class Core(Port):
    def __init__(self, dut):
        super().__init__(dut, "in")

    async def load(self, code: list[Word], entry: int = 0, first: int = 0) -> None:
        """Write instructions from the first one on that is no filling."""
        self.dut.known_i.value, self.dut.entry_i.value = 1, entry
        self.dut.results_i.value, self.dut.zero_i.value = 0, 1
        self.dut.code_we_i.value = 1
        for at, word in enumerate(code[first:], first):
            self.dut.code_waddr_i.value, self.dut.code_wdata_i.value = at, word.encode()
            await self.cycle()
        self.dut.code_we_i.value = 0

    async def compare(
        self,
        code: list[Word],
        rows: dict[int, int],
        draws: list[int],
        entry: int = 0,
        first: int = 0,
    ) -> None:
        """Run a program here and in the simulator."""
        issues, writes = [], []

        def watch(cycle, word, clock):
            issues.append((cycle, word))
            for row, at in written(word, cycle, clock).items():
                writes.append((at, row, machine.rows[row]))

        machine = Machine(code, dict(rows), iter(draws), EXTRAS, watch=watch, width=MACHINE)
        outcome = machine.run(entry)
        await self.load(code, entry, first)
        for row, value in rows.items():
            await self.write(row, value)
        end = await self.run(iter(draws), trace=True)
        assert [at for at, _ in end.issues[:-1]] == [at for at, _ in issues]
        assert [code[pc] for _, pc in end.issues[:-1]] == [word for _, word in issues]
        assert sorted(end.writes) == sorted(writes)
        assert end.status == (REFUSED if outcome.flag else OK)
        assert end.cycles == outcome.cycles
        for row in rows:
            self.dut.out_row_i.value = row
            await self.cycle()
            read = self.get("out_data")
            assert read == (0 if outcome.flag else machine.rows.get(row, 0))
        await self.take()


async def ported(dut) -> Core:
    core = Core(dut)
    dut.out_row_i.value, dut.code_we_i.value = 0, 0
    await core.start()
    return core


def some_rows(rng: random.Random) -> list[int]:
    return [row + n for row in rng.sample(range(0, MACHINE.data, 2), PAIRS) for n in range(2)]


def instruction(rng: random.Random, rows: list[int]) -> Word:
    """Return any instruction of ALU or multiplier."""
    d, a, b = (rng.choice(rows) for _ in range(3))
    singles = ("mul1",) if Kind.FOLD in MACHINE.kinds else ()
    names = (
        ("mod", "dig", "add", "sub", "addx", "subx", "xor", "and", "sel", "sel", "half", "con")
        + ("sel", "gcdr", "gcdr", "cofr", "cofr")
        + ("mul", "sqr", *singles) * 2
        + ("mull", "hold", "gcd", "gcd", "cof", "cof", "push", "get", "get")
        + ("pick",) * 3
        + ("put",)
    )
    name = rng.choice([name for name in names if name not in MACHINE.lacks])
    imm = {
        "carry": rng.randrange(2),
        "kind": Kind.FOLD if name == "mul1" else rng.choice(sorted(MACHINE.kinds)),
        "choice": rng.choice((*CHOICES, rng.randrange(128, 145))),
        "modulus": rng.randrange(max(len(MACHINE.moduli), 1)),
        "constant": rng.randrange(256),
        "entry": rng.randrange(16),
        None: 0,
    }[isa().insns[name].imm]
    return Word(name, d, a, b, imm)


def program(rng: random.Random, rows: list[int], first: int = 0) -> tuple[list[Word], int]:
    """Return instructions with loops and calls two deep, and where they begin.

    They stand behind ``first`` others.
    """

    def piece() -> list[Word]:
        return [instruction(rng, rows) for _ in range(rng.randrange(8))]

    def loop(body: list[Word], rounds: int) -> list[Word]:
        return [flow("loop", rounds), *body, Word("next")]

    rnd = [Word("rnd", rng.choice(rows))]
    inner = [*piece(), *loop(piece(), rng.randrange(4)), Word("ret")]
    outer = [*piece(), flow("call", first), *piece(), Word("ret")]
    call = flow("call", first + len(inner))
    nested = loop([*piece(), *loop(piece() + rnd, 2), *piece()], rng.randrange(1, 4))
    main = [*rnd, *piece(), call, *piece(), *nested, *rnd * rng.randrange(3), *piece()]
    code = [Word("halt")] * first + [*inner, *outer]
    return [*code, *main, Word("halt")], len(code)


def value(rng: random.Random) -> int:
    if rng.randrange(2):
        return rng.getrandbits(MACHINE.bits)
    bits = MACHINE.bits
    return rng.choice(EDGES) if rng.randrange(2) else rng.getrandbits(bits) >> rng.randrange(bits)


async def one_program(core: Core, rng: random.Random) -> None:
    rows, first = some_rows(rng), rng.randrange(900)
    code, entry = program(rng, rows, first)
    values = {row: value(rng) for row in rows}
    await core.compare(code, values, [value(rng) for _ in range(40)], entry, first)


@cocotb.test()
async def random_programs(dut):
    """Every issue and every write in its cycle."""
    core, rng = await ported(dut), random.Random(16)
    for _ in range(PROGRAMS):
        await one_program(core, rng)


def product(rng: random.Random, d: int, one: bool) -> Word:
    """Return a multiplication into row d; of ``one`` limb, where that is there."""
    if one and "mul1" not in MACHINE.lacks and Kind.FOLD in MACHINE.kinds:
        return Word("mul1", d, *rng.choices(INPUTS, k=2), Kind.FOLD)
    kind = rng.choice(sorted(MACHINE.kinds))
    return Word(rng.choice(("mul", "sqr")), d, *rng.choices(INPUTS, k=2), kind)


def asking(rng: random.Random, row: int, other: int) -> Word:
    """Return an instruction that reads or writes a row, or passes."""
    words = [
        *(Word("xor", other, row, other), Word("xor", other, other, row)),
        *(Word("xor", row, other, other), Word("and", other, other, other)),
        *(Word("mul", other, row, INPUTS[0]), Word("sqr", row, INPUTS[1])),
        *(Word("get", other, row ^ rng.randrange(16)), Word("get", row, other)),
        *(Word("hold", 0, row), Word("pick", 0, other, row), Word("put", row)),
    ]
    return rng.choice([word for word in words if word.name not in MACHINE.lacks])


INPUTS = (0, 1)
"""Rows that products are of."""


@cocotb.test()
async def products_on_their_way(dut):
    """What asks for the row of a product, or for the one beside it, behind as many as there can be.

    Those by one limb follow one another the fastest; the last one may be another.
    """
    core, rng = await ported(dut), random.Random(6)
    for _ in range(8):
        code, values = [], {row: value(rng) for row in INPUTS}
        for count, asked in ((most, n) for most in range(1, 6) for n in range(most)):
            other, *rows = rng.sample(range(len(INPUTS), MACHINE.data), count + 1)
            ones = [rng.randrange(4) > 0 or n < count - 1 for n in range(count)]
            code += [product(rng, d, one) for d, one in zip(rows, ones, strict=True)]
            code += [asking(rng, rows[asked] ^ rng.randrange(2), other)]
            values |= {row: value(rng) for row in (other, *rows)}
        await core.compare([*code, Word("halt")], values, [])


@cocotb.test()
async def edge_operands(dut):
    """Each instruction on all pairs of edges, with each modulus."""
    core = await ported(dut)
    words = [
        *(Word(name, 4, 1, 2, kind) for name in ("mul", "sqr") for kind in sorted(MACHINE.kinds)),
        *((Word("mul1", 4, 1, 2, Kind.FOLD),) if Kind.FOLD in MACHINE.kinds else ()),
        *(Word(name, 4, 1, 2, imm) for name in ("addx", "subx") for imm in (0, 1)),
        *(Word(name, 4, 1, 2) for name in ("add", "sub", "xor", "and", "half", "dig", "mull")),
        *(Word(name, 4, 1, 2) for name in ("gcd", "cof", "push", "get", "hold", "cof", "gcd")),
        *(Word("pick", 4, 1, 2, entry) for entry in range(0, 16, 2)),
        Word("put", 4),
        *(Word("sel", 4, 1, 2, choice) for choice in (*CHOICES, 128, 144)),
        *(Word(name, 4, 1, 2) for name in ("subx", "gcdr")),
    ]
    for modulus in range(max(len(MACHINE.moduli), 1)):
        steps = [Word("cofr", 4, 1, 2, modulus), Word("cof", 4, 1, imm=modulus)]
        known = [word for word in (*words, *steps) if MACHINE.knows(word)]
        for edge in EDGES[:: 1 if PROGRAMS > 100 else 2]:
            code = [Word("mod", imm=modulus)] if MACHINE.moduli else []
            for row in range(len(EDGES)):
                code += [Word("and", 2, 20 + row, 20 + row), *known]
            rows = {1: edge} | {20 + row: other for row, other in enumerate(EDGES)}
            await core.compare([*code, Word("halt")], rows, [])


@cocotb.test()
async def bad_programs(dut):
    """What the simulator refuses ends with a fault, as what never ends does; and no row is read."""
    core = await ported(dut)
    halt = Word("halt")
    folds = [[Word(name, 4, 1, 2, Kind.FOLD), halt] for name in ("mul", "mul1")]
    folds = [] if Kind.FOLD in MACHINE.kinds else folds
    for code in (
        [Word("next"), halt],
        [Word("ret"), halt],
        [*[Word("loop", b=2)] * 3, halt],
        [*(flow("call", address) for address in range(1, 5)), halt],
        [Word("call", b=0), halt],
        [flow("call", CODE_ROWS), halt],
        [Word("mul1", 4, 1, 2, Kind.MONT), halt],
        [Word("mul", 4, 1, 2, 3), halt],
        *folds,
        *([Word(name, 4, 1, 2), halt] for name in sorted(MACHINE.lacks)),
        *([Word(name, 4, 1, 2, len(MACHINE.moduli)), halt] for name in ("mod", "cof", "cofr")),
        *([Word("sel", 4, 1, 2, choice), halt] for choice in NOTED if not MACHINE.steps),
        [flow("loop", 65535), flow("loop", 65535), Word("next"), Word("next"), halt],
    ):
        try:
            Machine(code, width=MACHINE).run(limit=MAX_CYCLES)
        except ProgramError:
            pass
        else:
            raise AssertionError("the simulator takes it")
        await core.load(code)
        await core.write(0, 5)
        end = await core.run(iter(()))
        assert end.status == FAULT
        assert end.cycles <= MAX_CYCLES
        await core.cycle(2)
        assert core.get("out_data") == 0
        await core.take()
    await core.load([])
    dut.code_we_i.value, dut.code_waddr_i.value = 1, 0
    for code in (30, 32, 80, 128, 255):
        assert code not in {insn.code for insn in isa().insns.values()}
        dut.code_wdata_i.value = code << 32
        await core.cycle()
        assert (await core.run(iter(()))).status == FAULT
        await core.take()


@cocotb.test()
async def zero_is_a_result(dut):
    """Of programs that may give it alone: else nobody has written the row."""
    core = await ported(dut)
    for value, zero, status in ((0, 1, OK), (0, 0, FAULT), (5, 0, OK)):
        await core.load([Word("halt")])
        await core.write(0, value)
        dut.zero_i.value, dut.out_row_i.value = zero, 0
        assert (await core.run(iter(()))).status == status
        await core.take()


@cocotb.test()
async def refused_starts(dut):
    """A row of constants is not written, and a program that is not known does not start."""
    core, rng = await ported(dut), random.Random(3)
    for row, known in ((MACHINE.data, 1), (255, 1), (MACHINE.data - 1, 0)):
        await core.load([Word("halt")])
        await core.write(row, rng.getrandbits(MACHINE.bits))
        dut.known_i.value = known
        assert (await core.run(iter(()))).status == PARAM
        await core.take()
        assert core.left() == 0
    dut.known_i.value = 1
    dut.in_valid_i.value, dut.in_row_i.value, dut.start_valid_i.value = 1, MACHINE.data, 1
    await core.cycle()
    dut.in_valid_i.value = dut.start_valid_i.value = 0
    assert core.get("done_valid") and core.get("done_status") == PARAM
    await core.take()
    await core.load([Word("halt")])
    assert (await core.run(iter(()))).status == OK
    await core.take()


@cocotb.test()
async def random_port(dut):
    """A row may come as late as the limit says; then the job ends, and nothing of it is left."""
    core, rng = await ported(dut), random.Random(4)
    code = [Word("rnd", 1), Word("rnd", 5), Word("mul", 2, 1, 5, Kind.RAW), Word("halt")]
    draws = [rng.getrandbits(MACHINE.bits), rng.getrandbits(MACHINE.bits)]
    cycles = Machine(code, random=iter(draws), width=MACHINE).run().cycles
    for stall in (0, 1, 20, RANDOM_CYCLES - 1):
        await core.load(code)
        end = await core.run(iter(draws), stall=stall)
        assert (end.status, end.cycles) == (OK, cycles + 2 * stall)
        await core.take()
    for given in (0, 1):
        await core.load(code)
        end = await core.run(iter(draws[:given]))
        assert end.status == RANDOM
        assert end.cycles <= cycles + RANDOM_CYCLES
        await core.take()
        assert core.left() == 0


@cocotb.test()
async def aborts(dut):
    """Abort or reset in any cycle of a program: 256 cycles later all is zero, the next is right."""
    core, rng = await ported(dut), random.Random(5)
    for turn, stop in itertools.product(range(2), (0, 1, 3, *range(20, 80, 7))):
        rows = some_rows(rng)
        code, entry = program(rng, rows)
        await core.load(code, entry)
        for row in rows:
            await core.write(row, rng.getrandbits(MACHINE.bits))
        dut.rnd_valid_i.value, dut.rnd_data_i.value = 1, rng.getrandbits(MACHINE.bits)
        if stop:
            await core.begin()
            await core.cycle(stop)
        dut.rnd_valid_i.value = 0
        assert core.left()
        await (core.clear() if turn else core.reset())
        assert core.left() == 0
        if stop % 2:
            await one_program(core, rng)
            assert core.left() == 0
