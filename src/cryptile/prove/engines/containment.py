"""Containment: what is known to be wrong does nothing but to begin again."""

from collections.abc import Iterable, Mapping

from cryptile.prove.engines.replay import Replay, Source
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.upset import Overlay


def contained(
    proof: Replay,
    source: Source,
    told: str,
    *,
    fixed: Mapping[int, int] | None = None,
    empty: Iterable[Group] = (),
    again: Iterable[int] = (),
    unbounded: Iterable[Group] = (),
) -> None:
    """With the signal up the source pauses, whatever it holds, and begins again.

    Args:
        proof: the proof.
        source: the source.
        told: net that must be up, and be reported as an upset that was corrected.
        fixed: values of flip-flops in the states that are looked at.
        empty: what must be zero in the next state.
        again: flip-flops of other sources, to which this one hands on what it holds.
        unbounded: a register whose bound is an assumption.
    """
    proof.case(fixed or {}, {} if source.pause is None else {source.pause: ZERO})
    changes = proof._log_values | {flop: proof.anything[flop] for flop in source.flops}
    changes[source.signal] = ONE
    changed = proof._propagate(changes)
    # What is held makes the signal, so there are states in which it is never up.
    proof.search.require(_driven(proof, source.signal, Overlay(changed, proof.good)))
    if proof.search.possible(changed.get(proof.alarm, ZERO)):
        proof.verdict.findings.append(f"{source.name}: a replay ends the job")
        return
    changed = proof._propagate(changes | {proof.alarm: ZERO})
    rewritten = {*source.flops, *source.restart, *again}
    for text in proof.effects(rewritten, changed):
        proof.verdict.findings.append(f"{source.name}: wrong data {text}")
        return
    now = Overlay(changed, proof.good)
    if source.pause is not None and proof.search.possible(_driven(proof, source.pause, now)):
        proof.verdict.findings.append(f"{source.name}: does not pause when it is wrong")
    for group in dict.fromkeys(proof.home[flop] for flop in sorted(rewritten)):
        if not proof._sound(group, now):
            proof._find(group, "is not sound behind a replay")
    for group in empty:
        if any(proof.search.possible(now[proof.next[flop]]) for flop in group.flops):
            proof._find(group, "does not begin again")
    proof.all_in_bounds(now, unbounded)
    corrected = proof.netlist.outputs["fault_corrected_o"][0]
    if proof.search.possible(now[proof.net(told)], now[corrected] ^ ONE):
        proof.verdict.findings.append(f"{source.name}: a replay is not reported")


def _driven(proof: Replay, net: int, values: Mapping[int, int]) -> int:
    """Return what the gate of a net makes, whatever the net was taken for."""
    gate = proof.netlist.drivers[net]
    return proof._value(gate, [values[source] for source in gate.inputs])
