"""Detection: one wrong bit of what is made again is noticed in the cycle in which it is used."""

from collections.abc import Mapping

from cryptile.prove.engines.replay import Replay, Source
from cryptile.prove.forms import ONE, ZERO


def noticed(proof: Replay, source: Source) -> None:
    """Every flip raises the signal if the register is in use, or does nothing at all."""
    cone, live = proof._cone(source.signal), proof.good[source.live]
    unseen = set()
    for flop in sorted(source.flops):
        changed = proof._propagate({flop: proof.good[flop] ^ ONE}, cone)
        if source.signal not in changed:
            unseen.add(flop)
        elif changed[source.signal] != live:
            proof._find(proof.home[flop], "an upset is not always noticed")
            return
    if unseen:
        _unseen(proof, f"{source.name}: not noticed", unseen)


def unused(proof: Replay, source: Source, fixed: Mapping[int, int]) -> None:
    """Show that nothing reads a source in states in which some flip-flops are constant."""
    proof.case(fixed)
    if proof.good[source.live] != ZERO:
        proof.verdict.findings.append(f"{source.name}: is in use when it is empty")
    _unseen(proof, f"{source.name}: not in use", set(source.flops))


def _unseen(proof: Replay, what: str, flops: set[int]) -> None:
    """Whatever some flip-flops hold changes nothing but, each by itself, them."""
    changed = proof.unread(what, flops)
    own = {proof.anything[flop].bit_length() - 1: flop for flop in flops}
    for flop in flops:
        net = proof.next[flop]
        if net in changed:
            read = proof.forms.support(changed[net] ^ proof.good[net])
            if any(bit in own and own[bit] != flop for bit in read):
                proof._find(proof.home[flop], f"{what}: wrong bits spread")
                return
