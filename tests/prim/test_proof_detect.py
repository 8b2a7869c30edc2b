"""ChaCha20-Poly1305 at Detect: the proof fails if what tells, ends or wipes is broken."""

import dataclasses

import pytest
from support.netlists import first_of_each

from cryptile.designs import load as designs
from cryptile.designs.hints import Hints
from cryptile.netlist.gates import ONE, ZERO, Gate
from cryptile.netlist.make import netlist
from cryptile.prove.engines.chacha20poly1305.detect import DetectProof
from cryptile.prove.engines.chacha20poly1305.registers import without_arithmetic

STREAM, CORE = "u_keystream.", "u_keystream.gen_opt.u_core."


def made(config, variant="opt"):
    design = designs.load("chacha20poly1305", variant, "detect", config=config)
    return design, without_arithmetic(netlist(design.source))


@pytest.fixture(scope="module")
def stream():
    return made("stream")


def findings(engine, design, *parts, hints=None):
    return DetectProof(engine, hints or design.hints, design.log).run(*parts).findings


def changed(engine, change):
    """Put other gates for some."""
    gates = tuple(change(gate) for gate in engine.netlist.gates)
    assert gates != engine.netlist.gates
    return dataclasses.replace(engine, netlist=dataclasses.replace(engine.netlist, gates=gates))


def stuck(engine, name, value, place=0):
    """Let a net have one value."""
    net = engine.netlist.aliases[name][place]
    return changed(
        engine,
        lambda gate: Gate("buf", (value,), net) if gate.output == net else gate,
    )


@pytest.mark.parametrize(
    "config",
    [pytest.param("stream", id="stream"), pytest.param(None, id="engine", marks=pytest.mark.soak)],
)
def test_an_upset_is_harmless_or_ends_the_job(config):
    design, engine = made(config)
    verdict = DetectProof(engine, design.hints, design.log).run()
    assert verdict.findings == []
    assert verdict.unprotected == []
    assert verdict.groups.total() == len(engine.netlist.flip_flops)
    assert any("but for" in text and "u_params" in text for text in verdict.argument)
    assert any(text.endswith("reaches any of these.") for text in verdict.argument)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(("alarm", "behind"), id="alarm"),
        pytest.param((), id="whole", marks=pytest.mark.soak),
    ],
)
def test_so_it_is_with_a_quarter_round_per_step(parts):
    """The core then hands on the block as it holds it, with what is wrong."""
    design, engine = made(None, "std")
    assert DetectProof(engine, design.hints, design.log).run(*parts).findings == []


CUTS = [
    ("key_detected", ZERO, "quiet", "is not noticed"),
    ("params_detected", ZERO, "quiet", "is not noticed"),
    (f"{STREAM}ctr_detected", ZERO, "quiet", "is not noticed"),
    (f"{CORE}fault_o", ZERO, "sources", "not noticed"),
    (f"{STREAM}row_fault", ZERO, "sources", "not noticed"),
    (f"{STREAM}fault", ZERO, "alarm", "no alarm"),
    ("fault_detected_o", ZERO, "alarm", "no alarm"),
    ("dst_wrong", ZERO, "quiet", "is not noticed"),
    ("key_wipe", ZERO, "behind", "is not wiped"),
    (f"{STREAM}flush", ZERO, "behind", "stays"),
    ("active", ONE, "idle", "at rest"),
]
"""Each with the part of the proof that must find it: the whole takes long."""


@pytest.mark.parametrize(
    ("name", "value", "part", "text"), list(first_of_each(CUTS, 2, 3, others=pytest.mark.soak))
)
def test_what_tells_ends_or_wipes_is_needed(stream, name, value, part, text):
    design, engine = stream
    assert any(text in finding for finding in findings(stuck(engine, name, value), design, part))


def test_what_is_wrong_does_not_leave(stream):
    """A beat is offered although its register is wrong."""
    design, engine = stream
    (valid,) = engine.netlist.outputs["dst_valid_o"]
    waits = engine.netlist.aliases["dst_valid_q"][0]
    mutant = changed(
        engine, lambda gate: Gate("buf", (waits,), valid) if gate.output == valid else gate
    )
    assert any("a wrong beat leaves" in text for text in findings(mutant, design, "alarm"))


def test_what_stays_must_be_declared(stream):
    design, engine = stream
    kept = {
        pattern: why
        for pattern, why in design.hints.kept.items()
        if "u_params" not in pattern.pattern
    }
    found = findings(engine, design, "behind", hints=Hints(kept=kept))
    assert any(text.startswith("params") and "is not wiped" in text for text in found)


RING = "u_keystream.gen_ring.u_core."


@pytest.fixture(scope="module")
def ring():
    return made("stream", "wide")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(("alarm", "behind", "ring"), id="alarm"),
        pytest.param((), id="whole", marks=pytest.mark.soak),
    ],
)
def test_zeros_push_out_what_is_in_a_ring(ring, parts):
    design, engine = ring
    verdict = DetectProof(engine, design.hints, design.log).run(*parts)
    assert verdict.findings == []
    assert any("wiped 7 clocks behind the alarm" in text for text in verdict.argument)


@pytest.mark.soak
@pytest.mark.parametrize("variant", ["wide", "pipelined"])
def test_a_ring_with_poly1305_ends_the_job(variant):
    design, engine = made(None, variant)
    assert DetectProof(engine, design.hints, design.log).run().findings == []


RING_CUTS = [
    (f"{RING}load", ONE, "ring", "is not pushed out"),
    (f"{RING}again", ONE, "ring", "is not pushed out"),
    # The same parts of the proof find the like of these in a stream without a ring.
    pytest.param(f"{RING}fault_o", ZERO, "sources", "not noticed", marks=pytest.mark.soak),
    pytest.param(f"{STREAM}flush", ZERO, "behind", "stays", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("name", "value", "part", "text"), RING_CUTS)
def test_what_pushes_out_is_needed(ring, name, value, part, text):
    design, engine = ring
    assert any(text in finding for finding in findings(stuck(engine, name, value), design, part))


def test_what_zero_becomes_must_be_zero(ring):
    """A step that does not keep zero leaves in the ring what nobody knows."""
    design, engine = ring
    name = "gen_stage[2].column"
    gates = engine.inside[f"{RING}{name}"]
    last = next(gate for gate in reversed(gates) if gate.kind in ("xor", "xnor"))
    other = dataclasses.replace(last, kind="xnor" if last.kind == "xor" else "xor")
    inside = {**engine.inside, f"{RING}{name}": tuple(other if g == last else g for g in gates)}
    mutant = dataclasses.replace(engine, inside=inside)
    assert any("zero is not followed by zero" in text for text in findings(mutant, design, "ring"))
