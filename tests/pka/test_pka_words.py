"""Upsets of an instruction while it is carried out: it writes another row, or an end is overrun."""

import random

import pytest
from support import pka
from support.pka_curve import OnCurve, each, each_soaking

from cryptile.pka.isa import Word, isa
from cryptile.pka.machine import Machine, ProgramError

CONSTANTS = ("Zero", "One", "N", "Most")
LONG = 100_000
"""Cycles of programs that are too long for this: RSA's end in the same code as short ones do."""


def signed_with(at: OnCurve, seed: int, name: str, value: int, part: float) -> None:
    """Sign; a constant is written over when a part of the program is done, in both copies.

    What comes out is the right signature, or none.
    """
    rng, image = random.Random(seed), at.image
    key, digest = rng.randrange(1, at.n), rng.getrandbits(at.length)
    machine = at.started({"k": key, "e": digest}, iter(lambda: rng.getrandbits(at.bits), -1))
    when, hit = part * pka.OF[at.width][f"{at.curve.name}_sign"], False

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal hit
        if cycle >= when and not hit:
            hit = True
            machine.rows[image.names[name]] = value

    machine.watch = watch
    outcome = machine.run(at.entry("sign"))
    assert hit
    first = image.names["result"]
    assert outcome.flag or at.right(key, digest, *(machine.rows[first + n] for n in range(2)))


def check_constants(at: OnCurve, parts: list[float]) -> None:
    """An instruction whose result goes to another row may write any number there, or zero."""
    rng = random.Random(1)
    for name in CONSTANTS:
        for part in parts if name in at.image.names else []:
            for value in (0, rng.randrange(at.n)):
                signed_with(at, 2, name, value, part)


@each
def test_a_wrong_constant_hides_nothing(at):
    check_constants(at, [0.4, 0.9, 0.975])


@pytest.mark.soak
@each
def test_no_wrong_constant_hides_anything(at):
    check_constants(at, [n / 64 for n in range(64)])


@each_soaking
def test_a_wrong_constant_hides_nothing_elsewhere(at):
    check_constants(at, [0.4, 0.975])


@pytest.mark.parametrize("width", pka.OF, ids=lambda width: f"{width.impl}{width.bits}")
def test_an_end_that_is_overrun(width):
    """Of each program: a bit of its halt's operation is another, and nothing else comes of it."""
    image = pka.image(width)
    ends = [n for n, word in enumerate(image.code) if word.name == "halt"]
    names = [
        next((name for name, i in isa().insns.items() if i.code == 1 << n), "") for n in range(8)
    ]
    for entry in (entry for entry in image.results if pka.OF[width][entry] < LONG):
        right = result_of(width, entry, image.code)
        for name in filter(None, names):
            code = list(image.code)
            for end in ends:
                is_guard = end and code[end - 1].name != "halt" == image.code[end - 1].name
                code[end] = image.code[end] if is_guard else _named(image.code[end], name)
            assert result_of(width, entry, tuple(code)) in (right, None), (entry, name)


def _named(word: Word, name: str) -> Word:
    return Word(name, word.d, word.a, word.b, word.imm)


def result_of(width, entry: str, code: tuple[Word, ...]) -> tuple[bool, list[int]] | None:
    """Return what a program gives of random rows; None if it runs into a fault."""
    image, rng = pka.image(width), random.Random(3)
    rows = {name: rng.getrandbits(250) | 1 for name in ("k", "e", "u", "x") if name in image.names}
    started = pka.started(rows, iter(lambda: rng.getrandbits(width.bits), -1), width)
    machine = Machine(code, started.rows, started.random, started.extras, width=width)
    try:
        outcome = machine.run(image.entries[entry])
    except ProgramError:
        return None
    first = image.names["result"]
    given = [machine.rows.get(first + n, 0) for n in range(image.results[entry])]
    return outcome.flag, [] if outcome.flag else given
