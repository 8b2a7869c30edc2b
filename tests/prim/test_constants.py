"""Which flip-flops never change."""

from cryptile.netlist.gates import ZERO, FlipFlop, Gate, Netlist
from cryptile.prove.constants import constants

CLOCK, RESET, INPUT = 2, 3, 4


def design(next_of, gates=(), **inputs):
    """Make a netlist of flip-flops by what they get behind reset, which makes them 0."""
    first = 1000
    resets = [Gate("and", (d, RESET), first + place) for place, d in enumerate(next_of.values())]
    flops = [FlipFlop(f"q{q}", first + place, q) for place, q in enumerate(next_of)]
    ports = {"clk_i": (CLOCK,), "rst_ni": (RESET,), "data_i": (INPUT,), **inputs}
    return Netlist("top", ports, {}, tuple(flops), (*gates, *resets), {}, {})


def test_what_is_held_at_its_reset_is_constant():
    """Two that hold each other are, too; a chain behind an input is none, in whatever order."""
    assert constants(design({10: 10, 11: 12, 12: 11, 20: INPUT, 21: 20, 22: 21})) == {
        10: 0,
        11: 0,
        12: 0,
    }
    assert constants(design({22: 21, 21: 20, 20: INPUT})) == {}


def test_gates_tell_what_is_known_of_their_inputs():
    """Zero and anything is zero; a counter of two bits is lost from its lowest bit on."""
    gates = (Gate("and", (10, INPUT), 30), Gate("not", (20,), 31), Gate("xor", (20, 21), 32))
    assert constants(design({10: 30, 20: 31, 21: 32}, gates)) == {10: 0}
    assert constants(design({20: ZERO, 21: 32}, gates)) == {20: 0, 21: 0}


def test_nothing_injects_upsets():
    gates = (Gate("or", (10, 5), 30),)
    assert constants(design({10: 30}, gates, inject_i=(5,))) == {10: 0}
    assert constants(design({10: 30}, gates, other_i=(5,))) == {}
