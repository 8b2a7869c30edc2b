"""Pause: a source that offers nothing is as if ``src`` did so, or the engine stands still."""

from collections.abc import Iterable, Mapping

from cryptile.prove.engines.replay import Replay
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group


def is_pause_of_src(proof: Replay, net: int, fixed: Mapping[int, int]) -> None:
    """With a net low nothing differs from what follows if ``src`` offers nothing."""
    (valid,) = proof.netlist.inputs["src_valid_i"]
    proof.case(fixed, {valid: ZERO})
    changed = proof._propagate({valid: proof.asked[valid], net: ZERO})
    _no_difference(proof, changed, f"{proof.netlist.names[net]} low is no pause of src")


def is_unread(proof: Replay, net: int, fixed: Mapping[int, int], where: str) -> None:
    """With a net low nothing differs."""
    proof.case(fixed)
    changed = proof._propagate({net: ZERO})
    _no_difference(proof, changed, f"{proof.netlist.names[net]} is read in {where}")


def _no_difference(proof: Replay, changed: Mapping[int, int], text: str) -> None:
    nets = [
        *proof.next.values(),
        *(net for port in proof.netlist.outputs.values() for net in port),
    ]
    for net in nets:
        if net in changed and not proof.search.equal(changed[net], proof.good[net]):
            proof.verdict.findings.append(text)
            return


def stands_still(
    proof: Replay, net: int, fixed: Mapping[int, int], rests: Iterable[Group], where: str
) -> None:
    """With a net low no handshake is made but at ``dst``, and some registers rest."""
    (clear,) = proof.netlist.inputs["clear_i"]
    proof.case(fixed, {net: ZERO, clear: ZERO})
    moves = ["src_ready_o", "key_ready_o", "job_ready_o", "done_valid_o"]
    if any(proof.search.possible(proof.good[proof.netlist.outputs[name][0]]) for name in moves):
        proof.verdict.findings.append(f"{where} has a handshake in a pause")
    for group in rests:
        for flop in group.flops:
            if not proof.search.equal(proof.good[proof.next[flop]], proof.good[flop]):
                proof._find(group, f"moves in a pause in {where}")
                break


def is_read_only(proof: Replay, word: str, readers: Iterable[Group], when: int, text: str) -> None:
    """Show that outputs and some registers read a word only while a form is one."""
    nets = [net for port in proof.netlist.outputs.values() for net in port]
    nets += [proof.next[flop] for group in readers for flop in group.flops]
    values = {net: proof.forms.variable() for net in proof.netlist.aliases[word]}
    changed = proof._propagate(values)
    for net in nets:
        if net in changed and proof.search.possible(
            proof.forms.sum(changed[net], proof.good[net]), when ^ ONE
        ):
            proof.verdict.findings.append(text)
            return
