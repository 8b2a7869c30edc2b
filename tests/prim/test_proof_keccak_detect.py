"""Keccak at Detect: the proof fails if what tells, ends or wipes is broken."""

import dataclasses

import pytest
from support.netlists import driven, put_for

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.netlist.gates import ONE, ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.keccak.detect import DetectProof
from cryptile.prove.engines.keccak.engine import FEED, PARITY, SPONGE, without_rounds

pytestmark = pytest.mark.soak
"""Minutes; what waits behind an alarm is proven of another engine in each `make test`."""

VOTE = "u_valid.gen_correct."


@pytest.fixture(scope="module")
def design():
    return designs.load("keccak", "r1", "detect")


@pytest.fixture(scope="module")
def whole(design):
    return netlist(design.source)


@pytest.fixture(scope="module")
def engine(whole):
    return without_rounds(whole)


def findings(engine, design, *parts, hints=None):
    checked = DetectProof(engine, hints or design.hints, design.log)
    checked.most_findings = 1
    return checked.run(*parts).findings


def test_an_upset_is_harmless_or_ends_the_job(design, whole):
    chosen = proof(whole, "detect", design.log, design.hints)
    assert isinstance(chosen, DetectProof)
    verdict = chosen.run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(whole.flip_flops)
    assert "u_control" in verdict.argument[-1]
    assert verdict.argument[-1].endswith("reaches any of these.")


@pytest.mark.soak
def test_so_it_is_with_two_rounds_per_cycle():
    design = designs.load("keccak", "r2", "detect")
    chosen = proof(netlist(design.source), "detect", design.log, design.hints)
    assert isinstance(chosen, DetectProof)
    assert chosen.run().findings == []


# Each with the part of the proof that must find it.
@pytest.mark.parametrize(
    ("name", "instead", "part"),
    [
        (f"{SPONGE}fault", ZERO, "sponge"),
        (f"{PARITY}wrong", ZERO, "sponge"),
        (f"{PARITY}buffer_parity_d", f"{PARITY}buffer_parity_q", "step"),
        (f"{FEED}offset_d", ZERO, "step"),
        ("dst_detected", ZERO, "beat"),
        ("dst_wrong", ZERO, "alarm"),
        ("detected", ZERO, "alarm"),
        ("move", "have_q", "alarm"),
        ("dst_free", ONE, "alarm"),
        ("valid_d", ONE, "alarm"),
        ("status_d", "status_q", "alarm"),
        ("wipe", "clear_i", "behind"),
        ("wipe", "clear_i", "start"),
        ("move", "have_q", "start"),
        ("state_corrected", ONE, "elsewhere"),
        (f"{VOTE}voted", f"{VOTE}gen_copy[0].u_copy.copy_q", "elsewhere"),
    ],
)
def test_what_tells_ends_or_wipes_is_needed(design, engine, name, instead, part):
    mutant = dataclasses.replace(engine, netlist=put_for(engine.netlist, name, instead))
    assert findings(mutant, design, part)


@pytest.mark.parametrize(
    ("output", "instead", "text"),
    [
        ("dst_valid_o", "valid_q", "valid_q is another one behind an alarm"),
        ("done_valid_o", "active", "a job is done under the alarm"),
    ],
)
def test_nothing_happens_under_the_alarm(design, engine, output, instead, text):
    net, given = engine.netlist.outputs[output] + engine.netlist.aliases[instead]
    mutant = dataclasses.replace(engine, netlist=driven(engine.netlist, {net: given}))
    assert any(text in finding for finding in findings(mutant, design, "alarm"))


def test_what_stays_must_be_declared(design, engine):
    assert any("is not wiped" in text for text in findings(engine, design, "behind", hints=Hints()))
