"""The search behind the ``Style`` of each 32-bit variant: random changes, the best one is kept.

    .venv/bin/python -m cryptile.asm.lib.keccak.search --isa rv32im --of plain --tries 2000 --seed 1

It begins at the style that the generators have, and prints each better one: some 30 tries a second.
A found style goes into ``__init__.py``, with the cycles that the simulator then counts.
"""

import random
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from cryptile.asm.code import Insn, Kind
from cryptile.asm.function import Function
from cryptile.asm.isa import Isa
from cryptile.asm.lib import keccak
from cryptile.asm.lib.keccak.words32 import WORDS, Order, Permutation, Style
from cryptile.asm.schedule import Tuning, schedule, stalls

ROUNDS = 24
Item = TypeVar("Item")
_SHUFFLES = 100_000
_MOST_AHEAD = 10


def styles(isa: Isa) -> dict[str, Style]:
    """Return the styles that the generators have for an instruction set, by a word."""
    return {
        "plain": keccak.PLAIN,
        "looped": keccak.LOOPED,
        "interleaved": keccak.INTERLEAVED_ROTATES if isa.rotates else keccak.INTERLEAVED,
    }


def cycles(style: Style, isa: Isa, tuning: Tuning) -> int:
    """Return the cycles of a permutation but for calls, saved registers and taken branches."""
    function = Function(isa, "found", prototype="", doc="", cycles="")
    Permutation(function, style, "constants").emit()
    insns = schedule(function.insns, tuning)
    ends = [place for place, insn in enumerate(insns) if insn.kind is Kind.FIXED and _is_turn(insn)]
    begin, end = ends[0], ends[-1] + 1
    turns = ROUNDS // len(style.orders)
    parts = ((insns[:begin], 1), (insns[begin:end], turns), (insns[end:], 1))
    return sum(times * (_count(part) + stalls(part, tuning)) for part, times in parts)


def _is_turn(insn: Insn) -> bool:
    """Tell the label of the loop, and the branch that goes back to it."""
    text = str(insn)
    return "round" in text and (text.endswith(":") or "bnez" in text)


def _count(insns: list[Insn]) -> int:
    return sum(not str(insn).endswith(":") for insn in insns)


def changed(style: Style, rng: random.Random) -> Style:
    """Return a style with one thing changed at random. Every order of work is right."""
    what = rng.randrange(4)
    if what == 0:
        return replace(style, shuffle=rng.randrange(_SHUFFLES))
    if what == 1:
        ahead = style.ahead + rng.choice((-1, 1))
        return replace(style, ahead=min(max(ahead, 0), _MOST_AHEAD))
    if what == 2:
        held = list(style.held)
        if held and rng.random() < 0.5:
            held.pop(rng.randrange(len(held)))
        else:
            held.insert(0, rng.choice([word for word in WORDS if word not in held]))
        return replace(style, held=tuple(held))
    orders = list(style.orders)
    place = rng.randrange(len(orders))
    rows, columns = orders[place].rows, orders[place].columns
    if rng.random() < 0.5:
        rows = _swapped(rows, rng)
    else:
        columns = _swapped(columns, rng)
    orders[place] = Order(rows, columns)
    return replace(style, orders=tuple(orders))


def _swapped(items: tuple[Item, ...], rng: random.Random) -> tuple[Item, ...]:
    """Return items of which two have changed places."""
    a, b = rng.sample(range(len(items)), 2)
    changed = list(items)
    changed[a], changed[b] = items[b], items[a]
    return tuple(changed)


def search(
    style: Style, isa: Isa, tuning: Tuning, tries: int, seed: int
) -> Iterator[tuple[int, Style]]:
    """Yield a style and its cycles, and then each that takes fewer.

    Args:
        style: where it begins.
        isa: the instruction set.
        tuning: the core.
        tries: how many changes are tried; of a better style, or of one as good, further ones.
        seed: of the random changes.
    """
    rng = random.Random(seed)
    least = cycles(style, isa, tuning)
    yield least, style
    for _ in range(tries):
        other = changed(style, rng)
        try:
            found = cycles(other, isa, tuning)
        except ValueError:  # more values at a time than registers can hold in place
            continue
        if found < least:
            yield found, other
        if found <= least:
            least, style = found, other


def main() -> None:
    """Search from the command line."""
    parser = ArgumentParser(description=__doc__, prog="python -m cryptile.asm.lib.keccak.search")
    parser.add_argument("--isa", default="rv32im")
    parser.add_argument("--of", default="plain", choices=list(styles(Isa.parse("rv32im"))))
    parser.add_argument("--tries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    isa = Isa.parse(given.isa)
    for found, style in search(styles(isa)[given.of], isa, Tuning(), given.tries, given.seed):
        print(found, style, flush=True)


if __name__ == "__main__":
    main()
