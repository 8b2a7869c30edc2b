"""Inputs that part two netlists without an upset are found, and none where they do the same."""

import dataclasses

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.netlist.gates import ONE, TABLES, ZERO, FlipFlop, Gate, Netlist
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


@pytest.mark.parametrize("kind", TABLES)
def test_walks_take_gates_by_their_tables(kind):
    """A gate does what products of its inputs do for the rows where its table has a one."""
    nets = range(2, 2 + {"buf": 1, "not": 1, "mux": 3}.get(kind, 2))
    fresh = iter(range(100, 200))
    gates = []

    def gate(*inputs, kind):
        gates.append(Gate(kind, inputs, next(fresh)))
        return gates[-1].output

    def total(kind, start, terms):
        for term in terms:
            start = gate(start, term, kind=kind)
        return start

    def product(row):
        literals = [
            net if row >> place & 1 else gate(net, kind="not") for place, net in enumerate(nets)
        ]
        return total("and", ONE, literals)

    rows = [row for row in range(1 << len(nets)) if TABLES[kind] >> row & 1]
    result = total("or", ZERO, [product(row) for row in rows])
    ports = {"in_i": tuple(nets)}, {"out_o": (result,)}
    products = Netlist("top", *ports, (), tuple(gates), {}, {})
    single = dataclasses.replace(products, gates=(Gate(kind, tuple(nets), result),))
    assert walk.parting(single, products) == ""
    inverted = dataclasses.replace(
        single, gates=(*single.gates, Gate("not", (result,), 200)), outputs={"out_o": (200,)}
    )
    assert walk.parting(inverted, products) == "out_o differs 2 cycles behind power-up"


def test_a_missing_vote_shows_without_an_upset_nowhere():
    """Copies are equal without one: what only an upset shows is not called broken."""
    plain = netlist(designs.load("tile_permit", "small", "correct", Use.prove).source)
    votes = [mutant for mutant in of_netlist(plain) if mutant.site.endswith("u_vote.q_o")]
    assert len(votes) >= 3
    for mutant in votes[:3]:
        assert apart.apart(plain, mutant.make()) == ""
