"""What proofs of engines that make a wrong word again have in common.

Some registers are read as they are, past no decoder, with parities beside them. A wrong word raises
a signal in the very cycle in which it is used; it does not leave, and what was lost is computed
again from registers that are corrected. The outputs are then those of the undisturbed engine in all
but time, so equal outputs in every cycle is no longer the claim. It is shown instead:

* detection (``detection``): where a register is used, a flip of any one flip-flop raises its
  signal, or it is handed on as one wrong bit; where it is not, whatever it holds changes nothing;
* containment (``containment``): with the signal up and the register holding anything, all outputs
  and the next state are those of the undisturbed engine in whose place this source pauses for a
  cycle; the source begins again, empty;
* content, by each engine: what the register holds, while in use, is a function of registers that
  are corrected alone, however and whenever it came to be there. So what leaves after a pause is
  what would have left before it;
* pause (``pause``): a pause of a source is one of ``src``, or a cycle in which the engine stands
  still.

That the undisturbed engine gives the same values in the same order however long its neighbours
pause is not shown here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptile.netlist.gates import Gate
from cryptile.prove.cuts import Abstract
from cryptile.prove.engines import words
from cryptile.prove.engines.claims import Claims
from cryptile.prove.forms import ONE, UNKNOWN, ZERO, Forms
from cryptile.prove.groups import Group
from cryptile.prove.search import Search


@dataclass(frozen=True)
class Place:
    """Where one word in the making stands.

    Attributes:
        name: for reports.
        group: its flip-flops, which are read as they are.
        used: copies that say that it holds something.
    """

    name: str
    group: Group
    used: Group


@dataclass(frozen=True)
class Source:
    """A part that can begin again.

    Attributes:
        name: for reports.
        places: what it holds.
        signal: net that says that something there is wrong.
        restart: flip-flops that say how far it is.
        pause: net that is low while the source pauses; none if what leaves is not affected.
        cases: values of flip-flops; one bit is looked at in each of these cases by itself.
    """

    name: str
    places: tuple[Place, ...]
    signal: int
    restart: frozenset[int]
    pause: int | None = None
    cases: tuple[Mapping[int, int], ...] = ({},)

    @property
    def flops(self) -> frozenset[int]:
        """All flip-flops of its places."""
        return frozenset(flop for place in self.places for flop in place.group.flops)


class Replay(Claims):
    """The proof of an engine whose words are made again, without its arithmetic.

    Attributes:
        abstract: the netlist with what was taken out of it.
        sources: the parts that can begin again.
        places: all places of the sources.
        replayed: their flip-flops.
        bounded: registers, by the copies of their bits, with the highest number that they hold.
        low: nets that are down in all sound states, shown in this order, each with those before.
        empty: copies that are zero while the sources hold nothing.
        anything: variables for what the sources hold.
    """

    def __init__(self, design: Abstract, level: str, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the groups; the rest as in ``Proof``."""
        self.abstract = design
        super().__init__(design.netlist, level, log)
        self.sources: list[Source] = []
        self.places: list[Place] = []
        self.replayed: set[int] = set()
        self.bounded: list[tuple[list[Group], int]] = []
        self.low: list[tuple[int, ...]] = []
        self.empty: list[Group] = []
        self.anything: dict[int, int] = {}
        self._known: dict[int, int] = {}
        self._comparing = False

    def made_again(self, sources: Iterable[Source]) -> None:
        """Declare the parts that can begin again, and nets that are low in all sound states."""
        self.sources = list(sources)
        self.places = [place for source in self.sources for place in source.places]
        self.replayed = {flop for source in self.sources for flop in source.flops}
        self._known = {net: ZERO for nets in self.low for net in nets}

    def _must_correct(self, group: Group) -> bool:
        """As in ``Proof``; what is made again need not be corrected."""
        return super()._must_correct(group) and self.replayed.isdisjoint(group.flops)

    # --- Registers and their values ---------------------------------------------------------------

    def net(self, name: str) -> int:
        """Return the first net of a name."""
        return self.netlist.aliases[name][0]

    def values(self, name: str) -> list[int]:
        """Return the values of the nets of a name."""
        return [self.good[net] for net in self.netlist.aliases[name]]

    def held(self, groups: Iterable[Group]) -> list[int]:
        """Return what copies hold."""
        return [self.good[group.flops[0]] for group in groups]

    def coming(self, groups: Iterable[Group]) -> list[int]:
        """Return what copies hold next."""
        return [self.good[self.next[group.flops[0]]] for group in groups]

    def data(self, group: Group) -> tuple[list[int], list[int]]:
        """Return the data bits that a codeword holds, and holds next."""
        flops = group.flops[: group.width]
        return [self.good[flop] for flop in flops], [self.good[self.next[flop]] for flop in flops]

    def split(self, group: Group, width: int) -> list[Group]:
        """Take a group of words for several, of so many data bits each; return them."""
        many = group.width // width
        rows = (len(group.flops) - group.width) // many
        parts = []
        for part in range(many):
            checks = group.width + rows * part
            flops = group.flops[width * part : width * (part + 1)]
            flops += group.flops[checks : checks + rows]
            parts.append(Group(group.kind, group.scope, flops, width))
        self.groups = [other for other in self.groups if other is not group] + parts
        self.home |= {flop: part for part in parts for flop in part.flops}
        return parts

    def flops_behind(self, nets: Iterable[int]) -> set[int]:
        """Return the flip-flops that some nets depend on."""
        nets = set(nets)
        gates = [self.netlist.gates[place] for net in nets for place in self._cone(net)]
        read = nets.union(*(gate.inputs for gate in gates))
        return {net for net in read if net in self.next}

    def touched(self, changed: Iterable[int]) -> list[int]:
        """Return the flip-flops of what is made again whose next value may differ."""
        fed = (flop for net in changed for flop in self._fed.get(net, ()))
        return [flop for flop in fed if flop in self.replayed]

    # --- Arithmetic that was taken out ------------------------------------------------------------

    def ignored(self, gate: Gate, values: Mapping[int, int]) -> Iterable[int]:
        """Return the inputs of a cut that do not matter for some values of its inputs."""
        return ()

    def _value(self, gate: Gate, inputs: list[int]) -> int:
        if not gate.kind.startswith(UNKNOWN) or len(gate.inputs) == 1:
            return super()._value(gate, inputs)
        values = self._matter(gate, inputs)
        if self._comparing:
            before = self._matter(gate, [self.good[net] for net in gate.inputs])
            if all(self.search.equal(a, b) for a, b in zip(before, values, strict=True)):
                return self.good[gate.output]
        return super()._value(gate, values)

    def _matter(self, gate: Gate, inputs: list[int]) -> list[int]:
        """Return the inputs of a cut, with zero for those that do not matter."""
        values = dict(zip(gate.inputs, inputs, strict=True))
        unread = set(self.ignored(gate, values))
        return [ZERO if net in unread else value for net, value in values.items()]

    def _propagate(
        self, changes: Mapping[int, int], within: set[int] | None = None
    ) -> dict[int, int]:
        self._comparing = True
        try:
            return super()._propagate(changes, within)
        finally:
            self._comparing = False

    # --- Sound states -----------------------------------------------------------------------------

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """States that never come are left out."""
        state = dict(state)
        for groups, limit in self.bounded:
            values = [state[group.flops[0]] for group in groups]
            top = self.forms.product(values[-1], words.at_most(self.forms, values, limit))
            state |= dict.fromkeys(groups[-1].flops, top)
        return state

    def _enter(self, fixed: Mapping[int, int] | None = None) -> None:
        self.case(fixed or {})

    def case(self, fixed: Mapping[int, int], known: Mapping[int, int] | None = None) -> None:
        """Look at sound states in which flip-flops are constant, and nets have known values."""
        self._forget()
        self._sources = self._constrained(self._sound_state() | dict(fixed)) | self.asked
        self.good = self._evaluate(self._sources, {**self._known, **(known or {})})

    def _forget(self) -> None:
        """Begin with new forms, in no state."""
        self.verdict.searches += self.search.calls
        self.forms = Forms()
        self.search = Search(self.forms)
        self.asked = self._inputs({})
        self._log_values = {}
        for group in self.logs:
            self._log_values |= dict.fromkeys(group.flops, self.forms.variable())
        self.anything = {flop: self.forms.variable() for flop in sorted(self.replayed)}

    # --- Start and step ---------------------------------------------------------------------------

    def _start(self) -> None:
        """Behind reset all is sound but registers that hold nothing until a job has come."""
        free = {flop: self.forms.variable() for flop in self.next}
        reset = self._evaluate(free | self._inputs({"rst_ni": ZERO}))
        fixed = {flop: reset[d] for flop, d in self.next.items() if reset[d] in (ZERO, ONE)}
        quiet = {name: ZERO for name in self.netlist.inputs if name.endswith("valid_i")}
        self.good = self._evaluate(free | fixed | self._inputs(quiet))
        late = [group for group in self.groups if not self._sound(group, self.good)]
        self._forget()
        any_late = {flop: self.forms.variable() for group in late for flop in group.flops}
        state = self._sound_state() | fixed | any_late
        self.good = self._evaluate(state | self._inputs(quiet))
        for flop, value in fixed.items():
            if not self.search.equal(self.good[self.next[flop]], value):
                self._find(self.home[flop], "does not rest before the first job")
        self._all_sound([group for group in self.groups if group not in late])
        begin = {"job_valid_i": ONE, "clear_i": ZERO}
        self.good = self._evaluate(state | self._inputs(begin))
        self._all_sound(self.groups)
        self.all_in_bounds(self.good)
        for group in self.empty:
            if self.coming([group]) != [ZERO]:
                self._find(group, "is not empty when the first job begins")
        if self.verdict.findings:
            return
        self.good = self._evaluate(state | self.asked)
        # Before the first job nothing is reported but what is triplicated at the top.
        for group in self.groups:
            if group not in late and self.replayed.isdisjoint(group.flops):
                self._silent_upsets(group)
        self.anything |= {flop: self.forms.variable() for flop in any_late}
        wrong = {*any_late, *self.replayed}
        changed = self._propagate(self._log_values | {flop: self.anything[flop] for flop in wrong})
        for text in self.effects(wrong, changed):
            self.verdict.findings.append(f"before the first job: what nothing was put into {text}")
            break

    def _silent_upsets(self, group: Group) -> None:
        for flop in group.flops:
            changed = self._propagate(self._log_values | {flop: self.good[flop] ^ ONE})
            for text in self._effects({flop}, changed):
                self._find(group, f"before the first job an upset {text}")
                return

    def _all_sound(self, groups: Iterable[Group]) -> None:
        for group in groups:
            if not self._sound(group, self.good):
                self._find(group, "is written with what is not sound")

    def _step(self) -> None:
        """Signals are down in a sound state, and a sound state is followed by a sound state."""
        self._known = {}
        for nets in self.low:
            self.case({})
            for net in nets:
                if not self.search.equal(self.good[net], ZERO):
                    name = self.netlist.names.get(net, "a signal")
                    self.verdict.findings.append(f"{name}: is raised without an upset")
            self._known |= dict.fromkeys(nets, ZERO)
        self.case({})
        self._all_sound(self.groups)
        self.all_in_bounds(self.good)

    def all_in_bounds(self, values: Mapping[int, int], but: Iterable[Group] = ()) -> None:
        """Show that the next numbers are in their bounds, but for one register."""
        for groups, limit in self.bounded:
            if groups == but:
                continue
            coming = [values[self.next[group.flops[0]]] for group in groups]
            if self.search.possible(words.at_most(self.forms, coming, limit) ^ ONE):
                self._find(groups[0], f"goes beyond {limit}")

    # --- Upsets -----------------------------------------------------------------------------------

    def elsewhere(self) -> None:
        """Look at upsets of all that is not made again."""
        self.upsets_of(self.resting())

    def upsets_of(self, groups: Iterable[Group]) -> None:
        """Look at upsets of some groups in all states."""
        self.case({})
        for group in groups:
            self._upsets(group)

    def resting(self) -> list[Group]:
        """Return the groups that are not made again."""
        return [group for group in self.groups if self.replayed.isdisjoint(group.flops)]

    def _effects(self, wrong: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """As in ``Proof``; a flip that heals may leave one wrong bit in what is made again.

        A wrong check bit of a key does so: it goes with the key into what is made of it.
        """
        moved = {flop for flop in self.replayed - wrong if self.next[flop] in changed}
        heals = all(self.next[flop] not in changed for flop in wrong)
        if len(moved) == 1 and heals:
            wrong = wrong | moved
        return super()._effects(wrong, changed)

    def effects(self, again: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """Say what speaks against the claim, but for what some flip-flops hold."""
        return super()._effects(again, changed)
