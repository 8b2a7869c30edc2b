"""The search for the order of work in Keccak's assembly."""

import random
from dataclasses import replace

import pytest

from cryptile.asm.isa import Isa
from cryptile.asm.lib import keccak
from cryptile.asm.lib.keccak import search
from cryptile.asm.lib.keccak.words32 import Order, Permutation
from cryptile.asm.schedule import Tuning

SYMBOLS = {
    "plain": "cry_keccak_f1600_asm",
    "looped": "cry_keccak_f1600_looped",
    "interleaved": "cry_keccak_f1600_interleaved_asm",
}


@pytest.mark.parametrize("isa", ["rv32im", "rv32im_zbb"])
@pytest.mark.parametrize("of", SYMBOLS)
def test_what_is_counted_is_what_the_simulator_counts(isa: str, of: str) -> None:
    """But for the call, the saved registers and a taken branch in each turn."""
    target = Isa.parse(isa)
    measured = keccak.CYCLES[SYMBOLS[of], 32][target.rotates]
    found = search.cycles(search.styles(target)[of], target, Tuning())
    assert 20 <= measured - found <= 40


def test_it_finds_its_way_back() -> None:
    """From a style that nobody chose; the same for the same seed."""
    isa, tuning = Isa.parse("rv32im"), Tuning()
    plain = Order(tuple((y, 0) for y in range(5)))
    begin = replace(search.styles(isa)["looped"], orders=(plain,), shuffle=0)
    found = list(search.search(begin, isa, tuning, 60, 1))
    counts = [cycles for cycles, _ in found]
    assert counts == sorted(set(counts), reverse=True)
    assert counts[-1] < counts[0] - 50
    assert counts[-1] == search.cycles(found[-1][1], isa, tuning)
    assert found == list(search.search(begin, isa, tuning, 60, 1))


def test_every_change_is_a_style() -> None:
    isa, rng = Isa.parse("rv32im"), random.Random(2)
    style = search.styles(isa)["interleaved"]
    for _ in range(300):
        style = search.changed(style, rng)
        for order in style.orders:
            assert sorted(order.rows) == sorted((y, half) for y in range(5) for half in range(2))
            assert sorted(order.columns) == list(range(5))
        assert len(set(style.held)) == len(style.held)


def test_a_style_is_a_routine() -> None:
    """A changed order gives other code, of as many xors."""
    isa = Isa.parse("rv32im")
    style = search.styles(isa)["plain"]
    other = replace(style, orders=(Order(style.orders[0].rows[::-1]), style.orders[1]))
    texts = []
    for chosen in (style, other):
        function = search.Function(isa, "found", prototype="", doc="", cycles="")
        Permutation(function, chosen, "constants").emit()
        texts.append([str(insn) for insn in function.insns])
    xors = [sum(line.split()[0] == "xor" for line in lines if line.split()) for lines in texts]
    assert texts[0] != texts[1]
    assert xors[0] == xors[1] > 200
