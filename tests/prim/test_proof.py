"""The proof holds for what is protected, and fails when anything that protects is deleted."""

import dataclasses
import json
import re
import subprocess

import pytest
from mutants import mutants

from cryptile import rtl, tools
from cryptile.netlist.gates import Gate
from cryptile.netlist.make import Source, netlist
from cryptile.prove.primitives import Primitive, primitives
from cryptile.prove.upset import Proof

LOG = [re.compile(r"^gen_faults\.u_(marks|noted|settled)\.")]
SMALL = [
    Primitive(top, tuple(sizes.items()), level)
    for level in ("correct", "detect")
    for top, sizes in (
        ("prim_reg_tmr", {"Width": 2}),
        ("prim_reg_ecc", {"Width": 8}),
        ("prim_fsm_protected", {"Width": 3}),
        ("prim_counter_protected", {"Width": 3}),
        ("prim_fifo_protected", {"Width": 4, "Depth": 2}),
    )
]


def aes(level: str, **parameters: str):
    values = {"Protect": f"prim_protect_pkg::Protect{level}", **parameters}
    return netlist(Source("aes_engine", rtl.resolve("cryptile:engine:aes"), values))


@pytest.mark.parametrize("primitive", primitives(), ids=lambda p: f"{p.label} {p.level}")
def test_primitive(primitive):
    verdict = Proof(netlist(primitive.source), primitive.level).run()
    assert verdict.findings == []
    assert verdict.unprotected == []


@pytest.mark.parametrize("primitive", SMALL, ids=lambda p: f"{p.label} {p.level}")
def test_nothing_in_a_primitive_can_be_deleted(primitive):
    names = []
    for name, mutant in mutants(netlist(primitive.source), primitive.level == "detect"):
        names.append(name)
        assert not Proof(mutant, primitive.level).run().holds, name
    assert names


def test_unprotected_registers_are_found():
    primitive = Primitive("prim_reg_tmr", (("Width", 4),), "correct")
    source = primitive.source
    plain = Source(source.top, source.sources, {"Width": "4"})
    verdict = Proof(netlist(plain), "correct").run()
    assert len(verdict.unprotected) == 4
    assert len(verdict.findings) == 4


def test_what_only_detects_does_not_correct():
    for top, sizes in (("prim_reg_tmr", {"Width": 2}), ("prim_reg_ecc", {"Width": 8})):
        primitive = Primitive(top, tuple(sizes.items()), "detect")
        assert Proof(netlist(primitive.source), "detect").run().holds
        verdict = Proof(netlist(primitive.source), "correct").run()
        assert any("noticed, not corrected" in text for text in verdict.findings)


def test_an_alarm_is_no_correction():
    """A correction that is told as an alarm ends the job: not what is promised at this level."""
    primitive = Primitive("prim_reg_ecc", (("Width", 8),), "correct")
    design = netlist(primitive.source)
    (alarm,), (told,) = design.outputs["detected_o"], design.outputs["corrected_o"]
    gates = tuple(
        Gate("buf", (told,), alarm) if gate.output == alarm else gate for gate in design.gates
    )
    loud = dataclasses.replace(design, gates=gates)
    assert any("raises the alarm" in text for text in Proof(loud, "correct").run().findings)


def test_an_alarm_without_an_upset_is_found():
    primitive = Primitive("prim_reg_tmr", (("Width", 2),), "detect")
    design = netlist(primitive.source)
    (alarm,), (enable,) = design.outputs["detected_o"], design.inputs["en_i"]
    drivers = design.drivers
    gates = tuple(
        Gate("or", (enable, drivers[alarm].inputs[0]), alarm) if gate.output == alarm else gate
        for gate in design.gates
    )
    verdict = Proof(dataclasses.replace(design, gates=gates), "detect").run()
    assert any("without an upset" in text for text in verdict.findings)


def test_aes_corrects():
    verdict = Proof(aes("Correct"), "correct", LOG).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() > 2500


def test_aes_detects():
    verdict = Proof(aes("Detect"), "detect", LOG).run()
    assert verdict.findings == []
    assert verdict.unprotected == []


# One of each kind: all of them would take minutes.
@pytest.mark.parametrize(
    "scope",
    ["u_state.u_state.", "u_chain.", "u_core.u_left."],
)
def test_no_voter_of_aes_can_be_deleted(scope):
    small = {name: "1'b0" for name in ("EnDecrypt", "EnKey192", "EnKey256")}
    hit = 0
    for name, mutant in mutants(aes("Correct", **small), only_detects=False):
        if scope in name and "u_vote" in name:
            hit += 1
            assert not Proof(mutant, "correct", LOG).run().holds, name
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
