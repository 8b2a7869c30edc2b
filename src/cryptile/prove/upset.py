"""The proof: a single upset of any flip-flop of a netlist changes nothing outside, or is flagged.

A state is *sound* if all groups of flip-flops agree within themselves: copies are equal, codewords
are codewords. The proof has three parts, each for all inputs and all sound states at once:

* start: one clock behind reset the state is sound;
* step: a sound state is followed by a sound state;
* upset: the state in which one flip-flop of a sound state is flipped gives the same outputs, and is
  followed by the same state, but for the flipped group, in which again at most one flip-flop may be
  wrong. Or the alarm is up in that very cycle; then nothing leaves, and the next state is sound.

At Correct the alarm is never up, and by induction over the cycles nothing that an upset does is
ever seen outside. At Detect that is true up to the alarm; ``cryptile.prove.ending`` shows what
follows it. Registers that log what was corrected may differ; they are shown to reach nothing but
the status.
"""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import chain, islice, product

from cryptile.designs.hints import Hints
from cryptile.errors import CryptileError, UsageError
from cryptile.netlist.gates import Gate, Netlist
from cryptile.prove import clock
from cryptile.prove.clears import check_names, kept
from cryptile.prove.constants import FIXED, constants
from cryptile.prove.ending import Ending, ending, ends_jobs, is_engine
from cryptile.prove.forms import ONE, ZERO, Forms
from cryptile.prove.groups import Group, Kind, find, voters
from cryptile.prove.lemmas import Lemma
from cryptile.prove.level import Level
from cryptile.prove.search import Search

REPORTS = ("corrected_o", "fault_corrected_o", "fault_sites_o")
"""Outputs that tell of upsets."""

RAW = "raw_o"
"""Output of a primitive, of ``rtl/common``, that is said to be wrong under an upset."""

REPORTED = ("fault_corrected_o", "corrected_o")

ALARMS = ("detected_o", "fault_detected_o")

VALIDS = {
    "dst_o": "dst_valid_o",
    "done_status_o": "done_valid_o",
    "data_o": "valid_o",
    "out_data_o": "out_valid_o",
}
"""Outputs that mean something only while another one is high."""

ALLOWED = (
    "allowed_o",
    "target_ok_o",
    "again_allowed_o",
    "again_target_ok_o",
    "token_allowed_o",
    "commit_ok_o",
    "read_allowed_o",
    "write_allowed_o",
)
"""Outputs that let something through, which nothing is under the alarm that would not be else."""

CLAIMS = {Level.correct: "changes nothing outside", Level.detect: "is harmless or flagged"}
"""What a single upset does, if no more is shown."""

MOST_FINDINGS = 10
"""A proof that fails stops here: one missing voter makes as many findings as it has bits."""

_NEAREST = "nearest"
"""Begins the names of pieces of parts, see ``Proof.nearest``."""

_MOST_GROUPS, _MOST_SCOPES, _SHARE = 40, 2, 0.1
"""Such a piece: groups that correct, primitives that raise an alarm, and about what it takes."""

MOST_CONTROL = 10
"""Bits that an alarm may depend on."""

NO_HINTS = Hints()

STATUS, STATUSES = "done_status_o", (0, 3)
"""The status, and the two values between which an upset may change it: ok and corrected."""


@dataclass
class Verdict:
    """What came of a proof.

    Attributes:
        top: the design.
        groups: number of flip-flops by how they are protected.
        unprotected: names of flip-flops that stand alone.
        findings: what speaks against the claim; if empty, it holds.
        ending: what was found behind the alarm of an engine that only detects.
        searches: number of questions that took a search.
        spent: time of the processor by the name of the part.
        seconds: time of the processor, without synthesis.
        claim: what a single upset does, if the proof holds.
        argument: what was shown beyond the argument of this module, a sentence each.
        assumptions: what that rests on.
    """

    top: str
    groups: Counter[str] = field(default_factory=Counter)
    unprotected: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    ending: Ending | None = None
    searches: int = 0
    spent: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    claim: str = ""
    argument: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the claim is proven."""
        return not self.findings


class Proof:
    """The proof that one netlist keeps the promise of a level."""

    def __init__(
        self,
        netlist: Netlist,
        level: str,
        log: Iterable[re.Pattern[str]] = (),
        hints: Hints = NO_HINTS,
        groups: list[Group] | None = None,
    ) -> None:
        """Find the groups.

        Args:
            netlist: the design.
            level: what is to be proven, a word of ``Level``.
            log: patterns of names of flip-flops that only log.
            hints: what is said of the registers.
            groups: of flip-flops; found by the names of the primitives if not given.

        Raises:
            UsageError: it has more than one alarm, or one of several bits.
        """
        self.netlist = netlist
        self.most_findings = MOST_FINDINGS
        self._costs: Mapping[str, float] | None = None
        self._suspected: list[int] = []
        self._told: set[int] = set()
        self._first_told: int | None = None
        self.level = Level(level)
        self.hints = hints
        self.groups = find(netlist) if groups is None else groups
        self.next = {flop.q: flop.d for flop in netlist.flip_flops}
        self.names = {flop.q: flop.name for flop in netlist.flip_flops}
        self.home = {flop: group for group in self.groups for flop in group.flops}
        self.logs = [
            group
            for group in self.groups
            if any(pattern.search(self.names[group.flops[0]]) for pattern in log)
        ]
        self._place = {gate.output: index for index, gate in enumerate(netlist.gates)}
        self._readers = {
            net: [self._place[gate.output] for gate in gates]
            for net, gates in netlist.readers.items()
        }
        self._fed: dict[int, list[int]] = {}
        for flop, d in self.next.items():
            self._fed.setdefault(d, []).append(flop)
        self.constants = constants(netlist)
        self.lemmas = [Lemma(netlist, text) for text in hints.lemmas]
        self._stops = list(_matching(netlist, hints.stops))
        self._silent = list(_silent(netlist, hints.silent))
        self._later = [Lemma(netlist, text) for text in hints.behind]
        self._cleared = list(self._registers(hints.wiped))
        told = [(name, None) for name in _named(netlist, hints.lasts)] + [*hints.told.items()]
        checks = [(Lemma(netlist, text), pattern) for text, pattern in told]
        said = [*self.lemmas, *self._later, *(check for check, _ in checks)]
        self._behind = {lemma.text: sorted(self.cone_of(lemma.nets)) for lemma in said}
        self._checks = [(check, *self._looked_at(check, pattern)) for check, pattern in checks]
        check_names(hints.clears, netlist.inputs, self.groups)
        alarms = [name for name in ALARMS if name in netlist.outputs]
        if len([net for name in alarms for net in netlist.outputs[name]]) > 1:
            raise UsageError(f"{netlist.top}: more than one bit of alarm: {', '.join(alarms)}")
        self.alarm = netlist.outputs[alarms[0]][0] if alarms else ZERO

    def _registers(self, patterns: Iterable[re.Pattern[str]]) -> Iterator[int]:
        """Yield the flip-flops of registers that patterns name; of a voted one, all copies."""
        first = voters(self.netlist)
        for net in dict.fromkeys(_matching(self.netlist, patterns)):
            if net in first:
                yield from self.home[first[net]].flops
            elif net > ONE:  # else it is not built
                yield net

    def run(self, *only: str) -> Verdict:
        """Carry the proof out; it ends early where the next part would rest on one that failed.

        Args:
            only: names of the parts to carry out, which alone prove nothing; all if there are none.
        """
        self.begin()
        parts, stopped = self.parts(), None
        if self._costs is not None:
            nearest = {name: look for name, (look, _) in self.nearest().items() if name in parts}
            parts |= {f"{_NEAREST} {name}": look for name, look in nearest.items()}
        for name in self._in_order(part for part in parts if not only or part in only):
            started = clock.seconds()
            try:
                parts[name]()
            except Exception as error:
                if self._costs is None:
                    raise
                stopped = stopped or error  # the finding of another part counts as much
            self.verdict.spent[name] = clock.seconds() - started
            if self.verdict.findings:
                break
        else:
            if stopped:
                raise stopped
        self.verdict.searches += self.search.calls
        self.verdict.seconds = sum(self.verdict.spent.values())
        return self.verdict

    def begin(self) -> None:
        """Begin anew, with nothing found."""
        self.verdict = Verdict(self.netlist.top, claim=CLAIMS[self.level])
        self.forms = Forms()
        self.search = Search(self.forms)

    def seek(self, costs: Mapping[str, float], near: Mapping[int, int]) -> None:
        """Let ``run`` look for one finding, and begin where it is cheap and likely.

        Args:
            costs: what each part takes where nothing is found; those without come first.
            near: how far some nets are from what is suspected; groups near it come first.
        """
        self.most_findings, self._costs, far = 1, costs, len(self.netlist.gates)
        self._suspected = [net for net, steps in near.items() if not steps]
        self.groups.sort(key=lambda group: min(near.get(flop, far) for flop in group.flops))

    def _in_order(self, names: Iterable[str]) -> list[str]:
        """Sort the names of parts: no part rests on what another one left behind."""
        costs = dict(self._costs or {})
        for name, (_, share) in self.nearest().items():
            costs[f"{_NEAREST} {name}"] = costs.get(name, 0.0) * share
        return sorted(names, key=lambda name: costs.get(name, 0.0))

    @property
    def ends_jobs(self) -> bool:
        """Whether it is an engine in which an alarm ends the job."""
        return ends_jobs(self.netlist, self.level)

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "start": self._start,
            "clears": self._all_clears,
            "step": self._step,
            "upsets": self._all_upsets,
            "ending": self._ending,
        }

    def nearest(self) -> dict[str, tuple[Callable[[], None], float]]:
        """Return a piece of some parts, for the groups that come first, and about what it takes.

        It is carried out before its part where a finding is expected.
        """
        return {"step": (self._nearest_step, _SHARE), "upsets": (self._nearest_upsets, _SHARE)}

    def first_groups(self, groups: Iterable[Group]) -> list[Group]:
        """Return the groups that a piece of a part looks at."""
        return list(islice(groups, _MOST_GROUPS))

    def _count(self) -> None:
        for group in self.groups:
            self.verdict.groups[group.kind] += len(group.flops)
            name = self.names[group.flops[0]]
            if group.kind is Kind.single:
                self.verdict.unprotected.append(name)
            must_correct = self._must_correct(group)
            if len(group.flops) == 1 and (must_correct or group not in self.logs):
                self._find(group, "stands alone")
            elif must_correct and not group.corrects:
                self._find(group, "an upset is noticed, not corrected")
        self._logs_tell()

    def _logs_tell(self) -> None:
        """Show that the status depends on what logs what was corrected."""
        logs = any(log.corrects for log in self.logs)
        if is_engine(self.netlist) and logs and not self._tells:
            self.verdict.findings.append("the status does not tell what was corrected")

    def _must_correct(self, group: Group) -> bool:
        """Say whether it is not enough that a group notices an upset.

        Nor is it for what logs in an engine, which makes a status; other logs reach no output.
        """
        told = group not in self.logs or is_engine(self.netlist)
        return self.level is Level.correct and told

    def _all_upsets(self) -> None:
        self._upsets_of(self.groups)
        self._selected()

    def _nearest_upsets(self) -> None:
        """Look at the upsets of the groups that come first."""
        alarmed = [group for group in self.groups if self._alarmed(group)]
        scopes = list(dict.fromkeys(group.scope for group in alarmed))[:_MOST_SCOPES]
        others = [group for group in self.groups if not self._alarmed(group)]
        nearest = [group for group in alarmed if group.scope in scopes]
        self._upsets_of([*self.first_groups(others), *nearest])

    def _upsets_of(self, groups: Iterable[Group]) -> None:
        """Look at the upsets of groups that no pointer chooses."""
        self.enter_sound_state()
        scopes: dict[str, list[Group]] = {}
        for group in groups:
            if self._alarmed(group):
                scopes.setdefault(group.scope, []).append(group)
            elif not group.selects:
                self._upsets(group)
        for scope, alarmed in scopes.items():
            if self._cases:
                self.enter_sound_state()
            self._wrong_data(scope, alarmed)

    def needless(self) -> set[int]:
        """Return flip-flops that a netlist may be without, their upsets aside.

        They never change; or they are copies of a register on which, while they agree, no output
        and no other flip-flop depends.
        """
        self.begin()
        self.enter_sound_state()
        scopes: dict[str, list[Group]] = {}
        for group in self.groups:
            if group.kind is Kind.copies:
                scopes.setdefault(group.scope, []).append(group)
        found = set(self.constants)
        outside = {net for nets in self.netlist.outputs.values() for net in nets}
        for groups in scopes.values():
            own = {flop for group in groups for flop in group.flops}
            other: dict[int, int] = {}
            for group in groups:
                other |= dict.fromkeys(group.flops, self.forms.variable())
            changed = self._propagate(other).keys()
            later = {d for flop, d in self.next.items() if flop not in own}
            if changed.isdisjoint(outside | later):
                found |= own
        return found

    def _ending(self) -> None:
        """At Detect an engine that was alarmed ends its job as promised."""
        if self.ends_jobs:
            if self.alarm in (ZERO, ONE):
                self.verdict.findings.append("the alarm never changes: no fault ends a job")
                return
            found = ending(self, self._alarming())
            self.verdict.findings += found.findings
            self.verdict.ending = found
            self.verdict.argument = found.argument
            self.verdict.claim = "is harmless or ends the job"

    def _alarming(self) -> list[Group]:
        """List the groups of which an upset may raise the alarm."""
        self.enter_sound_state()
        cone = self._cone(self.alarm)

        def alarms(flop: int) -> bool:
            changed = self._propagate({**self._log_values, flop: self.good[flop] ^ ONE}, cone)
            return self.alarm in changed and self.search.possible(changed[self.alarm])

        return [
            group for group in self.groups if not group.corrects or any(map(alarms, group.flops))
        ]

    def _find(self, group: Group, text: str) -> None:
        self.verdict.findings.append(f"{self.names[group.flops[0]]}: {text}")

    def enter_sound_state(self) -> None:
        """Make an arbitrary sound state, with forms of its own."""
        self._fresh()
        self._enter()

    # --- Lemmas ---------------------------------------------------------------------------------

    def _fresh(self) -> None:
        """Begin with new forms, in no state."""
        self.verdict.searches += self.search.calls
        self.forms = Forms()
        self.search = Search(self.forms)

    def _assume(self, values: Mapping[int, int]) -> None:
        """Look only at states for which the lemmas hold."""
        for lemma in self.lemmas:
            self.search.require(lemma.form(self.forms, self._at(lemma, values)))

    def _following(self, lemma: Lemma, now: Mapping[int, int] | None = None) -> int:
        """Return a lemma in the next state, if not in the one looked at behind another one."""
        values = self.good if now is None else now
        later = {flop: values[d] for flop, d in self.next.items()}
        return lemma.form(self.forms, self._at(lemma, later))

    def _at(self, lemma: Lemma, state: Mapping[int, int]) -> dict[int, int]:
        """Return the nets of a lemma in a state; what they read of the inputs may be anything."""
        values = {ZERO: ZERO, ONE: ONE} | {net: state[net] for net in lemma.nets if net in state}
        for place in self._behind[lemma.text]:
            gate = self.netlist.gates[place]
            for net in gate.inputs:
                if net not in values:
                    values[net] = state[net] if net in state else self.forms.variable()
            values[gate.output] = self._value(gate, [values[net] for net in gate.inputs])
        return values

    def _hold(self, when: str) -> None:
        for lemma in self.lemmas:
            if self.search.possible(self._following(lemma) ^ ONE):
                self.verdict.findings.append(f"does not hold {when}: {lemma.text}")

    def _all_clears(self) -> None:
        """Behind a cycle with such an input high, registers are zero, whatever they held."""
        for name, pattern in self.hints.clears.items():
            free = {flop: self.forms.variable() for flop in self.next}
            values = self._evaluate(free | self._inputs({name: ONE}))
            behind = {flop: values[d] for flop, d in self.next.items()}
            left = kept(self.groups, pattern, behind, self.search.possible)
            scopes = dict.fromkeys(group.scope.removesuffix(".") for group in left)
            self.verdict.findings += [f"{scope}: is not zero behind {name}" for scope in scopes]

    # --- Start and step -------------------------------------------------------------------------

    def _start(self) -> None:
        """One clock in reset, then one without a request: any state becomes sound."""
        quiet = {name: ZERO for name in self.netlist.inputs if name.endswith("valid_i")}
        self.good = self._evaluate(self._behind_reset() | self._inputs(quiet))
        for group in self.groups:
            if not self._sound(group, self.good):
                self._find(group, "is not sound behind reset")
        self._hold("behind reset")

    def _behind_reset(self) -> dict[int, int]:
        """Return all states behind reset: what has none may hold anything."""
        free = {flop: self.forms.variable() for flop in self.next}
        reset = self._evaluate(free | self._inputs({"rst_ni": ZERO}))
        return {
            flop: reset[d] if reset[d] in (ZERO, ONE) else free[flop]
            for flop, d in self.next.items()
        }

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """Return the sound state with what else is known of it."""
        return state

    def _enter(self, fixed: Mapping[int, int] | None = None) -> None:
        """Make an arbitrary sound state; ``fixed`` are constant flip-flops."""
        state = self._sound_state()
        self._sources = self._constrained(state) | dict(fixed or {}) | self._inputs({})
        self.good = self._evaluate(self._sources)
        self._assume(self.good)
        self._cases: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
        self._log_values: dict[int, int] = {}
        for group in self.logs:
            other = self.forms.variable()
            self._log_values |= dict.fromkeys(group.flops, other)

    def _sound_state(self, fixed: Mapping[int, int] | None = None) -> dict[int, int]:
        """Return an arbitrary sound state, in which some flip-flops are constant."""
        known = {**self.constants, **(fixed or {})}
        state: dict[int, int] = {}
        for group in self.groups:
            data = [
                known[flop] if flop in known else self.forms.variable()
                for flop in group.flops[: group.width]
            ]
            if group.kind is Kind.copies:
                state |= dict.fromkeys(group.flops, data[0])
                continue
            if group.kind is not Kind.single:
                data += [
                    self.forms.total(data[i] for i in members) for _, members in group.checks()
                ]
            state |= dict(zip(group.flops, data, strict=True))
        return state

    def _step(self) -> None:
        self._enter()
        for group in self.groups:
            if not self._sound(group, self.good):
                self._find(group, "is written with what is not sound")
        self._hold("in the next state")
        if self.search.possible(self.good[self.alarm]):
            self.verdict.findings.append("the alarm can be up without an upset")
        # What logs may hold a report that is still to be made.
        if not self.logs and any(self.search.possible(self.good[net]) for net in self._reports):
            self.verdict.findings.append("a correction can be reported without an upset")

    def _nearest_step(self) -> None:
        """Look at what is written to the groups that come first behind what is suspected."""
        self._enter()
        waiting = list(self._suspected)
        seen = set(waiting)
        for net in waiting:  # grows meanwhile
            behind = [self.netlist.gates[place].output for place in self._readers.get(net, ())]
            waiting += [other for other in behind if other not in seen]
            seen.update(behind)
        for group in self.first_groups(self._touched(waiting)):
            if not self._sound(group, self.good):
                self._find(group, "is written with what is not sound")
                return

    def _inputs(self, fixed: Mapping[str, int]) -> dict[int, int]:
        constant = {"rst_ni": ONE, **FIXED, **fixed}
        return {
            net: constant[name] if name in constant else self.forms.variable()
            for name, nets in self.netlist.inputs.items()
            for net in nets
        }

    def _evaluate(
        self, sources: Mapping[int, int], known: Mapping[int, int] | None = None
    ) -> dict[int, int]:
        """Return the values of all nets; those of ``known`` are not looked at again."""
        known = known or {}
        values = {ZERO: ZERO, ONE: ONE, **sources, **known}
        for gate in self.netlist.gates:
            if gate.output not in known:
                values[gate.output] = self._value(gate, [values[net] for net in gate.inputs])
        return values

    def _value(self, gate: Gate, inputs: list[int]) -> int:
        return self.forms.gate(gate.kind, inputs)

    def _sound(self, group: Group, values: Mapping[int, int]) -> bool:
        """Say whether the next state of a group is sound."""
        coming = [values[self.next[flop]] for flop in group.flops]
        if group.kind is Kind.copies:
            return all(self.search.equal(coming[0], value) for value in coming[1:])
        if group.kind is Kind.single:
            return True
        return all(
            self.search.equal(coming[place], self.forms.total(coming[i] for i in members))
            for place, members in group.checks()
        )

    # --- Upsets -----------------------------------------------------------------------------------

    def _selected(self) -> None:
        """Words that are chosen by a pointer: once for every value of the pointer."""
        self._told.clear()
        by_select: dict[tuple[int, ...], list[Group]] = {}
        for group in self.groups:
            if group.selects:
                by_select.setdefault(group.selects, []).append(group)
        for selects, groups in by_select.items():
            owners = [self._owner(net) for net in selects]
            for values in product((ZERO, ONE), repeat=len(selects)):
                self._enter(
                    {
                        flop: value
                        for owner, value in zip(owners, values, strict=True)
                        for flop in owner.flops
                    }
                )
                for group in groups:
                    self._upsets(group)
            for group in groups:
                if group.corrects and self._reports and not self._told.issuperset(group.flops):
                    self._find(group, "an upset is never reported")

    def _owner(self, net: int) -> Group:
        """Return the copies whose value a net has."""
        for group in self.groups:
            if group.kind is Kind.copies and self.good[group.flops[0]] == self.good[net]:
                return group
        raise ValueError(f"{self.netlist.names.get(net, net)} is not the value of a register")

    def _upsets(self, group: Group) -> None:
        self._first_told = None
        for flop in group.flops:
            if len(self.verdict.findings) >= self.most_findings:
                return
            changed = self._propagate({**self._log_values, flop: self.good[flop] ^ ONE})
            texts = chain(
                self._effects({flop}, changed),
                self._unreported(group, flop, changed),
                self._unhealed(group, flop, changed),
                self._unlogged(group, flop, changed),
                self._mislogged(group, flop),
                self._misstated(group, flop),
            )
            if text := next(texts, None):
                self.verdict.findings.append(f"{self.names[flop]}: an upset {text}")

    def _alarmed(self, group: Group) -> bool:
        """Say whether a group inside a design can only raise the alarm, not correct."""
        if self.alarm == ZERO or not group.scope or group.selects:
            return False
        # If synthesis dropped the alarm of two copies, their flip-flops are flipped one by one.
        told = group.kind is Kind.copies and self._own_alarm(group.scope) is not None
        return group.kind is Kind.parity or (told and not group.corrects)

    def _own_alarm(self, scope: str) -> int | None:
        """Return the net of the alarm of a primitive, if synthesis kept it."""
        (net,) = self.netlist.aliases.get(f"{scope}detected_o", (ZERO,))
        return None if net == ZERO else net

    def _wrong_data(self, scope: str, groups: list[Group]) -> None:
        """Prove all upsets of one primitive at once: its data may be anything, its alarm is up.

        That every upset raises the alarm of its primitive is shown first.
        """
        if len(self.verdict.findings) >= self.most_findings:
            return
        alarm = self._own_alarm(scope)
        if alarm is not None:
            cone = self._cone(alarm)
            for group in groups:
                for flop in group.flops:
                    changed = self._propagate({flop: self.good[flop] ^ ONE}, cone)
                    if changed.get(alarm) != ONE:
                        self._find(group, "an upset raises no alarm")
        for copy in range(2 if groups[0].kind is Kind.copies else 1):
            wrong = {
                flop
                for group in groups
                for flop in ((group.flops[copy],) if group.kind is Kind.copies else group.flops)
            }
            if text := next(self._alarm_effects(groups, wrong, alarm), None):
                self.verdict.findings.append(f"{scope[:-1]}: wrong data {text}")
                return

    def _alarm_effects(
        self, groups: Iterable[Group], wrong: set[int], raised: int | None
    ) -> Iterator[str]:
        good, search, mark = self.good, self.search, self.forms.mark()
        changes, errors = self._anything(groups, wrong, raised)
        changed = self._propagate(changes)
        alarm = changed.get(self.alarm, self.good[self.alarm])
        yield from self._under_alarm(wrong, changed, alarm)
        # Where the alarm of the design stays down, nothing may differ. What that depends on, beside
        # the errors of parities, is little control: every case is looked at by itself, with
        # constants for variables.
        cases = self._quiet_cases(alarm, errors)
        self.verdict.searches += self.search.calls
        self.forms.forget(mark)
        for case in cases:
            self.good = self._good_in(case)
            mark = self.forms.mark()
            changes, _ = self._anything(groups, wrong, raised)
            changed = self._propagate(changes)
            yield from self._effects(wrong, changed)
            yield from self._rewritten(wrong, changes, changed)
            self.verdict.searches += self.search.calls
            self.forms.forget(mark)
        self.good, self.search = good, search

    def _anything(
        self, groups: Iterable[Group], wrong: set[int], raised: int | None
    ) -> tuple[dict[int, int], set[int]]:
        """Return any values of wrong flip-flops of a primitive, and the errors of its parities.

        The error of a parity is a variable and its check bit what follows: logic that reads errors
        then depends on them alone, not on all data. From now on there is one, or the alarm of the
        primitive is up.
        """
        changes = {flop: self.forms.variable() for flop in sorted(wrong)} | self._log_values
        errors = []
        for group in groups:
            for place, members in group.checks() if group.kind is Kind.parity else ():
                flop = group.flops[place]
                errors.append(changes[flop])
                changes[flop] = self.forms.total(changes[group.flops[i]] for i in (place, *members))
        if raised is not None:
            changes[raised] = ONE
        self.search = Search(self.forms)
        self._assume(self.good)
        if errors:
            self.search.require(self.forms.any(errors))
        return changes, set(errors)

    def _rewritten(
        self, wrong: Iterable[int], held: Mapping[int, int], changed: Mapping[int, int]
    ) -> Iterator[str]:
        """Say whether a flip-flop that holds the right value is loaded with a wrong one, unseen.

        Whatever the others of its register hold: one wrong bit must stay the only one, for only of
        one it was shown that the alarm tells of it.
        """
        quiet = changed.get(self.alarm, self.good[self.alarm]) ^ ONE
        for flop in sorted(wrong):
            d = self.next[flop]
            if d not in changed:
                continue
            differs = self.forms.sum(changed[d], self.good[d])
            right = self.forms.sum(held[flop], self.good[flop]) ^ ONE
            if self.search.possible(differs, right, quiet):
                yield f"rewrites {self.names[flop]}"
                return

    def _quiet_cases(self, alarm: int, errors: set[int]) -> list[tuple[tuple[int, int], ...]]:
        """List all values of the variables of control of an alarm for which it can be down.

        What else it depends on are the ``errors`` of parities.
        """
        if alarm == ONE:
            return []
        control = sorted(self.forms.support(alarm) - errors)
        if len(control) > MOST_CONTROL:
            raise CryptileError(f"{self.netlist.top}: an alarm depends on {len(control)} bits")
        cases = [
            tuple(zip(control, values, strict=True))
            for values in product((ZERO, ONE), repeat=len(control))
        ]
        return [
            case
            for case in cases
            if self.search.possible(alarm ^ ONE, *(one ^ ONE ^ value for one, value in case))
        ]

    def _good_in(self, case: tuple[tuple[int, int], ...]) -> dict[int, int]:
        """Return the sound state in which some variables are constant."""
        if case not in self._cases:
            fixed = dict(case)
            self._cases[case] = self._evaluate(
                {net: fixed.get(value, value) for net, value in self._sources.items()}
            )
        return self._cases[case]

    def _under_alarm(
        self, wrong: set[int], changed: Mapping[int, int], alarm: int
    ) -> Iterator[str]:
        """Under the alarm nothing leaves, and what follows is sound."""
        yield from self._leaving(changed, alarm)
        now = Overlay(changed, self.good)
        for group in self._touched(changed):
            if wrong.isdisjoint(group.flops) and not self._sound(group, now):
                yield f"makes {self.names[group.flops[0]]} unsound"

    def _touched(self, changed: Iterable[int]) -> Iterable[Group]:
        """Return the groups whose next state may differ."""
        return dict.fromkeys(self.home[flop] for net in changed for flop in self._fed.get(net, ()))

    def _cone(self, net: int) -> set[int]:
        """Return the places of the gates that a net depends on."""
        return self.cone_of([net])

    def cone_of(self, nets: Iterable[int]) -> set[int]:
        """Return the places of the gates that some nets depend on."""
        cone: set[int] = set()
        waiting = list(nets)
        while waiting:
            place = self._place.get(waiting.pop())
            if place is not None and place not in cone:
                cone.add(place)
                waiting += self.netlist.gates[place].inputs
        return cone

    def _propagate(
        self, changes: Mapping[int, int], within: set[int] | None = None
    ) -> dict[int, int]:
        """Return the nets whose form differs behind a change of some, with their new form.

        Nets that are changed from outside stay as they are. ``within`` are the places of gates to
        look at.
        """
        changed = {net: value for net, value in changes.items() if value != self.good[net]}
        gates = self.netlist.gates
        waiting = sorted({index for net in changed for index in self._readers.get(net, ())})
        queued = set(waiting)
        while waiting:
            index = heapq.heappop(waiting)
            gate = gates[index]
            if gate.output in changes or (within is not None and index not in within):
                continue
            value = self._value(
                gate, [changed[net] if net in changed else self.good[net] for net in gate.inputs]
            )
            if value == self.good[gate.output]:
                continue
            changed[gate.output] = value
            for reader in self._readers.get(gate.output, ()):
                if reader not in queued:
                    queued.add(reader)
                    heapq.heappush(waiting, reader)
        return changed

    def _effects(self, wrong: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """Say what speaks against the claim in the nets that wrong flip-flops changed."""
        alarm = changed.get(self.alarm, self.good[self.alarm])
        if self.level is Level.correct and self.search.possible(alarm):
            yield "raises the alarm"
        if not self.search.possible(alarm ^ ONE):
            alarm = ONE  # nothing has to be asked of when it is down
        yield from self._seen_outside(changed, alarm)
        now = Overlay(changed, self.good)
        quiet = alarm ^ ONE
        differences: dict[int, int] = {}
        for group in self._touched(changed):
            own = not wrong.isdisjoint(group.flops)
            logs = group in self.logs
            differences |= {
                flop: self.forms.sum(changed[self.next[flop]], self.good[self.next[flop]])
                for flop in group.flops
                if self.next[flop] in changed and not logs and flop not in wrong
            }
            if (logs or not own) and not self._sound(group, now):
                yield f"makes {self.names[group.flops[0]]} unsound"
        for flop, difference in differences.items():
            if self.search.possible(difference, quiet):
                yield f"changes {self.names[flop]}"
                break

    def _unreported(self, group: Group, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """Say so if a corrected upset is not reported; a FIFO reports when the word is read."""
        if group.selects:
            self._told |= {flop} if next(self._untold(changed), None) is None else set()
        elif group.corrects:
            yield from self._untold(changed)
            for net in self._reports[:1]:
                told = changed.get(net, self.good[net])
                # What logs may hold the report back, but not that of one flip-flop alone.
                if self._first_told is None:
                    self._first_told = told
                elif not self.search.equal(told, self._first_told):
                    yield "is reported in other states than that of another one of its value"
                if not self.logs and self.search.possible(told ^ ONE):
                    yield "is not reported in every state"

    def _unhealed(self, group: Group, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """Say so if a register that corrects is still wrong in the next cycle; queues are."""
        d = self.next[flop]
        heals = group.corrects and not group.selects and group not in self.logs
        if heals and d in changed and not self.search.equal(changed[d], self.good[d]):
            yield "does not heal"

    def _mislogged(self, group: Group, flop: int) -> Iterator[str]:
        """Say so if one wrong flip-flop of a log that corrects is seen in the status."""
        if group not in self.logs or not group.corrects:
            return
        changed = self._propagate({flop: self.good[flop] ^ ONE})
        outputs = self.netlist.outputs
        valid = outputs[VALIDS[STATUS]][0] if VALIDS[STATUS] in outputs else ONE
        meant = changed.get(valid, self.good[valid])
        for net in outputs.get(STATUS, ()):
            if net in changed and self.search.possible(
                self.forms.sum(changed[net], self.good[net]), meant
            ):
                yield "changes the status"
                return

    def _unlogged(self, group: Group, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """Say so if an upset is reported, and never noted by a log of the job."""
        first = group.corrects and not group.selects and flop == group.flops[0]
        if not (first and self._tells and self._reports) or group in self.logs:
            return
        now = Overlay(changed, self.good)
        told, noted = now[self._reports[0]], now[self._tells[0].flops[0]]
        if not any(
            self.search.possible(told, noted ^ ONE, now[self.next[log]], now[log] ^ ONE)
            for log in self._noting()
        ):
            yield "is reported, but no log notes it"

    def _misstated(self, group: Group, flop: int) -> Iterator[str]:
        """Say so if a log never makes corrected of ok, or does not hold until the job is done."""
        if group not in self._tells or flop != group.flops[0]:
            return
        good, search, holds = self.good, self.search, self.good[flop]
        done = good[self.netlist.outputs[VALIDS[STATUS]][0]]
        other = Overlay(self._propagate(dict.fromkeys(group.flops, holds ^ ONE)), good)
        told = [  # with the log set, and without it
            self._equals((values[net] for net in self.netlist.outputs[STATUS]), number)
            for values, number in ((good, STATUSES[1]), (other, STATUSES[0]))
        ]
        tells = done, holds, *told, self._uninterrupted(good)
        if not search.possible(*tells):
            yield "would not be told: the status never depends on the log"
        later, taken = good[self.next[flop]], good[self.netlist.inputs["done_ready_i"][0]]
        if search.possible(*tells, taken ^ ONE, later ^ ONE):
            yield "would not be told: the log is lost while the status waits"
        others = [good[log] ^ ONE for log in self._noting() if log != flop]
        if not search.possible(holds, later, *others, done ^ ONE):
            yield "would not be told: the log holds nothing until the job is done"

    def _equals(self, word: Iterable[int], number: int) -> int:
        """Return whether a word is a number, as a form."""
        bits = (bit ^ ONE ^ (number >> place & 1) for place, bit in enumerate(word))
        return reduce(self.forms.product, bits, ONE)

    def _noting(self) -> list[int]:
        """Return a flip-flop of each log that corrects, but for those set whatever comes."""
        logs = [log.flops[0] for log in self.logs if log.corrects]
        return [flop for flop in logs if self.good[self.next[flop]] != ONE]

    @cached_property
    def _tells(self) -> list[Group]:
        """The logs that correct and that the status depends on."""
        status = self.netlist.outputs[STATUS] if is_engine(self.netlist) else ()
        read = {net for place in self.cone_of(status) for net in self.netlist.gates[place].inputs}
        read.update(status)
        return [log for log in self.logs if log.corrects and not read.isdisjoint(log.flops)]

    def _uninterrupted(self, now: Mapping[int, int]) -> int:
        """Say as a form that no job is taken, and none is cleared."""
        ready, valid = self.netlist.outputs["job_ready_o"], self.netlist.inputs["job_valid_i"]
        taken = self.forms.product(now[ready[0]], now[valid[0]])
        return self.forms.gate("nor", [taken, now[self.netlist.inputs["clear_i"][0]]])

    def _untold(self, changed: Mapping[int, int]) -> Iterator[str]:
        """Say so if no report is among the nets that changed."""
        if self._reports and self._reports[0] not in changed:
            yield "is not reported"

    @property
    def _reports(self) -> list[int]:
        """Nets that tell of upsets which were corrected."""
        return [self.netlist.outputs[name][0] for name in REPORTED if name in self.netlist.outputs]

    def _seen_outside(self, changed: Mapping[int, int], alarm: int) -> Iterator[str]:
        outputs = self.netlist.outputs
        for name, nets in outputs.items():
            raw = name == RAW and self.netlist.top == "cry_reg_ecc"
            if name in REPORTS or name in ALARMS or raw:
                continue
            valid = outputs[VALIDS[name]][0] if VALIDS.get(name) in outputs else ONE
            meant = changed.get(valid, self.good[valid])
            if name == STATUS:
                yield from self._status(nets, changed, meant, alarm)
                continue
            for net in nets:
                if net in changed and self.search.possible(
                    self.forms.sum(changed[net], self.good[net]), alarm ^ ONE, meant
                ):
                    yield f"changes {name}"
                    break
        yield from self._leaving(changed, alarm)

    def _leaving(self, changed: Mapping[int, int], alarm: int) -> Iterator[str]:
        """Say so if under the alarm a beat leaves, what is not allowed is let through or stays."""
        outputs, good = self.netlist.outputs, self.good
        for net in self._silent:
            if self.search.possible(alarm, changed.get(net, good[net])):
                yield "lets a beat leave under the alarm"
                return
        for net in chain(*(outputs.get(name, ()) for name in ALLOWED)):
            if net in changed and self.search.possible(alarm, changed[net], good[net] ^ ONE):
                yield "lets through under the alarm what is not allowed"
                return
        for net in self._stops:
            if net in changed and self.search.possible(alarm, changed[net] ^ ONE, good[net]):
                yield "no longer refuses under the alarm what it refused"
                return
        for flop in self._cleared if alarm != ZERO else ():
            d = self.next[flop]
            if self.search.possible(alarm, changed.get(d, good[d])):
                yield f"leaves something in {self.names[flop]} behind the alarm"
                return
        now = Overlay(changed, good)
        for lemma in self._later if alarm != ZERO else ():
            if self.search.possible(alarm, self._following(lemma, now) ^ ONE):
                yield f"makes false behind the alarm: {lemma.text}"
                return
        for check, read, following in self._checks if alarm != ZERO else ():
            if self._falls_silent(check, read, following, now):
                yield f"leaves something wrong of which {check.text} tells no longer"
                return

    def _falls_silent(
        self, check: Lemma, read: Set[int], following: list[int], now: Mapping[int, int]
    ) -> bool:
        """Say whether a sentence can be true of an upset, and not of what is wrong a cycle later.

        ``read`` and ``following`` are those of ``_looked_at``.
        """
        if all(now[flop] == self.good[flop] for flop in read):
            return False
        true = check.form(self.forms, self._at(check, {flop: now[flop] for flop in read}))
        silent = self._following(check, now) ^ ONE
        wrong = [self.forms.sum(now[d], self.good[d]) for d in following]
        return self.search.possible(true, silent, self.forms.any(wrong))

    def _looked_at(
        self, check: Lemma, pattern: re.Pattern[str] | None
    ) -> tuple[set[int], list[int]]:
        """Return the flip-flops that a sentence depends on, and the next states of which it tells.

        It tells of those whose names a pattern is found in, or else of those that it depends on.
        """
        gates = (self.netlist.gates[place] for place in self._behind[check.text])
        read = self.next.keys() & {*check.nets, *chain(*(gate.inputs for gate in gates))}
        told = read if pattern is None else self._flops_like(pattern)
        return read, sorted({self.next[flop] for flop in told})

    def _flops_like(self, pattern: re.Pattern[str]) -> set[int]:
        """Return the flip-flops in whose names a pattern is found.

        Raises:
            UsageError: there are none.
        """
        found = {flop for flop, name in self.names.items() if pattern.search(name)}
        if not found:
            raise UsageError(f"{self.netlist.top}: no register is named like {pattern.pattern!r}")
        return found

    def _status(
        self, nets: tuple[int, ...], changed: Mapping[int, int], meant: int, alarm: int
    ) -> Iterator[str]:
        """Say whether a status that differs is not one of the two allowed in both machines."""
        for values in (self.good, Overlay(changed, self.good)):
            for net in nets:
                if net not in changed:
                    continue
                differs = self.forms.sum(changed[net], self.good[net])
                others = [
                    values[bit] ^ ONE if STATUSES[1] >> place & 1 else values[bit]
                    for place, bit in enumerate(nets)
                ]
                # Neither all bits as in the one value, nor as in the other.
                ok = [values[bit] for bit in nets]
                for a, b in product(ok, others):
                    if self.search.possible(differs, a, b, meant, alarm ^ ONE):
                        yield "changes the status to more than corrected"
                        return


def _named(netlist: Netlist, patterns: Iterable[re.Pattern[str]]) -> Iterator[str]:
    """Yield the names that patterns are found in.

    Raises:
        UsageError: one is found in none.
    """
    for pattern in patterns:
        named = [name for name in netlist.aliases if pattern.search(name)]
        if not named:
            raise UsageError(f"{netlist.top}: nothing is named like {pattern.pattern!r}")
        yield from named


def _matching(netlist: Netlist, patterns: Iterable[re.Pattern[str]]) -> Iterator[int]:
    """Yield the nets of the names that patterns are found in; errors as of ``_named``."""
    for name in _named(netlist, patterns):
        yield from netlist.aliases[name]


def _silent(netlist: Netlist, said: Iterable[str]) -> Iterator[int]:
    """Yield the nets that are zero under the alarm: what tells of a beat, and those that are said.

    Raises:
        UsageError: one that is said is not there.
    """
    yield from netlist.outputs.get("dst_valid_o", ())
    for name in said:
        if name not in netlist.aliases:
            raise UsageError(f"{netlist.top}: nothing is named {name!r}")
        yield from netlist.aliases[name]


class Overlay(dict[int, int]):
    """The values behind a change: those that differ before those that do not."""

    def __init__(self, changed: Mapping[int, int], good: Mapping[int, int]) -> None:
        """Lay the nets that differ over all nets."""
        super().__init__(changed)
        self._good = good

    def __missing__(self, net: int) -> int:
        """Return the value of a net that does not differ."""
        return self._good[net]
