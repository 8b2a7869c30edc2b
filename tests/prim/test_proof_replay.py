"""The proof of ChaCha20-Poly1305, whose words are made again; it fails if a check is deleted."""

import dataclasses

import pytest

from cryptile.commands import prove as command
from cryptile.designs import load as designs
from cryptile.errors import UsageError
from cryptile.netlist.gates import ONE, ZERO, Gate
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.chacha20poly1305.correct import CorrectProof
from cryptile.prove.engines.chacha20poly1305.registers import without_arithmetic
from cryptile.prove.upset import Verdict

STREAM, MAC = "u_keystream.", "gen_poly1305.u_poly1305."
CORE, STD, RING = (f"{STREAM}gen_{core}.u_core." for core in ("opt", "std", "ring"))


def made(variant):
    design = designs.load("chacha20poly1305", variant, "correct")
    return design, without_arithmetic(netlist(design.source))


@pytest.fixture(scope="module")
def made_opt():
    return made("opt")


@pytest.fixture(scope="module")
def design(made_opt):
    return made_opt[0]


@pytest.fixture(scope="module")
def engine(made_opt):
    return made_opt[1]


@pytest.fixture(scope="module")
def std():
    """A quarter round per step, whose whole proof takes a minute: for ``make soak``, as it is."""
    return made("std")[1]


@pytest.fixture(scope="module")
def wide():
    """The ring, whose netlist and proof take minutes: for ``make soak``."""
    return made("wide")[1]


def deleted(engine, nets):
    """Drive some nets by another net instead of by their gate."""
    gates = tuple(
        Gate("buf", (nets[gate.output],), gate.output) if gate.output in nets else gate
        for gate in engine.netlist.gates
    )
    assert gates != engine.netlist.gates
    return dataclasses.replace(engine, netlist=dataclasses.replace(engine.netlist, gates=gates))


def unread(engine, name, output, value, place=0):
    """Let what makes a net, two gates deep, read a constant for another net or its inverse."""
    (net,), target = engine.netlist.aliases[name], engine.netlist.aliases[output][place]
    drivers = engine.netlist.drivers
    near = {target, *(place for place in drivers[target].inputs if place in drivers)}
    constants = {net: value}
    constants |= {
        place: 1 - value
        for gate in (drivers[place] for place in near)
        for place in gate.inputs
        if drivers.get(place) == Gate("not", (net,), place)
    }
    gates = tuple(
        dataclasses.replace(
            gate, inputs=tuple(constants.get(place, place) for place in gate.inputs)
        )
        if gate.output in near and gate.kind != "not"
        else gate
        for gate in engine.netlist.gates
    )
    assert gates != engine.netlist.gates
    return dataclasses.replace(engine, netlist=dataclasses.replace(engine.netlist, gates=gates))


@pytest.mark.parametrize(
    "variant",
    ["opt", *(pytest.param(word, marks=pytest.mark.soak) for word in ("std", "wide", "pipelined"))],
)
def test_an_upset_changes_nothing_but_time(variant):
    design, engine = made(variant)
    verdict = CorrectProof(engine, "correct", design.log).run()
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
    assert not CorrectProof(mutant, "correct", design.log).run(part).holds


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
    assert not CorrectProof(mutant, "correct", design.log).run(part).holds


def test_a_pause_must_be_heeded(design, engine):
    mutant = unread(engine, f"{STREAM}row_valid_o", f"{STREAM}row_fire", ONE)
    assert not CorrectProof(mutant, "correct", design.log).run("pauses").holds


def test_no_voter_can_be_deleted(design, engine):
    aliases, register = engine.netlist.aliases, f"{MAC}u_x."
    voted = aliases[f"{register}gen_correct.u_vote.q_o"]
    copy = aliases[f"{register}gen_correct.gen_copy[0].u_copy.copy_q"]
    mutant = deleted(engine, dict(zip(voted, copy, strict=True)))
    assert not CorrectProof(mutant, "correct", design.log).run("elsewhere").holds


def test_no_decoder_can_be_deleted(design, engine):
    aliases = engine.netlist.aliases
    names = (f"gen_key[0].u_key.{name}" for name in ("q_o", "gen_grid.data_q"))
    mutant = deleted(engine, dict(zip(*(aliases[name] for name in names), strict=True)))
    assert not CorrectProof(mutant, "correct", design.log).run("elsewhere").holds


def fails(mutant, design, part):
    return not CorrectProof(mutant, "correct", design.log).run(part).holds


def first_bit(engine, name):
    """Without the check of one part: an operand of std, a stage of the ring."""
    return deleted(engine, {engine.netlist.aliases[name][0]: ZERO})


@pytest.mark.soak
def test_std_checks_every_operand(design, std):
    assert fails(first_bit(std, f"{STD}wrong"), design, "core")


@pytest.mark.soak
def test_std_begins_again(design, std):
    assert fails(unread(std, f"{STREAM}flush", f"{STD}step", ZERO), design, "core")


@pytest.mark.soak
def test_std_counts_its_steps(design, std):
    assert fails(unread(std, f"{STD}step", f"{STD}count_d", ZERO), design, "contents")


@pytest.mark.soak
def test_every_stage_of_a_ring_is_checked(design, wide):
    assert fails(first_bit(wide, f"{RING}wrong"), design, "core")


@pytest.mark.soak
def test_every_stage_of_a_ring_begins_again(design, wide):
    mutant = unread(wide, f"{STREAM}flush", f"{RING}valid_d", ZERO, place=3)
    assert fails(mutant, design, "core")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "output", "value"),
    [
        (f"{RING}again", f"{RING}in_ready_o", ZERO),
        (f"{RING}advance", f"{RING}in_ready_o", ONE),
    ],
)
def test_blocks_of_a_ring_do_not_meet(design, wide, name, output, value):
    assert fails(unread(wide, name, output, value), design, "contents")


@pytest.mark.parametrize(
    "core", ["engine", *(pytest.param(core, marks=pytest.mark.soak) for core in ("std", "wide"))]
)
def test_blocks_are_counted(design, core, request):
    engine = request.getfixturevalue(core)
    mutant = deleted(engine, dict.fromkeys(engine.netlist.aliases[f"{STREAM}in_fire"], ZERO))
    assert fails(mutant, design, "step")


def test_a_stream_without_a_buffer_is_refused(engine):
    aliases = {name: nets for name, nets in engine.netlist.aliases.items() if "full_q" not in name}
    with pytest.raises(UsageError, match="without a buffer"):
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
