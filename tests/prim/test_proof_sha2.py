"""The proof of SHA-2 at Correct, whose words go round past a decoder; it fails if a part is cut."""

import dataclasses

import pytest
from support.netlists import first_of_each, gated, put_for

from cryptile.designs import load as designs
from cryptile.netlist.gates import ONE, ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.sha2.correct import REPAIR, RepairProof
from cryptile.prove.engines.sha2.words import CORE

CHECKS = f"{CORE}gen_checks."


@pytest.fixture(scope="module")
def design():
    return designs.load("sha2", None, "correct")


@pytest.fixture(scope="module")
def small(design):
    """Return the engine with words of 32 bits and without HMAC."""
    parameters = {**design.source.parameters, "EnSha512": "0", "EnHmac": "0"}
    return netlist(dataclasses.replace(design.source, parameters=parameters))


def test_an_upset_changes_nothing_but_time(design, small):
    verdict = RepairProof(small, "correct", design.log).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(small.flip_flops)
    assert any("A3" in text for text in verdict.assumptions)


def test_the_command_finds_this_proof(design, small):
    chosen = proof(small, "correct", design.log, design.hints)
    assert isinstance(chosen, RepairProof)
    assert chosen.run("count", "start").findings == []


@pytest.mark.parametrize("lost", [f"{REPAIR}valid", f"{REPAIR}repair_q", f"{CORE}turned"])
def test_what_the_argument_is_about_is_built(design, small, lost):
    """Synthesis leaves out what nothing reads; without a repair nothing is proven."""
    left = {name: nets for name, nets in small.aliases.items() if name != lost}
    without = dataclasses.replace(small, aliases=left)
    found = proof(without, "correct", design.log, design.hints).run("count")
    assert found.findings[0] == f"{lost} is not built, and nothing is repaired"


@pytest.mark.soak
def test_what_is_corrected_of_the_key_is_reported(design):
    """It was not asked for: a table of mutants had a survivor."""
    mutant = put_for(netlist(design.source), "key_corrected", ZERO)
    found = RepairProof(mutant, "correct", design.log).run("elsewhere").findings
    assert found == ["gen_key.key_q[0]: an upset is never reported"]


CUTS = [
    (f"{CHECKS}schedule_wrong", ZERO, "words"),
    (f"{CHECKS}state_wrong", ZERO, "words"),
    (f"{CHECKS}hash_wrong", ZERO, "words"),
    (f"{CORE}corrected_o", ZERO, "words"),
    ("active", ONE, "words"),
    (f"{CORE}stall_o", f"{REPAIR}repair_q", "stall"),
    (f"{REPAIR}repair_d", ZERO, "stall"),
    (f"{CORE}turn_hash", ZERO, "turns"),
    (f"{CORE}turn_schedule", ZERO, "turns"),
    (f"{CORE}turned", f"{REPAIR}turning", "decoder"),
    (f"{REPAIR}valid", ONE, "decoder"),
    ("control_detected", ONE, "step"),
    (
        "u_front.u_state.gen_correct.voted",
        "u_front.u_state.gen_correct.gen_copy[0].u_copy.copy_q",
        "elsewhere",
    ),
    ("context_fire", "src_valid_i", "pause"),
]
"""Each with the part of the proof that must find it."""


@pytest.mark.parametrize(
    ("name", "instead", "part"), list(first_of_each(CUTS, 2, others=pytest.mark.soak))
)
def test_no_part_of_the_repair_can_be_cut(design, small, name, instead, part):
    mutant = put_for(small, name, instead)
    assert not RepairProof(mutant, "correct", design.log).run(part).holds


@pytest.mark.parametrize("sometimes", ["src_valid_i", "clear_i"])
def test_the_repair_begins_in_every_state(design, small, sometimes):
    """A difference that is no constant: one that was no sum was found by chance."""
    (begins,), (other,) = small.aliases[f"{REPAIR}repair_d"], small.inputs[sometimes]
    found = RepairProof(gated(small, begins, "and", other), "correct", design.log).run("stall")
    assert any("does not begin with the first turn" in text for text in found.findings)
