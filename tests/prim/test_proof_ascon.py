"""Ascon: the proof holds at both levels, and fails if what tells, ends or wipes is broken."""

import pytest
from support.netlists import driven, gated, put_for, survivors

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.designs.load import Use
from cryptile.netlist.gates import ONE, ZERO
from cryptile.netlist.make import netlist
from cryptile.prove.choose import proof
from cryptile.prove.engines.ascon import DetectProof
from cryptile.prove.mutate import of_netlist
from cryptile.prove.near import distances
from cryptile.prove.upset import Proof

SEEN = "u_seen.gen_correct.u_vote.q_o"
"""What was corrected in this job."""

VARIANTS = ["r1", *(pytest.param(word, marks=pytest.mark.soak) for word in ("r2", "r4"))]


UPSETS = ("step", "upsets")


@pytest.fixture(scope="module")
def design():
    return designs.load("ascon", "r1", "detect", Use.prove)


@pytest.fixture(scope="module")
def engine(design):
    return netlist(design.source)


def findings(engine, design, *parts, hints=None):
    checked = DetectProof(engine, "detect", design.log, hints or design.hints)
    checked.most_findings = 1
    return checked.run(*parts).findings


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_upset_changes_nothing_outside(variant):
    design = designs.load("ascon", variant, "correct", Use.prove)
    chosen = proof(netlist(design.source), "correct", design.log, design.hints)
    assert type(chosen) is Proof
    verdict = chosen.run()
    assert verdict.findings == []
    assert verdict.unprotected == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_upset_is_harmless_or_ends_the_job(variant):
    design = designs.load("ascon", variant, "detect", Use.prove)
    engine = netlist(design.source)
    chosen = proof(engine, "detect", design.log, design.hints)
    assert isinstance(chosen, DetectProof)
    verdict = chosen.run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(engine.flip_flops)
    assert "u_control" in verdict.argument[-1]
    assert verdict.argument[-1].endswith("reaches any of these.")


# Each with the part of the proof that must find it.
@pytest.mark.parametrize(
    ("name", "instead", "part"),
    [
        ("detected", ZERO, UPSETS),
        ("detected", ZERO, "alarm"),
        ("data_detected", ZERO, UPSETS),
        ("dst_wrong", ZERO, UPSETS),
        ("dst_free", ONE, "alarm"),
        ("dst_valid_d", ONE, "alarm"),
        ("dst_valid_d", ONE, "step"),
        ("active", ONE, "alarm"),
        ("done_valid", ONE, UPSETS),
        ("wipe", ZERO, "behind"),
        ("wipe", ZERO, "start"),
    ],
)
def test_what_tells_ends_or_wipes_is_needed(design, engine, name, instead, part):
    parts = part if isinstance(part, tuple) else (part,)
    assert findings(put_for(engine, name, instead), design, *parts)


@pytest.mark.parametrize(
    ("output", "instead", "part", "text"),
    [
        ("dst_valid_o", "dst_valid_q", "alarm", "a wrong beat leaves"),
        ("job_ready_o", "dst_valid_q", "behind", "a job is taken behind the alarm"),
        ("src_ready_o", "active", "behind", "a beat is taken"),
    ],
)
def test_nothing_else_happens_under_or_behind_an_alarm(design, engine, output, instead, part, text):
    net, given = engine.outputs[output] + engine.aliases[instead]
    mutant = driven(engine, {net: given})
    assert any(text in finding for finding in findings(mutant, design, part))


def test_a_wrong_beat_is_an_effect_of_an_upset(design, engine):
    """Offered although its register is wrong, under the alarm."""
    mutant = driven(engine, {engine.outputs["dst_valid_o"][0]: engine.aliases["dst_valid_q"][0]})
    assert any("a wrong beat leave" in text for text in findings(mutant, design, *UPSETS))


def test_what_stays_must_be_declared(design, engine):
    hints = Hints(lemmas=design.hints.lemmas)
    assert any("is not wiped" in text for text in findings(engine, design, "behind", hints=hints))


@pytest.fixture(scope="module")
def correcting():
    return designs.load("ascon", "r1", "correct", Use.prove)


def first_finding(mutant, plain, design):
    checked = proof(mutant, "correct", design.log, design.hints)
    checked.seek({}, distances(plain, mutant))
    (found,) = checked.run("upsets").findings
    return found


def test_one_wrong_copy_of_a_log_is_not_seen(correcting):
    """What logs may differ, but not by an upset of its own that is corrected."""
    plain = netlist(correcting.source)
    (mutant,) = (m for m in of_netlist(plain) if m.site == SEEN)
    text = first_finding(mutant.make(), plain, correcting)
    assert text.startswith("u_seen.gen_correct.gen_copy[0]")
    assert text.endswith("changes the status")


def test_whether_an_upset_is_reported_does_not_depend_on_the_data(correcting):
    """The engine reports while a job is active: not in every state, but of all copies alike."""
    plain = netlist(correcting.source)
    (told,) = plain.aliases["gen_word[0].u_word.corrected_o"]
    copy = "gen_word[0].u_word.gen_copies.u_word.gen_correct.gen_copy[0].u_copy.copy_q"
    (data, *_) = plain.aliases[copy]
    text = first_finding(gated(plain, told, "and", data), plain, correcting)
    assert "is reported in other states" in text


def test_a_status_that_never_tells_what_was_corrected(correcting):
    plain = netlist(correcting.source)
    mute = put_for(plain, SEEN, ZERO)
    verdict = proof(mute, "correct", correcting.log, correcting.hints).run("count")
    assert verdict.findings == ["the status does not tell what was corrected"]


@pytest.mark.parametrize(
    ("kind", "other", "said"),
    [
        ("and", "clear_i", "the status never depends on the log"),
        ("andnot", SEEN, "the log is lost while the status waits"),
        ("and", SEEN, "is reported, but no log notes it"),
    ],
)
def test_a_log_that_does_not_tell_the_status(correcting, kind, other, said):
    """Gates lead from it to the status even so; the first is read, the others written wrong."""
    plain = netlist(correcting.source)
    (seen,), (voted,) = plain.aliases["u_seen.d_i"], plain.aliases[SEEN]
    (with_it,) = plain.aliases[other]
    changed = gated(plain, voted if other == "clear_i" else seen, kind, with_it)
    verdict = proof(changed, "correct", correcting.log, correcting.hints).run("count", "upsets")
    assert any(said in text for text in verdict.findings)


@pytest.mark.soak
@pytest.mark.parametrize("level", ["correct", "detect"])
def test_no_mutant_survives(level):
    assert survivors(designs.load("ascon", "r1", level, Use.prove)) == []
