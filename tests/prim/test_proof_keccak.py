"""The proof of Keccak at Correct, whose wrong rounds are made again; it fails if a part is cut."""

import dataclasses

import pytest
from support.netlists import put_for

from cryptile.designs import load as designs
from cryptile.netlist.gates import ONE, ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.keccak.correct import CorrectProof
from cryptile.prove.engines.keccak.engine import FEED, PARITY, SPONGE, without_rounds

pytestmark = pytest.mark.soak
"""Minutes; what waits behind an alarm is proven of another engine in each `make test`."""

FIX = f"{PARITY}gen_correct."
VOTE = "u_valid.gen_correct."
SLOW = ("step", "buffer")
"""Parts of the proof that take longest."""


@pytest.fixture(scope="module")
def design():
    return designs.load("keccak", "r1", "correct")


@pytest.fixture(scope="module")
def whole(design):
    return netlist(design.source)


@pytest.fixture(scope="module")
def engine(whole):
    return without_rounds(whole)


def test_an_upset_changes_nothing_but_time(design, engine):
    """What is fast; ``cryptile prove`` runs all."""
    checked = CorrectProof(engine, "correct", design.log)
    verdict = checked.run(*(part for part in checked.parts() if part not in SLOW))
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(engine.netlist.flip_flops)
    assert any("A3" in text for text in verdict.assumptions)


@pytest.mark.soak
@pytest.mark.parametrize("variant", ["r1", "r2"])
def test_the_whole_proof_holds(variant):
    design = designs.load("keccak", variant, "correct")
    verdict = proof(netlist(design.source), "correct", design.log, design.hints).run()
    assert verdict.findings == []


def test_the_command_finds_this_proof(design, whole):
    chosen = proof(whole, "correct", design.log, design.hints)
    assert isinstance(chosen, CorrectProof)
    assert list(chosen.parts())[:2] == ["count", "step"]


CUTS = [
    (f"{SPONGE}fault", ZERO, "state"),
    (f"{PARITY}wrong", ZERO, "state"),
    ("corrected", ZERO, "state"),
    ("move", "have_q", "state"),
    (f"{PARITY}state_parity_d", f"{PARITY}state_parity_q", "step"),
    (f"{FEED}offset_d", ZERO, "step"),
    (f"{FIX}lanes_d", f"{FIX}lanes_q", "step"),
    (f"{FIX}fix", ZERO, "buffer"),
    ("move", "have_q", "start"),
    ("round_d", "round_q", "again"),
    ("ran_d", ZERO, "again"),
    ("key_fire", "key_valid_i", "pause"),
    (f"{FEED}ready_i", ONE, "pause"),
    (f"{SPONGE}keep", ZERO, "pause"),
    (f"{VOTE}voted", f"{VOTE}gen_copy[0].u_copy.copy_q", "elsewhere"),
]
"""What is driven by something else, and the part of the proof that must find it."""


def cuts():
    """All, where that part of the sound engine is proven too: two parts are for a soak."""
    for cut in CUTS:
        yield pytest.param(*cut, marks=pytest.mark.soak if cut[2] in SLOW else [])


@pytest.mark.parametrize(("name", "instead", "part"), list(cuts()))
def test_no_part_of_the_replay_can_be_cut(design, engine, name, instead, part):
    mutant = dataclasses.replace(engine, netlist=put_for(engine.netlist, name, instead))
    checked = CorrectProof(mutant, "correct", design.log)
    checked.most_findings = 1
    assert not checked.run(part).holds
