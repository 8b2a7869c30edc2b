"""The proof of three engines in step; it fails without a vote, or what brings lanes together."""

import dataclasses

import pytest

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.gates import ONE, ZERO, Gate
from cryptile.netlist.make import Source, netlist
from cryptile.prove.choose import proof
from cryptile.toolchain import rtl

SMALL = {
    "Engine": "cry_engine_select_pkg::AesIterativeAes128Enc",
    "Protect": "cry_protect_pkg::ProtectTmr",
}
BEHIND = "gen_tmr.u_lockstep."


@pytest.fixture(scope="module")
def engine():
    return netlist(Source("cry_engine_select", rtl.resolve("cryptile:engine:select"), SMALL))


def driven(engine, net, other):
    """Drive a net by another one instead of by its gate."""
    gates = tuple(
        Gate("buf", (other,), net) if gate.output == net else gate for gate in engine.gates
    )
    assert gates != engine.gates
    return dataclasses.replace(engine, gates=gates)


def alias(engine, name, bit=0):
    return engine.aliases[f"{BEHIND}{name}"][bit]


def test_whatever_one_lane_does_is_outvoted(engine):
    verdict = proof(engine, "tmr").run()
    assert verdict.findings == []
    assert verdict.groups.total() == len(engine.flip_flops)
    assert any("L2" in text for text in verdict.assumptions)


def test_lemmas_that_would_be_ignored_are_refused(engine):
    with pytest.raises(UsageError, match="its proof makes no use of lemmas"):
        proof(engine, "tmr", (), Hints(("state_q == 0",)))


@pytest.mark.parametrize(
    ("output", "of_one_lane"),
    [
        ("job_ready_o", "lane_job_ready_i"),
        ("key_ready_o", "lane_key_ready_i"),
        ("src_ready_o", "lane_src_ready_i"),
        ("done_valid_o", "done_q"),
        ("done_status_o", "status_q"),
        ("dst_valid_o", "full_q"),
    ],
)
@pytest.mark.parametrize("lane", [0, 2])
def test_no_vote_can_be_deleted(engine, output, of_one_lane, lane):
    width = len(engine.aliases[f"{BEHIND}{of_one_lane}"]) // 3
    other = alias(engine, of_one_lane, width * lane)
    assert not proof(driven(engine, engine.outputs[output][0], other), "tmr").run("vote").holds


@pytest.mark.parametrize(
    ("name", "bit", "value"),
    [
        ("repair", 0, ZERO),
        ("differ", 0, ZERO),
        ("all_quiet", 0, ONE),
        ("lane_clear_o", 1, ZERO),
        ("lane_job_valid_o", 2, ONE),
        ("lane_dst_ready_o", 0, ONE),
    ],
)
def test_nothing_that_brings_lanes_together_can_be_deleted(engine, name, bit, value):
    assert not proof(driven(engine, alias(engine, name, bit), value), "tmr").run().holds


def test_a_lane_that_reads_another_is_found(engine):
    other = next(flop.q for flop in engine.flip_flops if flop.name.startswith("gen_lane[1]."))
    mine = next(flop for flop in engine.flip_flops if flop.name.startswith("gen_lane[0]."))
    assert not proof(driven(engine, mine.d, other), "tmr").run("lanes").holds


def test_a_lane_that_holds_alone_does_not_make_the_others_hold(engine):
    """They held by turns until the next job: an upset of one flip-flop never healed in between."""
    fresh = max(gate.output for gate in engine.gates) + 1
    holds = engine.aliases[f"{BEHIND}hold_q"]
    differ = alias(engine, "differ")
    gates = []
    for gate in engine.gates:
        if gate.output == differ:
            gates += [
                Gate(gate.kind, gate.inputs, fresh),
                Gate("xor", (holds[0], holds[1]), fresh + 1),
                Gate("or", (fresh, fresh + 1), differ),
            ]
        else:
            gates.append(gate)
    mutant = dataclasses.replace(engine, gates=tuple(gates))
    assert not proof(mutant, "tmr").run("rest").holds
