"""Which registers of an engine hold something of its key or of its data, as long as no upset comes.

From the inputs on, cycle by cycle, in all sound states: a register is informed if what it is loaded
with depends on a bit of the key, of the data of ``src``, or of an informed register. Checks that
hold in every sound state depend on nothing, so an alarm informs of nothing.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptile.errors import UsageError
from cryptile.netlist.gates import Gate, Netlist

if TYPE_CHECKING:
    from cryptile.prove.upset import Proof

_DATA_BITS = 128
"""The highest bits of a beat of ``src``, ``data`` of ``beat_t`` (``cry_engine_pkg``)."""

_NAME = re.compile(r"(.*?)(?:\[(\d+):(\d+)\])?")


@dataclass(frozen=True)
class Informed:
    """What something of the key or of the data may reach.

    Attributes:
        flops: the flip-flops.
        public: what they are told, too, that is no secret, a few words each.
    """

    flops: frozenset[int]
    public: tuple[str, ...]

    def told(self, kept: Sequence[str], believed: Sequence[str]) -> str:
        """Name registers that stay, and those of them that are believed to hold no secret."""
        harmless = "without an upset nothing of the key or of the data reaches any of these"
        but = f" but {', '.join(believed)}" if believed else ""
        known = f", but for {', and '.join(self.public)}" if self.public else ""
        return f"{', '.join(kept)}; {harmless}{but}{known}"


def informed(proof: "Proof") -> Informed:
    """Return which flip-flops may hold something of the key or of the data.

    What a design declares as public is taken for an input.
    """
    whole = proof.netlist
    public = {name: _nets(whole, name) for name in proof.hints.public}
    proof.netlist = _with_inputs(whole, [net for nets in public.values() for net in nets])
    try:
        proof.enter_sound_state()
        coming = {flop: proof.good[data] for flop, data in proof.next.items()}
        key, src = (proof.netlist.inputs.get(name, ()) for name in ("key_i", "src_i"))
        data = _terms(proof, (proof.good[net] for net in src[-_DATA_BITS:]))
        keyed = _terms(proof, (proof.good[net] for net in key))
        found, told = _closure(proof, coming, data | keyed)
        made = {
            name: [_made(proof, whole.drivers[net]) for net in nets]
            for name, nets in public.items()
        }
        beyond = _reached(proof, told - data)
        words = [
            text
            if any(_is_told(proof, form, beyond) for form in made[name])
            else f"{text}, as it comes on src"
            for name, text in proof.hints.public.items()
        ]
    finally:
        proof.netlist = whole
    return Informed(frozenset(found), tuple(words))


def _closure(
    proof: "Proof", coming: Mapping[int, int], told: Set[int]
) -> tuple[set[int], Set[int]]:
    """Return the flip-flops that terms reach in any number of cycles, and all of theirs."""
    while True:
        reached = _reached(proof, told)
        found = {flop for flop, form in coming.items() if _is_told(proof, form, reached)}
        more = told | _terms(proof, (proof.good[flop] for flop in found))
        if more == told:
            return found, told
        told = more


def _reached(proof: "Proof", told: Set[int]) -> set[int]:
    """Return all terms that some are part of."""
    reached = set(told)
    for term, forms in proof.forms.made_of():
        if any(_is_told(proof, form, reached) for form in forms):
            reached.add(term)
    return reached


def _is_told(proof: "Proof", form: int, told: Set[int]) -> bool:
    return not told.isdisjoint(proof.forms.terms(form))


def _made(proof: "Proof", gate: Gate) -> int:
    """Return what a gate makes, whatever its output was taken for."""
    return proof._value(gate, [proof.good[net] for net in gate.inputs])


def _nets(netlist: Netlist, name: str) -> list[int]:
    """Return the nets of a name, or of some of its bits, that are driven by gates."""
    match = _NAME.fullmatch(name)
    nets = netlist.aliases.get(match[1], ()) if match else ()
    if match and match[2]:
        nets = nets[int(match[3]) : int(match[2]) + 1]
    driven = [net for net in nets if net in netlist.drivers]
    if not driven:
        raise UsageError(f"{netlist.top} has no {name}, which is said to be public")
    return driven


def _with_inputs(netlist: Netlist, nets: Sequence[int]) -> Netlist:
    """Drive some nets by inputs."""
    if not nets:
        return netlist
    first = 1 + max(max(netlist.drivers), *(flop.q for flop in netlist.flip_flops))
    fresh = {net: first + place for place, net in enumerate(nets)}
    gates = tuple(
        Gate("buf", (fresh[gate.output],), gate.output) if gate.output in fresh else gate
        for gate in netlist.gates
    )
    inputs = {**netlist.inputs, "public": tuple(fresh.values())}
    return dataclasses.replace(netlist, gates=gates, inputs=inputs)


def _terms(proof: "Proof", forms: Iterable[int]) -> set[int]:
    return {term for form in forms for term in proof.forms.terms(form)}
