"""SHA-2 at Detect: the proof fails if what tells, ends or wipes is broken."""

import dataclasses

import pytest
from support.netlists import driven, put_for

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.netlist.gates import ONE, ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.sha2.detect import DetectProof
from cryptile.prove.engines.sha2.words import CORE

pytestmark = pytest.mark.soak
"""Minutes; what waits behind an alarm is proven of another engine in each `make test`."""

CHECKS = f"{CORE}gen_checks."
VOTE = "u_front.u_state.gen_correct."


@pytest.fixture(scope="module")
def design():
    return designs.load("sha2", None, "detect")


@pytest.fixture(scope="module")
def small(design):
    """Return the engine with words of 32 bits, and HMAC."""
    parameters = {**design.source.parameters, "EnSha512": "0"}
    return netlist(dataclasses.replace(design.source, parameters=parameters))


def findings(engine, design, *parts, hints=None):
    return DetectProof(engine, "detect", design.log, hints or design.hints).run(*parts).findings


def holds(engine, design):
    chosen = proof(engine, "detect", design.log, design.hints)
    assert isinstance(chosen, DetectProof)
    verdict = chosen.run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(engine.flip_flops)
    assert "u_jobs" in verdict.argument[-1]
    assert "reaches any of these, but for what a saved context says" in verdict.argument[-1]
    assert verdict.argument[-1].endswith("as it comes on src.")


def test_an_upset_is_harmless_or_ends_the_jobs(design, small):
    holds(small, design)


@pytest.mark.soak
def test_so_it_is_with_words_of_64_bits(design):
    holds(netlist(design.source), design)


# Each with the part of the proof that must find it.
@pytest.mark.parametrize(
    ("name", "instead", "part"),
    [
        ("control_detected", ONE, "step"),
        ("gen_key.u_enc.codeword_o", ONE, "step"),
        (f"{CHECKS}schedule_wrong", ZERO, "words"),
        (f"{CHECKS}state_wrong", ZERO, "words"),
        (f"{CHECKS}hash_wrong", ZERO, "words"),
        ("gen_key.key_wrong", ZERO, "key"),
        ("dst_wrong", ZERO, "beat"),
        (f"{VOTE}voted", f"{VOTE}gen_copy[0].u_copy.copy_q", "elsewhere"),
        ("detected", ZERO, "alarm"),
        ("kill", "clear_i", "alarm"),
        ("status_d", "status_q", "alarm"),
        ("gen_dst.dst_valid_d", ONE, "alarm"),
        ("dst_free", ONE, "back"),
        ("hand", ZERO, "front"),
        ("hand", ONE, "front"),
        (f"{CORE}schedule_en", ZERO, "wipe"),
        ("gen_key.key_shift", ZERO, "wipe"),
        (f"{CORE}hash_d", f"{CORE}hash_q", "alarm"),
    ],
)
def test_what_tells_ends_or_wipes_is_needed(design, small, name, instead, part):
    assert findings(put_for(small, name, instead), design, part)


@pytest.mark.parametrize(
    ("output", "instead", "part", "text"),
    [
        ("dst_valid_o", "gen_dst.dst_valid_q", "alarm", "a wrong beat leaves"),
        ("done_valid_o", "active", "back", "done does not come"),
        ("key_ready_o", "key_valid_i", "front", "a key is taken"),
        ("src_ready_o", "src_valid_i", "front", "a beat is taken"),
        ("job_ready_o", "job_valid_i", "front", "a job is taken"),
    ],
)
def test_nothing_else_happens_behind_an_alarm(design, small, output, instead, part, text):
    net, given = small.outputs[output] + (small.aliases.get(instead) or small.inputs[instead])
    mutant = driven(small, {net: given})
    assert any(text in finding for finding in findings(mutant, design, part))


def test_what_stays_must_be_declared(design, small):
    assert any("is not wiped" in text for text in findings(small, design, "wipe", hints=Hints()))
