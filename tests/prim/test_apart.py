"""Inputs that part two netlists without an upset are found, and none where they do the same."""

import dataclasses

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.netlist.gates import ONE, ZERO, FlipFlop, Gate, Netlist
from cryptile.netlist.make import netlist
from cryptile.prove import apart, walk
from cryptile.prove.mutate import of_netlist

WIDTH = 24


def opened_by_words(count):
    """A port that opens when ``count`` words in a row were all ones, which hardly happens."""
    reset, *word = range(2, 3 + WIDTH)
    fresh = iter(range(100, 10_000))
    gates, flops = [], []

    def gate(kind, *inputs):
        gates.append(Gate(kind, inputs, next(fresh)))
        return gates[-1].output

    hit = word[0]
    for net in word[1:]:
        hit = gate("and", hit, net)
    before = hit
    for place in range(count - 1):
        q = next(fresh)
        flops.append(FlipFlop(f"q[{place}]", gate("and", reset, before), q))
        before = gate("and", q, hit)
    return Netlist(
        "top",
        {"rst_ni": (reset,), "word_i": tuple(word)},
        {"open_o": (before,)},
        tuple(flops),
        tuple(gates),
        {},
        {},
    )


def test_a_rare_sequence_of_inputs_is_found():
    door = opened_by_words(4)
    shut = dataclasses.replace(door, outputs={"open_o": (ZERO,)}, flip_flops=(), gates=())
    assert walk.parting(door, shut) == ""
    assert apart.apart(door, shut) == "open_o differs 5 cycles behind power-up, for some inputs"
    assert apart.apart(door, door) == ""


def test_what_only_differs_later_than_looked_for_is_not_claimed():
    door = opened_by_words(20)
    shut = dataclasses.replace(door, outputs={"open_o": (ZERO,)})
    assert apart.apart(door, shut) == ""


def test_what_always_differs_needs_no_search():
    door = opened_by_words(1)
    inverted = dataclasses.replace(
        door,
        gates=(*door.gates, Gate("not", door.outputs["open_o"], 9_999)),
        outputs={"open_o": (9_999,)},
    )
    assert apart.apart(door, inverted).startswith("open_o differs 2 cycles")
    stuck = dataclasses.replace(door, outputs={"open_o": (ONE,)})
    assert apart.apart(door, stuck).startswith("open_o differs 2 cycles")


def test_a_missing_vote_shows_without_an_upset_nowhere():
    """Copies are equal without one: what only an upset shows is not called broken."""
    plain = netlist(designs.load("tile_permit", "small", "correct", Use.prove).source)
    votes = [mutant for mutant in of_netlist(plain) if mutant.site.endswith("u_vote.q_o")]
    assert len(votes) >= 3
    for mutant in votes[:3]:
        assert apart.apart(plain, mutant.make()) == ""
