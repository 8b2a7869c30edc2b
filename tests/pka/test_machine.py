"""Instructions of the public-key engine's simulator against big integers."""

import itertools
import random

import pytest

from cryptile import nist_curves
from cryptile.errors import CryptileError
from cryptile.pka.builder import Builder
from cryptile.pka.isa import (
    EXTRAS,
    FAST256,
    P256,
    WIDTH256,
    WIDTH384,
    WIDTH512,
    WIDTH576,
    Kind,
    Width,
    Word,
    flow,
    isa,
)
from cryptile.pka.machine import Machine, ProgramError

R = 2**256
FOLD = R - 38
EDGES = (0, 1, 2, 2**32, 2**64 - 1, 2**64, 2**128 - 1, 2**192, 2**255 - 19, P256 - 1)
WIDE = (P256, FOLD - 1, FOLD, R - 1)

WIDTHS = [WIDTH256, WIDTH384, WIDTH576]
EVERY = [*WIDTHS, WIDTH512]
every = pytest.mark.parametrize("width", EVERY, ids=lambda width: str(width.bits))
"""Runs a test for each machine, the one that has no modulus, too."""

each = pytest.mark.parametrize("width", WIDTHS, ids=lambda width: str(width.bits))
"""Runs a test for each that has one."""


def edges(width: Width) -> tuple[int, ...]:
    """Return numbers below the prime."""
    top = width.prime.bit_length() or width.bits
    prime = width.prime or width.most
    high = (prime - 1, prime - 2**32, 1 << top - 1, (1 << top - 64) - 1)
    return EDGES if width is WIDTH256 else EDGES + high


def wide(width: Width) -> tuple[int, ...]:
    """Return numbers that are not."""
    return WIDE if width is WIDTH256 else (width.prime, width.most - 1, width.most)


def pairs(edges: tuple[int, ...], end: int) -> list[tuple[int, int]]:
    rng = random.Random(16)
    some = [(rng.randrange(end), rng.randrange(end)) for _ in range(500)]
    return [*itertools.product(edges, repeat=2), *some]


def results(
    words: list[Word], a: int, b: int, modulus: str = "p", width: Width = WIDTH256
) -> Machine:
    """Run instructions with a and b in rows 1 and 2, and a modulus by its name."""
    rows = {1: a, 2: b}
    begin = [Word("mod", imm=isa().moduli[modulus])] if width.moduli else []
    machine = Machine([*begin, *words, Word("halt")], rows, width=width)
    machine.run()
    return machine


@each
def test_mont(width):
    words = [Word("mul", 4, 1, 2, Kind.MONT), Word("sqr", 5, 1, 0, Kind.MONT)]
    p = width.prime
    inverse = pow(width.most + 1, -1, p)
    for a, b in pairs(edges(width), p):
        machine = results(words, a, b, width=width)
        assert machine.rows[4] == a * b * inverse % p
        assert machine.rows[5] == a * a * inverse % p


@each
def test_mont_reduces_what_is_not_reduced(width):
    """One factor may be any row if the other one is below p, as programs' inputs are."""
    p = width.prime
    inverse = pow(width.most + 1, -1, p)
    for a, b in itertools.product(wide(width), edges(width)):
        machine = results([Word("mul", 4, 1, 2, Kind.MONT)], a, b, width=width)
        assert machine.rows[4] == a * b * inverse % p


@every
def test_raw(width):
    words = [Word("mul", 5, 1, 2, Kind.RAW), Word("sqr", 6, 1, 0, Kind.RAW)]
    for a, b in pairs(edges(width) + wide(width), width.most + 1):
        rows = results(words, a, b, width=width).rows
        assert rows[4] | rows[5] << width.bits == a * b
        assert rows[6] | rows[7] << width.bits == a * a


def test_lower_row():
    for a, b in pairs(edges(WIDTH512) + wide(WIDTH512), WIDTH512.most + 1):
        rows = results([Word("mull", 4, 1, 2)], a, b, width=WIDTH512).rows
        assert rows[4] == a * b & WIDTH512.most
        assert 5 not in rows


@every
def test_lacks(width):
    choices = isa().choices
    words = [Word(name) for name in sorted(width.lacks)]
    words += [Word(name, imm=len(width.moduli)) for name in ("mod", "cof", "cofr")]
    if not width.steps:
        words += [Word("sel", imm=choices[name].code) for name in ("less", "noting")]
    for word in words:
        match = f"no {word.name} {word.imm} with rows of {width.bits} bits"
        with pytest.raises(ProgramError, match=match):
            Machine([word], width=width).run(limit=1000)
    assert ("mull" in width.lacks) == (width is not WIDTH512)


def test_calls_deeper():
    """As deep as a machine says, and no deeper."""
    for depth, width in ((2, WIDTH256), (3, WIDTH512)):
        code = [*(flow("call", address) for address in range(1, 6)), Word("halt")]
        with pytest.raises(ProgramError, match=f"deeper than {depth}"):
            Machine(code, width=width).run(limit=1000)
        calls = [flow("call", address) for address in range(1, depth + 1)]
        assert not Machine([*calls, Word("halt")], width=width).run().flag


def test_fold():
    words = [Word("mul", 4, 1, 2, Kind.FOLD), Word("mul1", 5, 1, 2, Kind.FOLD)]
    for a, b in pairs((*EDGES, FOLD - 1), FOLD):
        rows = results(words, a, b, "m25519").rows
        assert rows[4] == a * b % FOLD
        assert rows[5] == a * (b % 2**64) % FOLD


@pytest.mark.parametrize(
    ("width", "name"),
    [(width, name) for width in WIDTHS for name in list(isa().moduli)[: len(width.moduli)]],
)
def test_sums(width, name):
    modulus = width.moduli[isa().moduli[name]]
    for a, b in pairs(tuple(edge % modulus for edge in edges(width)), modulus):
        rows = results([Word("add", 4, 1, 2), Word("sub", 5, 1, 2)], a, b, name, width).rows
        assert rows[4] == (a + b) % modulus
        assert rows[5] == (a - b) % modulus


@every
@pytest.mark.parametrize(("name", "sign"), [("addx", 1), ("subx", -1)])
def test_carries(width, name, sign):
    """Numbers of two rows: (a, b) and (b, a)."""
    words = [Word(name, 4, 1, 2), Word(name, 5, 2, 1, 1)]
    bits, r = width.bits, width.most + 1
    for a, b in pairs(edges(width) + wide(width), r):
        machine = results(words, a, b, width=width)
        total = (a | b << bits) + sign * (b | a << bits)
        assert machine.rows[4] | machine.rows[5] << bits == total % r**2
        assert machine.carry == (not 0 <= total < r**2)


def test_logic():
    for a, b in pairs(EDGES + WIDE, R):
        rows = results([Word("xor", 4, 1, 2), Word("and", 5, 1, 2)], a, b).rows
        assert rows[4] == a ^ b
        assert rows[5] == a & b


def test_constants():
    """Those that no row has, by number; one that is loaded again is the same."""
    b = Builder()
    b.row("x", "y")
    b.share(z="y")
    b.entry("begin")
    with b.piece():
        for name, value in (("x", 77), ("z", 88), ("x", 77)):
            b.load(value, name)
    b.halt()
    image = b.image()
    assert image.extras == (77, 88)
    machine = Machine(image.code, extras=image.extras)
    machine.run()
    assert [machine.rows[image.names[name]] for name in "xy"] == [77, 88]
    machine = Machine([Word("con", 1, imm=1), Word("halt")], extras=[5])
    machine.run()
    assert machine.rows[1] == 0


def test_too_many_constants():
    b = Builder()
    b.row("x")
    with b.piece():
        for value in range(EXTRAS + 1):
            b.load(value, "x")
    with pytest.raises(CryptileError, match="257 constants"):
        b.image()


@every
@pytest.mark.parametrize("bits", range(64))
def test_digits(width, bits):
    """Booth: the lowest bit counts as the one below the window, the highest one as -16."""
    choices = isa().choices
    words = [
        Word("dig", a=1),
        Word("sel", 4, 1, 2, choices["negative"].code),
        *(Word("sel", 10 + n, 1, 2, choices["digit"].code + n) for n in range(17)),
    ]
    low = width.bits - 6
    a, b = bits << low | (1 << low) - 1, 1
    rows = results(words, a, b, width=width).rows
    weights = (1, 1, 2, 4, 8, -16)
    digit = sum(weight for n, weight in enumerate(weights) if bits >> n & 1)
    assert [n for n in range(17) if rows[10 + n] == a] == [abs(digit)]
    if digit:
        assert (rows[4] == a) == (digit < 0)


def held(words: list[Word], rows: dict[int, int]) -> Machine:
    """Run instructions of the machine that holds numbers."""
    machine = Machine([*words, Word("halt")], dict(rows), width=FAST256)
    machine.run()
    return machine


def test_steps_with_held_numbers():
    """What a step makes of a and b, it makes of u and v modulo n."""
    n, steps = nist_curves.P256.n, [Word("gcd", 1, 1), Word("cof", 2, 2)]
    begin = [Word("hold", a=3), Word("gcd", 9, 5), Word("cof", 9, 4), Word("hold", a=3)]
    rng = random.Random(1)
    for x in (1, 2, n - 1, n - 2, 2**255, *(rng.randrange(1, n) for _ in range(50))):
        a, b, u, v = x, n, 1, 0
        machine = held(begin, {3: n, 4: 0, 5: 1})
        for _ in range(511):
            machine = Machine([*steps, Word("halt")], {1: a, 2: u, 3: n}, width=FAST256)
            a, b, u, v = _step(machine, b, v)
            assert (a - x * u) % n == (b - x * v) % n == 0
            assert 0 <= u < n and 0 <= v < n
        assert (a, b) == (0, 1)
        assert v * x % n == 1


def _step(machine: Machine, b: int, v: int) -> tuple[int, int, int, int]:
    """Take a step from numbers that are held; return all four."""
    code = [Word("hold", a=5), Word("gcd", 8, 6), Word("cof", 8, 7), Word("hold", a=4)]
    # One takes the place of n, so that v becomes row 7.
    machine.rows |= {4: b, 5: machine.rows[3], 6: 1, 7: v}
    machine.code = [*code, *machine.code]
    machine.run()
    return machine.rows[1], machine.held, machine.rows[2], machine.held_cofactor


@each
def test_steps_with_rows(width):
    """Likewise, of numbers that are all in rows."""
    choices, (n, *_) = isa().choices, width.moduli
    words = [
        *(Word("subx", 9, 1, 2), Word("sel", 5, 1, 2, choices["noting"].code)),
        *(Word("sel", 6, 3, 4, choices["less"].code), Word("gcdr", 7, 1, 2)),
        *(Word("cofr", 8, 3, 4), Word("halt")),
    ]
    rng, steps = random.Random(1), 2 * n.bit_length() - 1
    for x in (1, 2, n - 1, n - 2, n // 2, *(rng.randrange(1, n) for _ in range(20))):
        a, b, u, v = x, n, 1, 0
        for _ in range(steps):
            machine = Machine(words, {1: a, 2: b, 3: u, 4: v}, width=width)
            machine.run()
            smaller, larger = min(a, b) if a & 1 else b, max(a, b)
            assert machine.rows[7] == ((larger - smaller) >> 1 if a & 1 else a >> 1)
            assert machine.rows[5] == smaller
            a, b, u, v = (machine.rows[row] for row in (7, 5, 8, 6))
            assert (a - x * u) % n == (b - x * v) % n == 0
            assert 0 <= u < n and 0 <= v < n
        assert (a, b) == (0, 1)
        assert v * x % n == 1


def test_rows_by_digit():
    """Sixteen rows of which one is got, or picked, by the lowest four bits of a digit."""
    rows = {32 + n: 1000 + n for n in range(16)} | {1: 0}
    for number in range(32):
        pushes = []
        for n in reversed(range(5)):
            row = 2 + n
            rows[row] = (number >> n & 1) << 255 | 5
            pushes.append(Word("push", row, row))
        picks = [Word("pick", 0, 32 + n, 33 + n, n) for n in range(0, 16, 2)]
        ends = [Word("get", 10, 37), Word("put", 11)]
        machine = held([*pushes, *picks, *ends], rows)
        assert machine.digit == number
        assert machine.rows[10] == machine.rows[11] == 1000 + number % 16
        assert machine.rows[2] == 10


def test_get_waits_for_its_digit():
    """The row is read when the digit is there; another instruction may stand between."""
    push, get, other = Word("push", 1, 1), Word("get", 2, 32), Word("xor", 3, 1, 1)
    cycles = {}
    for name, words in (("next", [push, get]), ("other", [push, other, get])):
        cycles[name] = Machine([*words, Word("halt")], width=FAST256).run().cycles
    assert cycles["next"] == cycles["other"] == 4
    # Of its sixteen rows one is still to be written.
    mul = Word("mul", 40, 1, 1, Kind.RAW)
    assert Machine([mul, get, Word("halt")], width=FAST256).run().cycles == 8 + 2
    assert Machine([mul, other, Word("halt")], width=FAST256).run().cycles == 8 + 1


def test_sel_by_carry():
    """A borrow, and none: the lower of two numbers."""
    words = [Word("subx", 4, 1, 2), Word("sel", 5, 1, 2, isa().choices["carry"].code)]
    assert results(words, 3, 9).rows[5] == 3
    assert results(words, 9, 3).rows[5] == 3


@pytest.mark.parametrize(
    "code",
    [
        [Word("next")],
        [Word("ret")],
        [Word("loop", b=2)] * 3,
        [Word("call", b=0)],
        [Word("mul1", 4, 1, 2, Kind.MONT)],
        [Word("add")],
    ],
)
def test_bad_programs(code):
    with pytest.raises(ProgramError):
        Machine(code).run(limit=1000)


@pytest.mark.parametrize("width", EVERY[1:], ids=lambda width: str(width.bits))
@pytest.mark.parametrize("name", ["mul", "sqr", "mul1"])
def test_no_fold(width, name):
    """The wider machines have none of kind fold."""
    with pytest.raises(ProgramError):
        Machine([Word(name, imm=Kind.FOLD)], width=width).run(limit=1000)
