"""The proof holds for what is protected, and fails when anything that protects is deleted."""

import dataclasses
import json
import re
import subprocess
from pathlib import Path

import pytest
from support.mutated import mutated
from support.netlists import fails, gated

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.designs.load import Use
from cryptile.errors import UsageError
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import Source, netlist
from cryptile.project import BUILD, ROOT
from cryptile.prove.choose import proof
from cryptile.prove.ending import States, _Endings
from cryptile.prove.mutate import of_netlist
from cryptile.prove.primitives import Primitive, primitives
from cryptile.prove.upset import Proof
from cryptile.toolchain import rtl, tools
from cryptile.toolchain.cache import digest

TOY = str(ROOT / "tests/faults/toy.yaml")
LOG = [re.compile(r"^gen_faults\.u_(marks|noted|settled)\.")]
SMALL = [
    Primitive(top, tuple(sizes.items()), level)
    for level in ("correct", "detect")
    for top, sizes in (
        ("cry_reg_tmr", {"Width": 2}),
        ("cry_reg_ecc", {"Width": 8}),
        ("cry_fsm_protected", {"Width": 3}),
        ("cry_arbiter", {"Number": 3}),
        ("cry_fifo", {"Depth": 2}),
    )
]


LEVELS = ("detect", "correct")
ENGINES = {
    name: variant
    for name, variant, level in reversed(designs.protected())
    if level == LEVELS[0] and not name.startswith("tile")
}
"""Engines that are built at both, each with its first variant."""

SMALL_DETECT = {
    "Protect": "cry_protect_pkg::ProtectDetect",
    **dict.fromkeys(("EnDecrypt", "EnKey192", "EnKey256", "EnEcb"), "1'b0"),
}


def aes(level: str, **parameters: str):
    values = {"Protect": f"cry_protect_pkg::Protect{level}", **parameters}
    return netlist(Source("cry_aes_engine", rtl.resolve("cryptile:engine:aes"), values))


@pytest.mark.parametrize("primitive", primitives(), ids=lambda p: f"{p.label} {p.level}")
def test_primitive(primitive):
    verdict = proof(netlist(primitive.source), primitive.level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []


@pytest.mark.parametrize("primitive", SMALL, ids=lambda p: f"{p.label} {p.level}")
def test_nothing_in_a_primitive_can_be_deleted(primitive):
    names = []
    untold = ("detected_o", "wrong_o", "double_o") if primitive.level == "correct" else ()
    sound = netlist(primitive.source)
    for mutant in of_netlist(sound):
        name = mutant.site
        if name.endswith(untold):
            continue
        names.append(name)
        assert fails(proof(mutant.make(), primitive.level), sound), name
    assert names


def test_unprotected_registers_are_found():
    primitive = Primitive("cry_reg_tmr", (("Width", 4),), "correct")
    source = primitive.source
    plain = Source(source.top, source.sources, {"Width": "4"})
    verdict = Proof(netlist(plain), "correct").run()
    assert len(verdict.unprotected) == 4
    assert len(verdict.findings) == 4


def test_what_only_detects_does_not_correct():
    for top, sizes in (("cry_reg_tmr", {"Width": 2}), ("cry_reg_ecc", {"Width": 8})):
        primitive = Primitive(top, tuple(sizes.items()), "detect")
        assert Proof(netlist(primitive.source), "detect").run().holds
        verdict = Proof(netlist(primitive.source), "correct").run()
        assert any("noticed, not corrected" in text for text in verdict.findings)


def test_an_engine_that_only_detects_does_not_correct():
    """To call its registers a log is no way out: one wrong flip-flop would change a status."""
    for log in (LOG, [re.compile("")]):
        findings = Proof(aes("Detect"), "correct", log).run("count").findings
        assert any("u_core.state_q" in text and "not corrected" in text for text in findings)


@pytest.mark.parametrize(("name", "variant"), ENGINES.items())
def test_what_is_built_to_detect_is_not_proven_to_correct(name, variant):
    """Whatever the proof of an engine is: the level is part of it."""
    built, asked = (designs.load(name, variant, level, Use.prove) for level in LEVELS)
    findings = proof(netlist(built.source), "correct", asked.log, asked.hints).run("count").findings
    assert any("not corrected" in text or "is not built" in text for text in findings)


def test_an_alarm_is_no_correction():
    """A correction that is told as an alarm ends the job: not what is promised at this level."""
    primitive = Primitive("cry_reg_ecc", (("Width", 8),), "correct")
    design = netlist(primitive.source)
    (alarm,), (told,) = design.outputs["detected_o"], design.outputs["corrected_o"]
    gates = tuple(
        Gate("buf", (told,), alarm) if gate.output == alarm else gate for gate in design.gates
    )
    loud = dataclasses.replace(design, gates=gates)
    assert any("raises the alarm" in text for text in Proof(loud, "correct").run().findings)


@pytest.mark.parametrize(
    "alarms", [{"detected_o": 2}, {"detected_o": 1, "fault_detected_o": 1}], ids=["wide", "two"]
)
def test_an_alarm_is_one_bit(alarms):
    """Of several only one would be looked at."""
    design = netlist(Primitive("cry_reg_ecc", (("Width", 8),), "detect").source)
    (alarm,) = design.outputs["detected_o"]
    outputs = {**design.outputs, **{name: (alarm,) * width for name, width in alarms.items()}}
    with pytest.raises(UsageError, match="more than one bit of alarm"):
        Proof(dataclasses.replace(design, outputs=outputs), "detect")


def test_a_raw_word_may_be_wrong_at_a_primitive_alone():
    design = netlist(Primitive("cry_reg_ecc", (("Width", 8),), "correct").source)
    assert Proof(design, "correct").run().holds
    findings = Proof(dataclasses.replace(design, top="engine"), "correct").run().findings
    assert any("changes raw_o" in text for text in findings)


def test_an_alarm_without_an_upset_is_found():
    primitive = Primitive("cry_reg_tmr", (("Width", 2),), "detect")
    design = netlist(primitive.source)
    (alarm,), (enable,) = design.outputs["detected_o"], design.inputs["en_i"]
    drivers = design.drivers
    gates = tuple(
        Gate("or", (enable, drivers[alarm].inputs[0]), alarm) if gate.output == alarm else gate
        for gate in design.gates
    )
    verdict = Proof(dataclasses.replace(design, gates=gates), "detect").run()
    assert any("without an upset" in text for text in verdict.findings)


@pytest.mark.parametrize(
    ("counts", "told"),
    [(0, None), (1, "u_word: wrong data rewrites "), (2, "u_word: wrong data rewrites ")],
    ids=["while-it-is-used", "unseen", "unseen-from-zero"],
)
def test_a_word_must_not_rewrite_itself_while_its_alarm_is_masked(counts, told):
    sources = rtl.resolve("cryptile:common:all")
    sources.files.append(Path(__file__).with_name("masked_word.sv"))
    design = netlist(Source("masked_word", sources, {"Counts": str(counts)}))
    findings = Proof(design, "detect").run().findings
    assert any(told in text for text in findings) if told else findings == []


def test_what_a_netlist_may_be_without():
    sources = rtl.resolve("cryptile:common:all")
    sources.files.append(Path(__file__).with_name("needless.sv"))
    design = netlist(Source("needless", sources))
    found = Proof(design, "correct").needless()
    needless = {flop.name for flop in design.flip_flops if flop.q in found}
    assert {name.split(".")[0] for name in needless} == {"u_still", "u_unread"}
    assert len(needless) == 3 + 6


def test_aes_corrects():
    verdict = Proof(aes("Correct"), "correct", LOG).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() > 2500


@pytest.mark.parametrize(
    "parts",
    [
        (),
        ("EnCbc", "EnDecrypt"),
        *(pytest.param((one,), marks=pytest.mark.soak) for one in ("EnCbc", "EnCtr", "EnDecrypt")),
    ],
    ids="-".join,
)
def test_aes_detects(parts):
    """Whatever is built: what is not leaves registers that never change."""
    design = designs.load("aes", None, "detect")
    engine = aes("Detect", **dict.fromkeys(parts, "1'b0"))
    verdict = Proof(engine, "detect", design.log, design.hints).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert (verdict.ending.wiped, verdict.ending.cycles) == (2, 2)
    assert not any("key" in name or "chain" in name for name in verdict.ending.kept)


@pytest.mark.soak
def test_aes_of_all_modes_detects():
    design = designs.load("aes_modes", None, "detect")
    verdict = Proof(netlist(design.source), "detect", design.log, design.hints).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert (verdict.ending.wiped, verdict.ending.cycles) == (2, 5)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "cry_aes_modes_faults.sv",
            "dst_valid_o = dst_valid_i & !fault_o;",
            "dst_valid_o = dst_valid_i;",
            "u_aux.*: wrong data lets a beat leave under the alarm",
        ),
        (
            "cry_aes_modes_finish.sv",
            "assign detected_o  = (|detected) | hash_detected;",
            "assign detected_o  = (|detected);",
            r"u_ghash\..*: an upset changes",
        ),
    ],
    ids=["a beat leaves", "GHASH is not heard"],
)
def test_aes_of_all_modes_must_heed_its_parities(file, old, new, told):
    design = designs.load("aes_modes", None, "detect")
    broken = altered(design.source, file, old, new)
    verdict = Proof(netlist(broken), "detect", design.log, design.hints).run("step", "upsets")
    assert any(re.search(told, text) for text in verdict.findings), verdict.findings


def altered(source, *change):
    """Return a design with one place of one of its files changed."""
    folder = BUILD / "proof" / digest(source.sources.files, change)
    folder.mkdir(parents=True, exist_ok=True)
    files = mutated(source.sources.files, change, folder)
    return dataclasses.replace(source, sources=dataclasses.replace(source.sources, files=files))


def toy(**outputs: str):
    """Return the toy engine at Detect and its design; some outputs are driven by an input."""
    design = designs.load(TOY, None, "detect")
    engine = netlist(design.source)
    driven = {name: engine.inputs[by] for name, by in outputs.items()}
    return dataclasses.replace(engine, outputs={**engine.outputs, **driven}), design


@pytest.mark.parametrize("part", [("step", "ending"), ("ending",)], ids="-".join)
def test_the_ending_is_shown_without_the_other_parts(part):
    engine, design = toy()
    assert Proof(engine, "detect", design.log, design.hints).run(*part).findings == []


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("dst_valid_o", "a beat leaves when clear_i comes with the alarm"),
        ("done_valid_o", "a job is done when clear_i comes with the alarm"),
        ("job_ready_o", "a job is taken when clear_i comes with the alarm"),
    ],
)
def test_clear_under_the_alarm_lets_nothing_happen(output, told):
    engine, design = toy(**{output: "clear_i"})
    findings = Proof(engine, "detect", design.log, design.hints).run("step", "ending").findings
    assert told in findings
    assert not any("in the cycle of the alarm" in text for text in findings)


def behind(engine, design):
    proof = Proof(engine, "detect", design.log, design.hints)
    proof.run("step")
    return _Endings(proof, proof._alarming())


def test_clear_behind_the_alarm_lets_nothing_leave():
    engine, design = toy(dst_valid_o="clear_i", job_ready_o="clear_i")
    ends = behind(engine, design)
    ends.promises(ends.closure(ends.alarm_cycle()))
    assert {
        "a beat leaves behind the alarm when clear_i comes",
        "a job is taken before the one that a fault ended is done when clear_i comes",
    } <= set(ends.result.findings)


def test_what_never_gets_sound_is_not_wiped(monkeypatch):
    """All flip-flops are constant, but the copies or codewords that they make up disagree."""
    engine, design = toy()
    ends = behind(engine, design)
    first = ends.alarm_cycle()
    (data,) = (group for group in ends.proof.groups if group.scope == "gen_detect.u_data.")
    loose = States(dict.fromkeys(ends.proof.names, 0), frozenset([data]))
    monkeypatch.setattr(ends, "closure", lambda states: loose)
    ends.wipe(first)
    assert ends.result.findings == ["gen_detect.u_data: is not sound behind the alarm"]


def test_what_is_constant_stays_so_behind_the_alarm():
    engine, design = toy()
    ends = behind(engine, design)
    (failed,) = (
        group
        for group in ends.proof.groups
        if group.scope == "gen_detect.u_notes." and group.flops[0] not in ends.proof.constants
    )
    ends.proof.constants |= dict.fromkeys(failed.flops, 0)
    ends.run()
    assert any("is not constant behind the alarm" in text for text in ends.result.findings)


def test_an_engine_without_an_alarm_ends_nothing():
    engine, design = toy()
    deaf = dataclasses.replace(engine, outputs={**engine.outputs, "fault_detected_o": (0,)})
    findings = Proof(deaf, "detect", design.log, design.hints).run("step", "ending").findings
    assert findings == ["the alarm never changes: no fault ends a job"]


BROKEN = {
    "the alarm does not end the job": (
        "cry_aes_engine.sv", "if (Detect & fault_now) state_d = StFault;", "",
        "not wiped|no job|a job is|another status|never be done",
    ),
    "a job that a fault ended is ok": (
        "cry_aes_engine.sv", "done_status_o = StatusFaultDetected;", "done_status_o = StatusOk;",
        "done with another status",
    ),
    "nothing is wiped": (
        "cry_aes_engine.sv", "assign wipe = clear_i | fault_now;", "assign wipe = clear_i;",
        "u_core.*is not (wiped|sound)|does not hold behind the alarm",
    ),
    "the key is not wiped": (
        "cry_aes_engine.sv", "(job_leaves | resting);", "(job_leaves | (state_d == StIdle));",
        "^u_key: is not (wiped|sound)",
    ),
    "a job without data ends twice": (
        "cry_aes_engine.sv", "(state_q != StIdle) & (state_q != StEnd) &", "(state_q != StIdle) &",
        "a job is done in the cycle of the alarm",
    ),
    "a wrong note stays when all is wiped": (
        "cry_aes_notes.sv", "(clear_i | (!valid_q & !push_i))", "(!valid_q & !push_i)",
        "^u_notes.gen_one.gen_mask.u_mask: is not wiped when clear_i comes with the alarm",
    ),
    "the job waits for ever": (
        "cry_aes_engine.sv", "!key_due & !src_due;", "!key_due & !src_due & dst_ready_i;",
        "may never be done",
    ),
    "the job ends before its message is taken": (
        "cry_aes_engine.sv", "!key_due & !src_due;", "!key_due;",
        "does not hold behind the alarm|does not hold in the next state",
    ),
    "the fault lets a beat through": (
        "cry_aes_engine.sv", "assign dst_valid_o   = data_valid | context_valid;",
        "assign dst_valid_o   = data_valid | context_valid | src_due;",
        "a beat leaves behind the alarm",
    ),
    "a job is taken before the faulty one is done": (
        "cry_aes_engine.sv", "assign job_ready_o = !clear_i & (Detect ? quiet :",
        "assign job_ready_o = !clear_i & (Detect ? quiet | fault_end :",
        "a job is taken before|does not hold",
    ),
}  # fmt: skip


MORE_BROKEN = (
    "the alarm does not end the job",
    "the key is not wiped",
    "a job without data ends twice",
    "a wrong note stays when all is wiped",
)
"""Those of which the same part of the proof finds another, too."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.soak if name in MORE_BROKEN else ()) for name in BROKEN],
)
def test_an_alarm_without_its_end_fails(name):
    """At Detect the promise is about what follows the alarm."""
    file, old, new, told = BROKEN[name]
    design = designs.load("aes", None, "detect")
    # Masks are there for decryption alone.
    parameters = {**SMALL_DETECT, "EnDecrypt": "1'b1"} if "notes" in file else SMALL_DETECT
    source = Source("cry_aes_engine", rtl.resolve("cryptile:engine:aes"), parameters)
    source = altered(source, file, old, new)
    verdict = Proof(netlist(source), "detect", design.log, design.hints).run("step", "ending")
    assert any(re.search(told, text) for text in verdict.findings), verdict.findings


@pytest.mark.parametrize(
    "lemma",
    [
        "state_q != 5",  # false
        "finished_q != 2",  # true, but does not follow from itself
    ],
)
def test_no_lemma_is_believed(lemma):
    engine = netlist(Source("cry_aes_engine", rtl.resolve("cryptile:engine:aes"), SMALL_DETECT))
    verdict = Proof(engine, "detect", LOG, Hints((lemma,))).run("start", "step")
    assert verdict.findings == [f"does not hold in the next state: {lemma}"]


@pytest.mark.parametrize("lemma", ["state_q", "nowhere_q == 1", "state_q +", "state_q[9]"])
def test_what_is_no_lemma_is_refused(lemma):
    engine = netlist(Source("cry_aes_engine", rtl.resolve("cryptile:engine:aes"), SMALL_DETECT))
    with pytest.raises(UsageError, match="lemma"):
        Proof(engine, "detect", LOG, Hints((lemma,)))


def test_what_is_not_declared_must_be_wiped():
    design = designs.load("aes", None, "detect")
    engine = netlist(Source("cry_aes_engine", rtl.resolve("cryptile:engine:aes"), SMALL_DETECT))
    kept = {p: why for p, why in design.hints.kept.items() if "u_job" not in p.pattern}
    verdict = Proof(engine, "detect", design.log, Hints(design.hints.lemmas, kept)).run("ending")
    assert any(text.startswith("u_job: is not wiped") for text in verdict.findings)


def test_what_logs_must_be_set_by_a_correction():
    """AES notes one in its job, and marks the job as it ends: here neither is ever set."""
    small = {name: "1'b0" for name in ("EnDecrypt", "EnKey192", "EnKey256")}
    sound = mutant = aes("Correct", **small)
    for flop in sound.flip_flops:
        if re.search(r"u_(marks|noted)\.", flop.name):
            mutant = gated(mutant, flop.d, "and", flop.q)
    checked = Proof(mutant, "correct", LOG)
    checked.seek({}, {})
    (found,) = checked.run("upsets").findings
    assert found.endswith("is reported, but no log notes it")


# One of each kind, of which each has a netlist: all of them would take minutes.
@pytest.mark.parametrize(
    "scope",
    [
        "u_state.u_state.",
        *(pytest.param(scope, marks=pytest.mark.soak) for scope in ("u_chain.", "u_core.u_left.")),
    ],
)
def test_no_voter_of_aes_can_be_deleted(scope):
    small = {name: "1'b0" for name in ("EnDecrypt", "EnKey192", "EnKey256")}
    hit, sound = 0, aes("Correct", **small)
    for mutant in of_netlist(sound):
        name = mutant.site
        if scope in name and "u_vote" in name:
            hit += 1
            assert fails(Proof(mutant.make(), "correct", LOG), sound), name
    assert hit == 1


def test_an_unprotected_engine_fails():
    verdict = Proof(aes("None"), "correct", LOG).run()
    assert not verdict.holds
    assert len(verdict.unprotected) == verdict.groups.total()


def test_command(tmp_path):
    command = [tools.find("cryptile"), "prove", "--protect", "correct"]
    out = tmp_path / "records.json"
    result = subprocess.run(
        [*command, "--json", str(out)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    values = [r["value"] for r in json.loads(out.read_text()) if r["metric"] == "findings"]
    assert values
    assert not any(values)


def test_command_names_what_is_wrong():
    command = [tools.find("cryptile"), "prove", "aes", "--protect", "none"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "unknown level 'none': choose from correct, detect" in result.stderr
