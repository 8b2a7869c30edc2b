"""Upsets of a private operation in the simulator: no wrong result leaves.

Most of a run are the powers, whose upsets the public operation behind them finds. What stands
behind that is short, and where upsets matter; runs from there on take little time.
"""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from support import pka, pka_rsa
from support.pka_rsa import some_key

from cryptile.pka.isa import WIDTH512, Word
from cryptile.pka.machine import Machine, ProgramError

B, BITS = WIDTH512.bits, 2048
NAME = pka_rsa.program(BITS, "private")
MESSAGE = 0xACE << 1900 | 5
IMAGE = pka.image(WIDTH512)
CYCLES = pka.CYCLES512[NAME]


@dataclass
class State:
    """A run's rows where the program is at an address, outside of loops and calls."""

    rows: dict[int, int]
    address: int
    instructions: int = 0
    """From there to the end."""


@pytest.fixture(scope="module")
def states() -> tuple[State, State]:
    """Return the states at the beginning and in front of the public operation."""
    machine = started(random.Random(1))
    entry = IMAGE.entries[NAME]
    prepare = IMAGE.entries["prepare4"]
    last = next(
        n
        for n, word in enumerate(IMAGE.code[entry:], entry)
        if word.name == "call" and word.target == prepare
    )
    begin, end = State(dict(machine.rows), entry), State({}, last)

    def watch(cycle: int, word: Word, clock: object) -> None:
        begin.instructions += 1
        if machine.pc == last:
            end.rows, end.instructions = dict(machine.rows), 0
        end.instructions += 1

    machine.watch = watch
    assert not machine.run(entry).flag
    return begin, end


def started(rng: random.Random) -> Machine:
    rows = pka_rsa.rows(some_key(BITS).inputs(MESSAGE), BITS)
    return pka.started(rows, iter(lambda: rng.getrandbits(B), -1), WIDTH512)


def outcome(state: State, seed: int, counter: bool = False) -> str:
    """Run on from a state with a bit upset, of a row or of the program's counter."""
    rng = random.Random(seed)
    machine = started(rng)
    machine.rows = dict(state.rows)
    edge = min(400, state.instructions)
    when = rng.choice(
        (
            rng.randrange(state.instructions),
            rng.randrange(edge),
            state.instructions - rng.randrange(edge),
        )
    )
    rows = [row for row in IMAGE.names.values() if row not in range(8)]
    row, bit, count = rng.choice(rows), rng.randrange(B), 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        if count == when and counter:
            machine.pc ^= 1 << bit % 12
        elif count == when:
            machine.rows[row] = machine.rows.get(row, 0) ^ 1 << bit

    machine.watch = watch
    try:
        ended = machine.run(state.address, limit=2 * CYCLES)
    except ProgramError:
        return "fault"
    found = [machine.rows.get(IMAGE.names["result"] + n, 0) for n in range(BITS // B)]
    if ended.flag:
        return "refused"
    if not all(found):
        return "fault"  # of several rows the engine gives none that is zero
    right = sum(value << B * n for n, value in enumerate(found))
    return "right" if right == some_key(BITS).private(MESSAGE) else "wrong"


def check(state: State, runs: int, counter: bool = False) -> Counter[str]:
    ends = Counter(outcome(state, seed, counter) for seed in range(runs))
    assert ends["right"] and ends["refused"], ends
    return ends


def test_upsets_behind_the_powers(states):
    assert not check(states[1], 100)["wrong"]


@pytest.mark.soak
def test_upsets_behind_the_powers_long(states):
    assert not check(states[1], 5000)["wrong"]


@pytest.mark.soak
def test_upsets(states):
    assert not check(states[0], 1000)["wrong"]


def test_jumps_behind_the_powers(states):
    """Who comes right in front of the program's end is not found."""
    assert check(states[1], 100, counter=True)["wrong"] <= 1


@pytest.mark.soak
def test_jumps(states):
    for state in states:
        assert check(state, 500, counter=True)["wrong"] <= 5


def test_any_jump(states):
    """From in front of the public operation to each instruction: nothing wrong comes out."""
    wrong = []
    right = some_key(BITS).private(MESSAGE)
    for address in range(len(IMAGE.code)):
        machine = started(random.Random(2))
        machine.rows = dict(states[1].rows)
        try:
            ended = machine.run(address, limit=200)
        except ProgramError:
            continue
        found = [machine.rows.get(IMAGE.names["result"] + n, 0) for n in range(8)]
        if not ended.flag and any(found):
            assert found[0] != right & (1 << B) - 1 or not all(found[:4])
            wrong.append(address)
    assert not wrong
