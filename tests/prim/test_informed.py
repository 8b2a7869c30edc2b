"""What a fault need not wipe: the prover looks whether key or data reach it."""

import dataclasses

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import netlist
from cryptile.prove.informed import informed
from cryptile.prove.upset import Proof


@pytest.fixture(scope="module")
def aes():
    return designs.load("aes", None, "detect", Use.prove)


def kept(design, plain):
    """The names of registers that are declared, and of them those that are informed."""
    proof = Proof(plain, design.protect, design.log, design.hints)
    proof.begin()
    names = {
        flop: name
        for flop, name in proof.names.items()
        if any(pattern.search(name) for pattern in design.hints.kept)
    }
    return set(names.values()), {names[flop] for flop in informed(proof) & names.keys()}


def test_no_key_and_no_data_reach_what_aes_keeps(aes):
    declared, reached = kept(aes, netlist(aes.source))
    assert len(declared) > 100
    assert not reached


@pytest.mark.parametrize(("port", "bit"), [("key_i", 7), ("src_i", 140)])
def test_what_they_reach_is_found(aes, port, bit):
    """Through a register between them: its copies would be right, and what it keeps is not."""
    plain = netlist(aes.source)
    name = "u_state.u_state.gen_correct.gen_copy[0].u_copy.copy_q[0]"
    (data,) = (flop for flop in plain.flip_flops if flop.name == name)
    extra = max(gate.output for gate in plain.gates) + 1
    changed = dataclasses.replace(
        plain,
        gates=(*plain.gates, Gate("xor", (data.d, plain.inputs[port][bit]), extra)),
        flip_flops=tuple(
            dataclasses.replace(f, d=extra) if f == data else f for f in plain.flip_flops
        ),
    )
    _, reached = kept(aes, changed)
    assert data.name in reached
    assert any(name.startswith("gen_count.u_count.") for name in reached)
