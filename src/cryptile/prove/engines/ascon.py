"""The proof of ``cry_ascon_engine`` at Detect, where a right beat that waits still leaves.

State, key and beat have parities, all of which are compared in every cycle, so the upsets are those
of ``Proof``. At Correct all is voted, and the proof is that one alone.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from cryptile.designs.hints import Hints
from cryptile.errors import UsageError
from cryptile.netlist.gates import Netlist
from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.claims import Claims
from cryptile.prove.engines.kept import Kept
from cryptile.prove.engines.waiting import done_fires, nothing_else_leaves, promised
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group, Kind
from cryptile.prove.level import Level
from cryptile.prove.upset import Overlay, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another, so do the lemmas; the alarm is down in them.",
    "Upset: the flip of a register that corrects changes nothing outside, and raises no alarm. "
    "That of another one raises the alarm in that cycle, or nothing differs.",
    "In the cycle of the alarm, whatever the wrong register holds, no job is done or taken, and "
    "dst offers what it offers without the upset, or nothing.",
    "From then on, for all inputs, dst offers the beat that waited, until it is taken; no other "
    "beat comes, nothing is taken from src or key, no job is taken before done, and done says "
    "StatusFaultDetected.",
    "The job ends when that beat is taken: from then on done is valid. Its end, or clear_i, leads "
    "to a sound state.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = ("A1: the next upset comes when the job that this one ends is done.",)

IDLE, DONE = 0, 11


def proof(
    netlist: Netlist, level: str, log: Iterable[re.Pattern[str]], hints: Hints
) -> "DetectProof | None":
    """Return the proof of a netlist, none if it is another design; arguments as of ``Proof``."""
    is_ascon = "gen_word[4].u_word.q_o" in netlist.aliases
    return DetectProof(netlist, level, log, hints) if is_ascon and level == Level.detect else None


class DetectProof(Claims):
    """The proof that an upset is harmless, or ends the job."""

    heeds_lemmas = True

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "start": self._start,
            "step": self._step,
            "upsets": self._all_upsets,
            "alarm": self._alarms,
            "behind": self._behind_alarm,
            "kept": lambda: self.kept.look(but=self.status),
        }

    def begin(self) -> None:
        """As in ``Proof``."""
        super().begin()
        self.kept = Kept(self)
        self.checked: dict[str, list[Group]] = {}
        for group in self.groups:
            if group.kind is Kind.parity:
                self.checked.setdefault(group.scope, []).append(group)
        (self.beat,) = (scope for scope in self.checked if scope.startswith("u_dst."))
        self.state, self.valid = self.copies("u_state.u_state."), self.copies("u_valid.")
        self.status = self.copies("u_control.")[: len(self.netlist.outputs["done_status_o"])]

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        wiped = f"All but that beat is wiped two clocks behind the alarm, but for {self.kept}."
        verdict.argument, verdict.assumptions = (*ARGUMENT, wiped), ASSUMPTIONS
        verdict.claim = "is harmless or ends the job"
        return verdict

    # --- Upsets -----------------------------------------------------------------------------------

    def _leaving(self, changed: Mapping[int, int], alarm: int) -> Iterator[str]:
        """Say so if another beat leaves under the alarm than without the upset."""
        now, good = Overlay(changed, self.good), self.good
        (valid,) = self.netlist.outputs["dst_valid_o"]
        if self.search.possible(alarm, now[valid], good[valid] ^ ONE):
            yield "lets a beat leave under the alarm"
        for net in self.netlist.outputs["dst_o"]:
            differs = self.forms.sum(now[net], good[net])
            if differs != ZERO and self.search.possible(alarm, now[valid], differs):
                yield "lets a wrong beat leave under the alarm"
                return

    # --- The alarm --------------------------------------------------------------------------------

    def _alarms(self) -> None:
        """Look at the cycle of the alarm, with anything in the register that is wrong."""
        (active,) = self.netlist.aliases["active"]
        for scope, groups in self.checked.items():
            name, wrong = scope[:-1], {flop for group in groups for flop in group.flops}
            for clear in (ZERO, ONE):
                self._look({}, set(), {}, clear)
                if not self.search.possible(self.good[active]):
                    self.verdict.findings.append("no job is ever active: no fault ends one")
                self.search.require(self.good[active])
                anything = {flop: self.forms.variable() for flop in sorted(wrong)}
                changes = {**self._log_values, **anything, self._signal(scope): ONE}
                now = Overlay(self._propagate(changes), self.good)
                self.happens(now[self.alarm] ^ ONE, text=f"{name}: no alarm")
                leaves = nothing_else_leaves(self, name, now)
                if clear:
                    self._rests(now, ONE, f"when clear_i comes with an alarm of {name}")
                else:
                    self._ends(now, ONE, self._waiting(leaves))
                    self._all_sound(now, wrong, "behind an alarm")
                self.good = now
                self._hold("behind an alarm")
                if self.verdict.findings:
                    return

    def _behind_alarm(self) -> None:
        """Look at all states behind an alarm, with anything in what only notices an upset."""
        for waits in (ZERO, ONE):
            right = {self.beat} if waits else set()
            wrong = [group for s in self.checked if s not in right for group in self.checked[s]]
            loose = {flop for group in wrong for flop in group.flops}
            known = {self._signal(scope): ZERO for scope in right}
            for clear in (ZERO, ONE):
                self._look(self._end(waits), loose, known, clear)
                promised(self, waits)
                stays = ZERO if clear else done_fires(self) ^ ONE
                waiting = self._waiting(waits)
                self._ends(self.good, stays, waiting)
                self._rests(self.good, stays ^ ONE, "behind the end of a job")
                self._wiped(self.forms.product(stays, waiting))
                self._hold("behind an alarm")
                if self.verdict.findings:
                    return

    def _look(
        self, fixed: Mapping[int, int], loose: set[int], known: Mapping[int, int], clear: int
    ) -> None:
        """Look at sound states, but for loose flip-flops, whatever tells of them."""
        self._fresh()
        self._log_values = {flop: self.forms.variable() for g in self.logs for flop in g.flops}
        anything = {flop: self.forms.variable() for flop in sorted(loose)}
        self.asked = self._inputs({"clear_i": clear})
        self._sources = self._sound_state(fixed) | anything | self.asked
        told = {self._signal(scope): self.forms.variable() for scope in self.checked if loose}
        self.good = self._evaluate(self._sources, {**told, **known} if loose else {})
        self._assume(self.good)

    def _waiting(self, leaves: int) -> int:
        """Say as a form whether a beat that is offered still waits in the next cycle."""
        (ready,) = self.netlist.inputs["dst_ready_i"]
        return self.forms.product(leaves, self.asked[ready] ^ ONE)

    def _end(self, waits: int) -> dict[int, int]:
        """Return the flip-flops that say how a job ends by a fault."""
        found = self.number_held(self.state, DONE) | self.number_held(self.status, DETECTED)
        return found | self.number_held(self.valid, waits)

    def _ends(self, now: Mapping[int, int], when: int, waits: int) -> None:
        """Show that one of the states follows that ``_behind_alarm`` looks at."""
        for groups, expected, text in (
            (self.state, words.number(DONE, len(self.state)), "another state"),
            (self.status, words.number(DETECTED, len(self.status)), "another status"),
            (self.valid, [waits], "another beat"),
        ):
            coming = [now[self.next[group.flops[0]]] for group in groups]
            self.agree((when,), coming, expected, f"{text} follows an alarm")
        beat = [flop for group in self.checked[self.beat] for flop in group.flops]
        later, held = [now[self.next[flop]] for flop in beat], [self.good[flop] for flop in beat]
        self.agree((when, waits), later, held, "the beat that waits changes")

    def _all_sound(self, now: Mapping[int, int], but: set[int], what: str) -> None:
        for group in self.groups:
            if but.isdisjoint(group.flops) and not self._sound(group, now):
                self._find(group, f"is not sound {what}")
                return

    def _rests(self, now: Mapping[int, int], when: int, what: str) -> None:
        """Show that what follows is sound, and at rest, unless a job is taken."""
        self._all_sound(now, set(), what)
        taken = now[self.netlist.aliases["job_fire"][0]]
        coming = [now[self.next[group.flops[0]]] for group in self.state]
        idle = words.equals(self.forms, coming, IDLE)
        self.happens(when, taken ^ ONE, idle ^ ONE, text=f"no rest {what}")
        (waits,) = (now[self.next[group.flops[0]]] for group in self.valid)
        self.happens(when, waits, text=f"a beat waits {what}")

    def _wiped(self, beat_waits: int) -> None:
        """Show that all but the registers that are kept is zero next, unless a job is taken."""
        free = self.good[self.netlist.aliases["job_fire"][0]] ^ ONE
        for group in self.groups:
            if group in self.logs or self.kept.includes(group):
                continue
            when = beat_waits ^ ONE if group in self.checked[self.beat] else ONE
            if any(self.search.possible(free, when, self.good[self.next[f]]) for f in group.flops):
                self._find(group, "is not wiped behind the alarm")
                return

    def _signal(self, scope: str) -> int:
        """Return the net that tells that a register is wrong."""
        told = self._own_alarm(scope)
        if told is None:
            raise UsageError(f"{self.netlist.top}: nothing tells of an upset of {scope[:-1]}")
        return told
