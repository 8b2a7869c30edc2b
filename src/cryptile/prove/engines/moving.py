"""Codewords that move from register to register as a whole, and that hold nothing at some times.

``Proof`` knows registers that keep their codeword. Here a wrong bit may move on with its word: of
all words of a family at most one flip-flop is wrong in the next cycle. A word that holds nothing
may be anything, and nothing may depend on it while something is asked of the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove import code
from cryptile.prove.engines.claims import Claims
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group, Kind, voters
from cryptile.prove.level import Level
from cryptile.prove.upset import NO_HINTS

PARITIES = 4
"""Parities of a word at Detect."""

State = Callable[[int], int]
"""The form that a flip-flop holds."""


@dataclass
class Live:
    """What some nets depend on in the states that are looked at.

    Attributes:
        gates: places of the gates; what a constant keeps out is not among them.
        pivots: these constants, with the places of the gates at which they do so.
        varying: constants that a flip changes, which keep nothing out.
    """

    gates: set[int] = field(default_factory=set)
    pivots: dict[int, list[int]] = field(default_factory=dict)
    varying: set[int] = field(default_factory=set)

    def copy(self) -> "Live":
        """Return the same, to be widened by itself."""
        pivots = {net: list(places) for net, places in self.pivots.items()}
        return Live(set(self.gates), pivots, set(self.varying))


class MovingProof(Claims):
    """The proof of a netlist with families of words.

    Attributes:
        families: the words of each family by the name of their register, element 0 first.
    """

    heeds_lemmas = True

    def __init__(
        self,
        netlist: Netlist,
        level: str,
        log: Iterable[re.Pattern[str]] = (),
        hints: Hints = NO_HINTS,
        families: Mapping[str, int] | None = None,
    ) -> None:
        """Find the groups.

        Args:
            netlist: as in ``Proof``; so are ``level``, ``log`` and ``hints``.
            level: see there.
            log: see there.
            hints: see there.
            families: names of registers, with the number of their words; those that are not built
                are none.
        """
        super().__init__(netlist, level, log, hints)
        self.families = {
            name: self._words(name, number)
            for name, number in (families or {}).items()
            if name in netlist.aliases
        }
        self.moving = {group: words for words in self.families.values() for group in words}
        taken = {flop for group in self.moving for flop in group.flops}
        self._regroup(self.moving, taken)
        self.voted = voters(netlist)
        self._live_in: Mapping[int, int] | None = None
        self._lives: dict[tuple[int, ...], Live] = {}

    def _regroup(self, new: Iterable[Group], taken: set[int]) -> None:
        """Put groups in the place of flip-flops that stood alone."""
        self.groups = [group for group in self.groups if taken.isdisjoint(group.flops)] + list(new)
        self.home = {flop: group for group in self.groups for flop in group.flops}

    def _held(self, state: State, name: str) -> list[int]:
        """Return what a voted register holds in a state, lowest bit first."""
        nets = self.netlist.aliases[name]
        return [net if net in (ZERO, ONE) else state(self.voted[net]) for net in nets]

    def _at_least(self, word: Iterable[int], number: int) -> int:
        """Return whether a word is a number or more."""
        below = ZERO
        for place, bit in enumerate(word):
            kind = "or" if number >> place & 1 else "and"
            below = self.forms.gate(kind, [bit ^ ONE, below])
        return below ^ ONE

    def _words(self, name: str, number: int) -> tuple[Group, ...]:
        nets = self.netlist.aliases[name]
        size = len(nets) // number
        if self.level is Level.correct:
            kind, width = Kind.secded, code.data_width(size)
        else:
            kind, width = Kind.parity, size - PARITIES
        return tuple(
            Group(kind, f"{name}[{place}].", nets[size * place :][:size], width)
            for place in range(number)
        )

    def _valid(self, state: State) -> Mapping[Group, int]:
        """Return when words hold something, as forms; those that are not named always do."""
        return {}

    def _sound_state(self, fixed: Mapping[int, int] | None = None) -> dict[int, int]:
        """As in ``Proof``; words that hold nothing are anything."""
        state = super()._sound_state(fixed)
        known = {**self.constants, **(fixed or {})}
        for group, valid in self._valid(state.__getitem__).items():
            for flop in group.flops[group.width :]:
                anything = self.forms.product(valid ^ ONE, self.forms.variable())
                state[flop] = known.get(flop, self.forms.sum(state[flop], anything))
        return state

    def _sound(self, group: Group, values: Mapping[int, int]) -> bool:
        if group not in self.moving:
            return super()._sound(group, values)
        valid = self._valid(lambda flop: values[self.next[flop]]).get(group, ONE)
        coming = [values[self.next[flop]] for flop in group.flops]
        for place, members in group.checks():
            wrong = self.forms.total(coming[member] for member in (place, *members))
            if wrong and self.search.possible(valid, self.forms.factored(wrong)):
                return False
        return True

    def _effects(self, wrong: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """As in ``Proof``; but a wrong bit may move within its family, as one bit."""
        families = {
            self.moving[group] for group in map(self.home.get, wrong) if group in self.moving
        }
        own = {flop for words in families for group in words for flop in group.flops}
        yield from super()._effects(wrong | own, changed)
        quiet = changed.get(self.alarm, self.good[self.alarm]) ^ ONE
        yield from self._spread(own, changed, quiet)

    def _spread(self, own: Iterable[int], changed: Mapping[int, int], *when: int) -> Iterator[str]:
        """Say so if more than one flip-flop of some is loaded with another value."""
        differences: list[int] = []
        for flop in own:
            d = self.next[flop]
            if d in changed:
                difference = self.forms.sum(changed[d], self.good[d])
                if any(self.search.possible(difference, one, *when) for one in differences):
                    yield f"spreads to {self.names[flop]}"
                    return
                differences.append(difference)

    def _unreported(self, group: Group, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """As in ``Proof``; a word is reported where it is used."""
        if group not in self.moving:
            yield from super()._unreported(group, flop, changed)

    def _flipped(self, flop: int, live: "Live", pinned: Iterable[int] = ()) -> dict[int, int]:
        """Return what differs behind a flip of one flip-flop, as far as it can be seen.

        What is pinned stays as it is.
        """
        fixed = {net: self.good[net] for net in pinned}
        return self._changed(fixed | {flop: self.good[flop] ^ ONE}, live)

    def _changed(self, changes: Mapping[int, int], live: "Live") -> dict[int, int]:
        """Return what differs behind changes, as far as it can be seen."""
        while True:
            changed = self._propagate(changes, live.gates)
            surprises = live.pivots.keys() & changed.keys()
            if not surprises:
                return changed
            live.varying |= surprises
            opened = [place for net in surprises for place in live.pivots.pop(net)]
            self._see(live, [net for place in opened for net in self._sources_of(place, live)])

    def _live(self, nets: Iterable[int] | None = None) -> "Live":
        """Begin to look at what some nets, or all that is loaded and given, depend on now."""
        if self._live_in is not self.good:  # states of before
            self._live_in, self._lives = self.good, {}
        if nets is None:
            outputs = [net for port in self.netlist.outputs.values() for net in port]
            nets = [*self.next.values(), *outputs]
        wanted = tuple(nets)
        if wanted not in self._lives:
            self._lives[wanted] = Live()
            self._see(self._lives[wanted], wanted)
        return self._lives[wanted].copy()

    def _see(self, live: "Live", nets: Iterable[int]) -> None:
        """Add the gates that more nets depend on, and the constants that keep others out."""
        waiting = list(nets)
        while waiting:
            place = self._place.get(waiting.pop())
            if place is not None and place not in live.gates:
                live.gates.add(place)
                waiting += self._sources_of(place, live)

    def _sources_of(self, place: int, live: "Live") -> Sequence[int]:
        """Return the inputs of a gate that matter, and note the constant that keeps others out."""
        gate = self.netlist.gates[place]
        inputs: Sequence[int] = gate.inputs
        if gate.kind == "mux":
            chosen = inputs[-1]
            select = self.good[chosen]
            if select in (ZERO, ONE) and chosen not in live.varying:
                live.pivots.setdefault(chosen, []).append(place)
                return inputs[select], chosen
        for net, value in zip(inputs, _CONTROLLING.get(gate.kind, ()), strict=False):
            if self.good[net] == value and net not in live.varying:
                live.pivots.setdefault(net, []).append(place)
                return (net,)
        return inputs


_CONTROLLING = {
    "and": (ZERO, ZERO),
    "nand": (ZERO, ZERO),
    "or": (ONE, ONE),
    "nor": (ONE, ONE),
    "andnot": (ZERO, ONE),
    "ornot": (ONE, ZERO),
}
"""The value of each input of a gate with which the other one does not matter."""
