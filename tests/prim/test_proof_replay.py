"""The proof of ChaCha20-Poly1305, whose words are made again; it fails if a check is deleted."""

import dataclasses

import pytest

from cryptile.commands import prove as command
from cryptile.errors import UsageError
from cryptile.faults import designs
from cryptile.netlist.gates import ONE, ZERO, Gate
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.chacha20poly1305.proof import EngineProof
from cryptile.prove.engines.chacha20poly1305.registers import without_arithmetic
from cryptile.prove.upset import Verdict

STREAM, CORE, MAC = "u_keystream.", "u_keystream.gen_opt.u_core.", "gen_poly1305.u_poly1305."


@pytest.fixture(scope="module")
def design():
    return designs.load("chacha20poly1305", "opt", "correct")


@pytest.fixture(scope="module")
def engine(design):
    return without_arithmetic(netlist(design.source))


def deleted(engine, nets):
    """Drive some nets by another net instead of by their gate."""
    gates = tuple(
        Gate("buf", (nets[gate.output],), gate.output) if gate.output in nets else gate
        for gate in engine.netlist.gates
    )
    assert gates != engine.netlist.gates
    return dataclasses.replace(engine, netlist=dataclasses.replace(engine.netlist, gates=gates))


def unread(engine, name, output, value):
    """Let the gate of a net read a constant instead of another net or its inverse."""
    (net,), (target,) = engine.netlist.aliases[name], engine.netlist.aliases[output]
    drivers = engine.netlist.drivers
    gate = drivers[target]
    inverse = {place for place in gate.inputs if drivers.get(place) == Gate("not", (net,), place)}
    inputs = tuple(
        value if place == net else 1 - value if place in inverse else place for place in gate.inputs
    )
    assert inputs != gate.inputs
    gates = tuple(
        dataclasses.replace(gate, inputs=inputs) if other is gate else other
        for other in engine.netlist.gates
    )
    return dataclasses.replace(engine, netlist=dataclasses.replace(engine.netlist, gates=gates))


def test_an_upset_changes_nothing_but_time(design, engine):
    verdict = EngineProof(engine, "correct", design.log).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(engine.netlist.flip_flops)
    assert any("A3" in text for text in verdict.assumptions)


# Each with the part of the proof that must find it: the whole takes long.
@pytest.mark.parametrize(
    ("name", "part"),
    [
        (f"{CORE}fault_o", "core"),
        (f"{CORE}stepped_checks", "step"),
        (f"{STREAM}row_fault", "block"),
        (f"{MAC}acc_fault", "product"),
    ],
)
def test_no_check_can_be_deleted(design, engine, name, part):
    mutant = deleted(engine, dict.fromkeys(engine.netlist.aliases[name], ZERO))
    assert not EngineProof(mutant, "correct", design.log).run(part).holds


@pytest.mark.parametrize(
    ("name", "output", "part"),
    [
        (f"{STREAM}fault", f"{STREAM}flush", "core"),
        (f"{STREAM}flush", f"{STREAM}gen_buffer.full_d", "core"),
        (f"{STREAM}row_fault", f"{STREAM}row_valid_o", "block"),
        (f"{MAC}acc_fault", f"{MAC}last", "product"),
        (f"{STREAM}last_fire", f"{CORE}out_ready_i", "contents"),
    ],
)
def test_a_fault_must_be_heeded(design, engine, name, output, part):
    mutant = unread(engine, name, output, ZERO)
    assert not EngineProof(mutant, "correct", design.log).run(part).holds


def test_a_pause_must_be_heeded(design, engine):
    mutant = unread(engine, f"{STREAM}row_valid_o", f"{STREAM}row_fire", ONE)
    assert not EngineProof(mutant, "correct", design.log).run("pauses").holds


def test_no_voter_can_be_deleted(design, engine):
    aliases, register = engine.netlist.aliases, f"{MAC}u_x."
    voted = aliases[f"{register}gen_correct.u_vote.q_o"]
    copy = aliases[f"{register}gen_correct.gen_copy[0].u_copy.copy_q"]
    mutant = deleted(engine, dict(zip(voted, copy, strict=True)))
    assert not EngineProof(mutant, "correct", design.log).run("elsewhere").holds


def test_no_decoder_can_be_deleted(design, engine):
    aliases = engine.netlist.aliases
    names = (f"gen_key[0].u_key.{name}" for name in ("q_o", "gen_grid.data_q"))
    mutant = deleted(engine, dict(zip(*(aliases[name] for name in names), strict=True)))
    assert not EngineProof(mutant, "correct", design.log).run("elsewhere").holds


def test_other_variants_are_not_mistaken_for_it(engine):
    aliases = {name: nets for name, nets in engine.netlist.aliases.items() if CORE not in name}
    with pytest.raises(UsageError, match="variant 'opt' at level 'correct'"):
        proof(dataclasses.replace(engine.netlist, aliases=aliases), "correct")


def test_the_command_prints_what_was_shown_and_what_is_assumed(capsys):
    verdict = Verdict("engine", argument=("an argument",), assumptions=("A3: an assumption",))
    command.print_verdicts([("engine opt", "correct", verdict)])
    out = capsys.readouterr().out
    assert "engine opt correct, shown:\n  an argument" in out
    assert "engine opt correct, assumed:\n  A3: an assumption" in out
    verdict.findings.append("a finding")
    command.print_verdicts([("engine opt", "correct", verdict)])
    out = capsys.readouterr().out
    assert "an argument" not in out
    assert "engine opt correct: a finding" in out
