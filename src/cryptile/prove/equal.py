"""Whether two netlists with the same ports and flip-flops do the same, an upset included.

Compared are all outputs and the next state of all flip-flops, which are matched by their names: in
every state there is; where that fails in every sound state, and in every state that differs from a
sound one in a single flip-flop. What follows such a state is one of them again, as was proven of
both, so netlists that are equal there stay equal.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import chain

from cryptile.netlist.gates import Netlist
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.level import Level
from cryptile.prove.memory_proof import MemoryProof
from cryptile.prove.search import Search, UndecidedError
from cryptile.prove.upset import ALARMS, REPORTS, Overlay, Proof

Pair = tuple[str, int, int]
"""The name of an output or a flip-flop, and the nets that it is driven by in both netlists."""


class Kind(StrEnum):
    """How two netlists differ, in sound states with at most one upset."""

    nowhere = ""
    tells = "tells of more"
    differs = "differs"


def comparable(first: Netlist, second: Netlist) -> bool:
    """Say whether two netlists have the same ports and the same flip-flops."""
    names = [[flop.name for flop in part.flip_flops] for part in (first, second)]
    return names[0] == names[1] and same_ports(first, second)


def same_ports(first: Netlist, second: Netlist) -> bool:
    """Say whether two netlists have ports of the same names and widths."""
    ports = [
        {name: len(nets) for name, nets in [*part.inputs.items(), *part.outputs.items()]}
        for part in (first, second)
    ]
    return ports[0] == ports[1]


class Reference:
    """A netlist that many are held against: what they share with it is evaluated once."""

    def __init__(self, netlist: Netlist, down: Iterable[int] = ()) -> None:
        """Evaluate it in every state and for all inputs.

        Args:
            netlist: the netlist.
            down: nets that are known to be zero in all states that count.
        """
        self.netlist = netlist
        self._down = set(down)
        self._forms = Forms()
        self._values = {net: self._forms.variable() for net in _ends(netlist)}
        self._values |= {ZERO: ZERO, ONE: ONE}
        self._required: list[int] = []
        for gate in netlist.gates:
            inputs = [self._values[net] for net in gate.inputs]
            value = self._forms.gate(gate.kind, inputs)
            if gate.output in self._down:
                self._required.append(value ^ ONE)
                value = ZERO
            self._values[gate.output] = value

    def same(self, other: Netlist) -> bool:
        """Say whether another netlist has the same ports and flip-flops, and does the same.

        Not if a search is undecided.
        """
        try:
            return comparable(self.netlist, other) and next(self.unequal(other), None) is None
        except UndecidedError:
            return False

    def unequal(self, other: Netlist) -> Iterator[Pair]:
        """Yield what is not the same in every state that counts and for all inputs."""
        mark, search = self._forms.mark(), Search(self._forms)
        for form in self._required:
            search.require(form)
        try:
            values = self._values_in(other, search)
            for name, a, b in _pairs(self.netlist, other):
                if not search.equal(self._values[a], values[b]):
                    yield name, a, b
        finally:
            self._forms.forget(mark)

    def _values_in(self, other: Netlist, search: Search) -> Mapping[int, int]:
        """Return the values of the nets of another netlist, which may share gates with this one.

        Only those are stored that differ from what the net of the same number has here.
        """
        ends = zip(_ends(self.netlist), _ends(other), strict=True)
        values = Overlay({b: self._values[a] for a, b in ends if a != b}, self._values)
        for gate in other.gates:
            known = self.netlist.drivers.get(gate.output) == gate
            if known and values.keys().isdisjoint(gate.inputs):
                continue
            value = self._forms.gate(gate.kind, [values[net] for net in gate.inputs])
            if gate.output in self._down and search.equal(value, ZERO):
                continue
            if value != self._values.get(gate.output):
                values[gate.output] = value
        return values


def _ends(netlist: Netlist) -> list[int]:
    """List the nets that no gate drives."""
    return [net for _, nets in sorted(netlist.inputs.items()) for net in nets] + [
        flop.q for flop in netlist.flip_flops
    ]


def _pairs(first: Netlist, second: Netlist) -> Iterator[Pair]:
    for name, nets in first.outputs.items():
        for a, b in zip(nets, second.outputs[name], strict=True):
            yield name, a, b
    for flop, other in zip(first.flip_flops, second.flip_flops, strict=True):
        yield flop.name, flop.d, other.d


def difference(first: Proof, second: Proof) -> tuple[Kind, str]:
    """Say where two netlists differ in sound states with at most one upset.

    Where both tell of upsets, the second one may tell of more.

    Args:
        first: the proof of the one; its sound states and lemmas count.
        second: the proof of the other.
    """
    pairs = list(Reference(first.netlist).unequal(second.netlist))
    nets = dict(zip(_ends(first.netlist), _ends(second.netlist), strict=True))
    names = REPORTS + (ALARMS if first.level is Level.detect else ())
    reports = {net for name in names for net in first.netlist.outputs.get(name, ())}
    reports |= {first.next[flop] for group in first.logs for flop in group.flops}
    _enter(first, second, nets)
    told = Kind.nowhere, ""
    cases: list[tuple[str, dict[int, int], dict[int, int]]] = [("with no upset", {}, {})]
    for case, changed, other in chain(cases, _upsets(first, second, pairs, nets)):
        for name, a, b in pairs:
            if case == cases[0][0] or a in changed or b in other:
                value, new = changed.get(a, first.good[a]), other.get(b, second.good[b])
                if first.search.equal(value, new):
                    continue
                text = f"{name} {case}"
                if a not in reports or first.search.possible(value, new ^ ONE):
                    return Kind.differs, text
                told = Kind.tells, text
    return told


def _enter(first: Proof, second: Proof, nets: Mapping[int, int]) -> None:
    """Put both in the same sound states, with any value of the reset and of what only logs."""
    first.forms = second.forms = Forms()
    first.search = second.search = Search(first.forms)
    state = first._constrained(first._sound_state()) | first._inputs({})
    state |= {net: first.forms.variable() for net in first.netlist.inputs["rst_ni"]}
    for group in first.logs:
        state |= dict.fromkeys(group.flops, first.forms.variable())
    first.good = first._evaluate(state)
    first._assume(first.good)
    second.good = second._evaluate({nets[net]: value for net, value in state.items()})


def _upsets(
    first: Proof, second: Proof, pairs: Iterable[Pair], nets: Mapping[int, int]
) -> Iterator[tuple[str, dict[int, int], dict[int, int]]]:
    """Yield each upset in words, with the nets that it changes in the one and in the other."""
    cone = first.cone_of(a for _, a, _ in pairs)
    other = second.cone_of(b for _, _, b in pairs)
    read = {net for place in cone for net in first.netlist.gates[place].inputs}
    read |= {net for _, net, _ in pairs}
    also = {net for place in other for net in second.netlist.gates[place].inputs}
    also |= {net for _, _, net in pairs}
    for net, name in _flipped(first):
        if net in read or nets[net] in also:
            wrong = first.good[net] ^ ONE
            yield (
                f"behind an upset of {name}",
                first._propagate({net: wrong}, cone),
                second._propagate({nets[net]: wrong}, other),
            )


def _flipped(proof: Proof) -> Iterator[tuple[int, str]]:
    """List the nets that an upset can flip, with their names."""
    yield from proof.names.items()
    if isinstance(proof, MemoryProof):
        for memory in proof.design.memories:
            for net in dict.fromkeys(memory.read):
                if net not in (ZERO, ONE):
                    yield net, f"{memory.scope[:-1]} as it is read"
