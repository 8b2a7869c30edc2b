"""What a fault need not wipe: the prover looks whether key or data reach it."""

import dataclasses

import pytest

from cryptile.designs import load as designs
from cryptile.designs.load import Use
from cryptile.errors import UsageError
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.informed import Informed, informed
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
    return set(names.values()), {names[flop] for flop in informed(proof).flops & names.keys()}


def test_no_key_and_no_data_reach_what_aes_keeps(aes):
    declared, reached = kept(aes, netlist(aes.source))
    assert len(declared) > 100
    assert not reached


@pytest.mark.parametrize(("port", "bit"), [("key_i", 7), ("src_i", 140)])
def test_what_they_reach_is_found(aes, port, bit):
    """Through a register between them: its copies would be right, and what it keeps is not."""
    plain = netlist(aes.source)
    name = "u_state.u_state.gen_correct.gen_copy[0].u_copy.copy_q[0]"
    _, reached = kept(aes, told(plain, name, plain.inputs[port][bit]))
    assert name in reached
    assert any(name.startswith("gen_count.u_count.") for name in reached)


def told(plain, name, net):
    """Add another net to what a flip-flop is loaded with."""
    (data,) = (flop for flop in plain.flip_flops if flop.name == name)
    extra = max(gate.output for gate in plain.gates) + 1
    return dataclasses.replace(
        plain,
        gates=(*plain.gates, Gate("xor", (data.d, net), extra)),
        flip_flops=tuple(
            dataclasses.replace(f, d=extra) if f == data else f for f in plain.flip_flops
        ),
    )


def test_what_reaches_through_arithmetic_is_found():
    """Of a round the proof knows nothing but what it reads."""
    design = designs.load("chacha20poly1305", None, "detect", Use.prove, config="stream")
    plain = netlist(design.source)
    flop = "u_flags.gen_correct.gen_copy[0].u_copy.copy_q[0]"
    (step,) = plain.aliases["u_keystream.gen_opt.u_core.stepped"][:1]
    for changed, found in ((plain, False), (told(plain, flop, step), True)):
        engine = proof(changed, design.protect, design.log, design.hints)
        engine.begin()
        assert (flop in {engine.names[net] for net in informed(engine).flops}) == found


def test_what_is_believed_and_what_is_public_are_named():
    nothing = Informed(frozenset(), ())
    assert nothing.told(["a", "b"], []).endswith("reaches any of these")
    assert nothing.told(["a", "b"], ["b"]).endswith("reaches any of these but b")
    lengths = Informed(frozenset(), ("lengths",))
    assert lengths.told(["a"], []).endswith("reaches any of these, but for lengths")


@pytest.mark.parametrize(
    ("name", "straight", "enough"),
    [("u_pad.total_i", True, True), ("total_load", True, False), ("status_d", False, False)],
)
def test_what_is_public_is_an_input(name, straight, enough):
    """It is said if it comes straight from ``src``: what the key or registers tell does not."""
    design = designs.load("sha2", None, "detect", Use.prove)
    words_of_32_bits = {**design.source.parameters, "EnSha512": "0"}
    source = dataclasses.replace(design.source, parameters=words_of_32_bits)
    hints = dataclasses.replace(design.hints, public={name: "a length"})
    engine = proof(netlist(source), design.protect, design.log, hints)
    engine.begin()
    whole = engine.netlist
    found = informed(engine)
    assert engine.netlist is whole
    assert found.public == ("a length, as it comes on src" if straight else "a length",)
    counts = {engine.names[flop] for flop in found.flops if "u_progress" in engine.names[flop]}
    assert bool(counts) != enough


def test_what_is_public_must_be_there(aes):
    hints = dataclasses.replace(aes.hints, public={"u_state.nothing": "nothing"})
    with pytest.raises(UsageError, match=r"has no u_state\.nothing"):
        informed(proof(netlist(aes.source), "detect", aes.log, hints))


@pytest.mark.soak
@pytest.mark.parametrize("public", [True, False])
def test_of_all_modes_lengths_and_verdicts_alone_are_told(public):
    design = designs.load("aes_modes", None, "detect", Use.prove)
    if not public:
        hints = dataclasses.replace(design.hints, public={})
        design = dataclasses.replace(design, hints=hints)
    declared, reached = kept(design, netlist(design.source))
    assert len(declared) > 100
    assert bool(reached) != public
