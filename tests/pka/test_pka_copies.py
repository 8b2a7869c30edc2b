"""Upsets of one copy of a row: first operands come from one memory, second ones from the other."""

import random
from collections.abc import Callable

import pytest
from support.pka_copies import Copies
from support.pka_curve import CURVES, OnCurve, each

from cryptile.pka.isa import Word


def signed(at: OnCurve, seed: int, name: str, address: int) -> bool | None:
    """Sign with the lowest bit of a row's second copy upset in front of an instruction.

    Returns whether the signature is right; None: there is none.
    """
    rng, image = random.Random(seed), at.image
    key, digest = rng.randrange(1, at.n), rng.getrandbits(at.length)
    draws = iter(lambda: rng.getrandbits(at.bits), -1)
    machine = Copies.of(at.started({"k": key, "e": digest}, draws))
    hit = False

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal hit
        machine.go_on(word)
        if machine.pc == address and not hit:
            hit = True
            machine.flip(1, image.names[name], 0)

    machine.watch = watch
    outcome = machine.run(at.entry("sign"))
    assert hit
    if outcome.flag:
        return None
    first = image.names["result"]
    return at.right(key, digest, *(machine.rows[first + n] for n in range(2)))


@each
@pytest.mark.parametrize("name", ["nonce", "c2"])
def test_lowest_bit_of_a_scalar(at, name):
    """In the midst of making the nonce odd, or in front of where the second scalar is copied."""
    image = at.image
    row, copy = image.names[name], image.names["c"]
    begin = at.entry("sign") if name == "nonce" else image.entries["base_twice"]
    address = next(
        n + (name == "nonce")
        for n, word in enumerate(image.code[begin : begin + 80], begin)
        if (name, word.name, word.b) == ("nonce", "subx", row)
        or (name, word.name, word.a, word.d) == ("c2", "and", row, copy)
    )
    # Of an even nonce the first scalar alone is even then, which its product does not show.
    ends = {signed(at, seed, name, address) for seed in range(6)}
    assert None in ends and False not in ends


def public_key(at: OnCurve, change: Callable[[Copies, int, Word], None]) -> bool | None:
    """Make a public key while a machine is changed behind instructions, given cycle and word.

    Returns whether it is right; None: there is none.
    """
    rng = random.Random(2)
    key = rng.randrange(1, at.n)
    machine = Copies.of(at.started({"k": key}, iter(lambda: rng.getrandbits(at.bits), -1)))

    def watch(cycle: int, word: Word, clock: object) -> None:
        machine.go_on(word)
        change(machine, cycle, word)

    machine.watch = watch
    outcome = machine.run(at.entry("public"))
    if outcome.flag:
        return None
    first = at.image.names["result"]
    return at.public(key) == tuple(machine.rows[first + n] for n in range(2))


@each
@pytest.mark.parametrize("copy", [0, 1])
def test_zero_of_a_public_key(at, copy):
    """A zero that is none is no number with which what was found is compared."""
    for bit in (1, 40, at.bits // 2, at.bits - 1):

        def change(machine: Copies, cycle: int, word: Word, bit: int = bit) -> None:
            if cycle == 20:
                machine.flip(copy, at.image.names["Zero"], bit)

        assert public_key(at, change) in (None, True)


@pytest.mark.parametrize("at", CURVES.values(), ids=CURVES)
def test_sign_of_an_inverse(at):
    """With the negative of 1 / Z a point of the curve would come, too."""
    names, inverse = at.image.names, at.image.names["gv"]
    changed = []

    def change(machine: Copies, cycle: int, word: Word) -> None:
        after = machine.code[machine.pc]
        if (after.name, after.d, after.a) == ("and", names["t"], inverse) and not changed:
            changed.append(cycle)
            machine.rows[inverse] = at.p - machine.rows[inverse]

    assert public_key(at, change) is None
    assert changed
    changed.append(0)
    assert public_key(at, change)
