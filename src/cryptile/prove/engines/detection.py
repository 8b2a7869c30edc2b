"""Detection: one wrong bit of what is made again is noticed in the cycle in which it is used."""

from cryptile.prove.engines.replay import Place, Replay, Source
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.upset import Overlay


def noticed(proof: Replay, source: Source) -> None:
    """Every flip of what is in use raises the signal, or is handed on as one wrong bit."""
    cone = proof._cone(source.signal)
    for case in source.cases:
        proof.case(case)
        for place in source.places:
            (used,) = proof.held((place.used,))
            for flop in place.group.flops:
                changed = proof._propagate({flop: proof.good[flop] ^ ONE}, cone)
                told = changed.get(source.signal, ZERO)
                if told not in (used, ZERO):
                    proof._find(place.group, f"an upset of {place.name} is not always noticed")
                    return
                if told == ZERO and (text := _harm(proof, flop)):
                    proof.verdict.findings.append(f"{proof.names[flop]}: not noticed, {text}")
                    return


def _harm(proof: Replay, flop: int) -> str:
    """Say what speaks against it that a flip is one wrong bit of what is made again still."""
    changed = proof._propagate(proof._log_values | {flop: proof.good[flop] ^ ONE})
    handed = proof.touched(changed)
    for text in proof.effects({flop, *handed}, changed):
        return text
    differences = [
        proof.forms.sum(changed[proof.next[other]], proof.good[proof.next[other]])
        for other in handed
    ]
    for place, first in enumerate(differences):
        if any(proof.search.possible(first, second) for second in differences[place + 1 :]):
            return "becomes several wrong bits"
    return ""


def unused(proof: Replay, place: Place) -> None:
    """Whatever an empty place holds changes nothing but places that are empty in the next cycle.

    One wrong bit stays one in its own place, and all others are sound. So it is true of all empty
    places at once: what they hold is changed one place after the other.
    """
    proof.case(dict.fromkeys(place.used.flops, ZERO))
    own = dict.fromkeys(place.group.flops)
    changed = proof._propagate(proof._log_values | {flop: proof.anything[flop] for flop in own})
    handed = set(proof.touched(changed))
    for text in proof.effects({*own, *handed}, changed):
        proof.verdict.findings.append(f"{place.name}: not in use, {text}")
        return
    now = Overlay(changed, proof.good)
    for other in proof.places:
        (later,) = proof.coming((other.used,))
        taken = handed.intersection(other.group.flops)
        for flop in taken:
            net = proof.next[flop]
            if proof.search.possible(proof.forms.sum(now[net], proof.good[net]), later):
                proof._find(other.group, f"takes what {place.name} holds when it is not in use")
                return
        if taken and other is not place and not proof._sound(other.group, now):
            proof._find(other.group, f"is not sound behind what {place.name} holds")
            return
    variables = {proof.anything[flop]: flop for flop in own}
    for flop in handed.intersection(own):
        net = proof.next[flop]
        read = proof.forms.support(proof.forms.sum(changed[net], proof.good[net]))
        if any(variables.get(variable, flop) != flop for variable in read):
            proof._find(place.group, f"{place.name}: not in use, wrong bits spread")
            return
