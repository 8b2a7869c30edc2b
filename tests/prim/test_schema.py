"""Many mutants in one netlist: each is what synthesis of it alone gives."""

import dataclasses
import random
from pathlib import Path

import pytest

from cryptile.designs import load as designs
from cryptile.errors import CryptileError
from cryptile.netlist.fold import folded
from cryptile.netlist.gates import TABLES
from cryptile.netlist.make import netlist
from cryptile.prove import equal
from cryptile.prove.mutate import of_rtl
from cryptile.prove.schema import Edit, Schema

TOY = str(Path(__file__).parents[1] / "faults" / "toy.yaml")


@pytest.fixture(scope="module")
def toy():
    return designs.load(TOY, None, "detect").source


@pytest.fixture(scope="module")
def mutants(toy):
    return [mutant for mutant in of_rtl(toy, "detect") if mutant.edit]


@pytest.fixture(scope="module")
def schema(toy, mutants):
    return Schema(toy, [mutant.edit for mutant in mutants], netlist(toy))


def simulated(design, values):
    """All outputs and next states, by name, for given inputs and flip-flops, by name."""
    nets = {0: 0, 1: 1} | {flop.q: values[flop.name] for flop in design.flip_flops}
    nets |= {
        net: values[name, place]
        for name, word in design.inputs.items()
        for place, net in enumerate(word)
    }
    for gate in design.gates:
        row = sum(nets[net] << place for place, net in enumerate(gate.inputs))
        nets[gate.output] = TABLES[gate.kind] >> row & 1
    ends = {flop.name: nets[flop.d] for flop in design.flip_flops}
    return ends | {name: [nets[net] for net in word] for name, word in design.outputs.items()}


@pytest.mark.parametrize("value", [0, 1])
def test_a_folded_netlist_does_the_same(toy, value):
    design = netlist(toy)
    known = dict.fromkeys((*design.inputs["dst_ready_i"], *design.inputs["src_i"][::3]), value)
    small = folded(design, known, [flop.name for flop in design.flip_flops])
    assert len(small.gates) < len(design.gates)
    names = [flop.name for flop in design.flip_flops]
    names += [(name, place) for name, word in design.inputs.items() for place in range(len(word))]
    nets = {(name, k): net for name, word in design.inputs.items() for k, net in enumerate(word)}
    rng = random.Random(1)
    for _ in range(50):
        values = {name: rng.getrandbits(1) for name in names}
        values |= {name: value for name, net in nets.items() if net in known}
        assert simulated(small, values) == simulated(design, values)


def test_what_reaches_no_output_is_left_out(toy):
    """Unless its name is to be kept."""
    design = netlist(toy)
    names = {flop.name for flop in design.flip_flops}
    blind = dataclasses.replace(design, outputs={})
    assert not folded(blind, {}).flip_flops
    one = design.flip_flops[0].name
    kept = {flop.name for flop in folded(blind, {}, [one]).flip_flops}
    assert one in kept <= names


def test_with_all_switches_off_nothing_is_changed(toy, schema):
    plain = netlist(toy)
    assert equal.comparable(plain, schema.off)
    assert not list(equal.Reference(plain).unequal(schema.off))


def test_a_switch_makes_what_synthesis_makes(schema, mutants):
    compared = 0
    for mutant in mutants:
        if mutant.edit not in schema:
            continue
        alone, switched = mutant.make(), schema.netlist(mutant.edit)
        if equal.comparable(alone, switched):
            compared += 1
            assert not list(equal.Reference(alone).unequal(switched)), mutant.mutation
            same = not list(equal.Reference(schema.off).unequal(switched))
            assert same or schema.is_built(mutant.edit)
    assert compared >= 15


def test_what_is_no_expression_has_no_switch(toy, mutants):
    """A constant, such as a level of protection: the others have theirs even so."""
    file = next(file for file in toy.sources.files if file.name == "toy_engine.sv")
    text = file.read_text()
    first = text.index("=", text.index("localparam")) + 1
    constant = Edit(file, first, text.index(";", first), "cry_protect_pkg::ProtectNone")
    good = next(mutant.edit for mutant in mutants if mutant.edit.file == file)
    schema = Schema(toy, [good, constant], netlist(toy))
    assert good in schema
    assert constant not in schema


def test_a_change_that_yosys_never_takes_is_told(toy, mutants, monkeypatch):
    monkeypatch.setattr("cryptile.prove.schema._wrong", lambda *_: set())
    file = mutants[0].edit.file
    first = file.read_text().index("always_ff")
    with pytest.raises(CryptileError, match=r"\.sv:\d+: ERROR: expected member"):
        Schema(toy, [Edit(file, first, first + 9, "always_comb")], netlist(toy))
