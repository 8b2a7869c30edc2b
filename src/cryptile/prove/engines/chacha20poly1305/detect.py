"""The proof of ``cry_chacha20poly1305_engine`` with ``ProtectDetect``.

What the engine promises is not what ``cryptile.prove.ending`` shows of others: a beat that waits at
``dst`` when a fault is found, and is right itself, still leaves. Behind the alarm the engine is in
one state, so that is shown step by step.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from cryptile.designs.hints import Hints
from cryptile.prove.cuts import Abstract
from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.cores import Ring
from cryptile.prove.engines.chacha20poly1305.engine import Engine
from cryptile.prove.engines.chacha20poly1305.registers import (
    CAUSES,
    LATE,
    OUTPUT,
    STATE_DONE,
    STATE_IDLE,
    SUM,
)
from cryptile.prove.engines.chacha20poly1305.ring_wipe import pushed_out
from cryptile.prove.engines.kept import Kept
from cryptile.prove.engines.replay import Replay
from cryptile.prove.engines.waiting import done_fires, nothing_else_leaves, promised
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group, Kind
from cryptile.prove.upset import Overlay, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another; the alarm is down in them.",
    "Upset: the flip of a register that corrects changes nothing outside, and raises no alarm. "
    "That of another one raises its signal in that cycle, or does nothing but be handed on as one "
    "wrong bit; with the signal up and the register holding anything, the alarm is up, or nothing "
    "differs.",
    "In the cycle of the alarm no job is done or taken, and dst offers what it offers without the "
    "upset, or nothing.",
    "From then on, for all inputs, dst offers the beat that waited, until it is taken; no other "
    "beat comes, nothing is taken from src or key, no job is taken before done, and done says "
    "StatusFaultDetected.",
    "The job ends when that beat is taken: from then on done is valid.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = ("A1: the next upset comes when the job that this one ends is done.",)


class DetectProof(Engine):
    """The proof that an upset is harmless, or ends the job."""

    def __init__(self, design: Abstract, hints: Hints, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the parts of a netlist from ``without_arithmetic``; the rest as in ``Proof``."""
        super().__init__(design, "detect", log)
        self.hints = hints
        status = self.copies("u_status.")
        self.waits, self.status = status[0], status[2:]
        self.late = [group for group in self.groups if group.scope.startswith(LATE)]
        self.output = [group for group in self.groups if group.scope.startswith(OUTPUT)]
        core = self.stream.core
        self.ring = core if isinstance(core, Ring) else None
        self.stages = [place.group for place in core.places] if self.ring else []

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "step": self._step,
            "sources": self._sources_upsets,
            **({"shapes": self._shapes} if SUM in self.abstract.inputs else {}),
            "corrected": self._corrected,
            "quiet": self._quiet,
            "alarm": self._alarm_cycle,
            "behind": self._after,
            **({"ring": partial(pushed_out, self, self.ring)} if self.ring else {}),
            "idle": self._idle,
            "start": self._start,
            "kept": lambda: self.kept.look(but=[*self.state, *self.status]),
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        self.kept = Kept(self)
        verdict = super().run(*only)
        wiped = f"All but that beat is wiped two clocks behind the alarm, but for {self.kept}."
        pushed = (
            ()
            if not self.ring
            else (
                "No block is in the ring by then. Zeros push out what is left there: as long as no "
                f"job comes it is wiped {len(self.stages) + 2} clocks behind the alarm.",
            )
        )
        verdict.argument, verdict.assumptions = (*ARGUMENT, wiped, *pushed), ASSUMPTIONS
        verdict.claim = "is harmless or ends the job"
        return verdict

    # --- Sound states -----------------------------------------------------------------------------

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """No beat waits without a job."""
        state = super()._constrained(state)
        idle = words.equals(self.forms, [state[g.flops[0]] for g in self.state], STATE_IDLE)
        waits = self.forms.product(state[self.waits.flops[0]], idle ^ ONE)
        return state | dict.fromkeys(self.waits.flops, waits)

    def _step(self) -> None:
        super()._step()
        self._no_beat_without_job(self.good)

    def _no_beat_without_job(self, values: Mapping[int, int]) -> None:
        idle = words.equals(self.forms, self._coming(self.state, values), STATE_IDLE)
        self.happens(idle, *self._coming([self.waits], values), text="a beat waits without a job")

    def _coming(self, groups: Iterable[Group], values: Mapping[int, int]) -> list[int]:
        return [values[self.next[group.flops[0]]] for group in groups]

    # --- Upsets -----------------------------------------------------------------------------------

    def _sources_upsets(self) -> None:
        for source in self.sources:
            self.look_at(source)

    def _corrected(self) -> None:
        """Look at registers with a voter; each of the others must be known."""
        self.case({})
        for group in self.groups:
            if group.corrects or group in self.logs:
                self._upsets(group)
                for flop in group.flops:
                    changed = self._propagate({flop: self.good[flop] ^ ONE})
                    if self.alarm in changed:
                        self._find(group, "an upset that is corrected raises the alarm")
                        return
                continue
            known = group.scope.startswith(tuple(CAUSES))
            if not known and self.replayed.isdisjoint(group.flops):
                self._find(group, "nothing is known of it")

    def _causes(self) -> Iterator[tuple[str, set[int], int, bool]]:
        """Yield names of what can be wrong, flip-flops, what tells, and if only the stream does.

        Of two copies one is wrong.
        """
        for source in self.sources:
            yield source.name, set(source.flops), source.signal, source in self.stream.sources
        for scope, name in CAUSES.items():
            groups = [group for group in self.groups if group.scope.startswith(scope)]
            if not groups:
                continue
            wrong = [{flop for group in groups for flop in group.flops}]
            if groups[0].kind is Kind.copies:
                wrong = [{group.flops[copy] for group in groups} for copy in range(2)]
            for flops in wrong:
                yield scope, flops, self.net(name), False

    def _report(self) -> None:
        """Each flip of a register that is in no source raises its signal."""
        self.case({})
        for scope, flops, signal, _ in self._causes():
            if self.replayed.isdisjoint(flops):
                cone = self._cone(signal)
                for flop in sorted(flops):
                    if self._propagate({flop: self.good[flop] ^ ONE}, cone).get(signal) != ONE:
                        self.verdict.findings.append(f"{scope[:-1]}: an upset is not noticed")
                        return

    def _suppose(self, known: Mapping[int, int], fixed: Mapping[int, int] | None = None) -> None:
        """Look at sound states in which some nets have values."""
        self.case(fixed or {}, known)
        for net, value in known.items():
            if net in self.netlist.drivers:
                gate = self.netlist.drivers[net]
                made = self._value(gate, [self.good[source] for source in gate.inputs])
                self.search.require(made ^ value ^ ONE)

    def _rewritten(
        self, wrong: Iterable[int], held: Mapping[int, int], changed: Mapping[int, int]
    ) -> Iterator[str]:
        """As in ``Proof``; what is empty in the next cycle may hold anything (``unused``)."""
        now = Overlay(changed, self.good)
        left = set(wrong)
        for place in self.places:
            if not self.search.possible(now[self.next[place.used.flops[0]]]):
                left.difference_update(place.group.flops)
        return super()._rewritten(left, held, changed)

    def _wrong(self, flops: set[int], signal: int) -> dict[int, int]:
        anything = {flop: self.forms.variable() for flop in sorted(flops)}
        return self._log_values | anything | {signal: ONE}

    def _quiet(self) -> None:
        """Where a signal does not raise the alarm, nothing differs."""
        self._report()
        active, run = self.net("active"), self.net("run")
        for name, flops, signal, streams in self._causes():
            cases = [{active: ZERO}, *([{active: ONE, run: ZERO}] if streams else [])]
            for known in cases:
                self._suppose(known)
                changes = self._wrong(flops, signal)
                changed = self._propagate(changes)
                if self.search.possible(changed.get(self.alarm, ZERO)):
                    self.verdict.findings.append(f"{name}: an alarm without a job")
                texts = [*self.effects(flops, changed), *self._rewritten(flops, changes, changed)]
                if texts:
                    self.verdict.findings.append(f"{name}: without the alarm wrong data {texts[0]}")
                    return

    # --- The alarm --------------------------------------------------------------------------------

    def _alarm_cycle(self) -> None:
        active, run = self.net("active"), self.net("run")
        (clear,) = self.netlist.inputs["clear_i"]
        for name, flops, signal, streams in self._causes():
            for cleared in (ZERO, ONE):
                # clear_i stops the stream, so that it raises no alarm then.
                if streams and cleared:
                    continue
                known = {active: ONE, clear: cleared, **({run: ONE} if streams else {})}
                self._suppose(known)
                changed = self._propagate(self._wrong(flops, signal))
                if changed.get(self.alarm) != ONE:
                    self.verdict.findings.append(f"{name}: no alarm")
                    return
                self._in_alarm(name, flops, Overlay(changed, self.good), cleared)
                if self.verdict.findings:
                    return

    def _in_alarm(self, name: str, flops: set[int], now: Mapping[int, int], cleared: int) -> None:
        """Look at the outputs in the cycle of the alarm, and at what follows."""
        leaves = nothing_else_leaves(self, name, now)
        # A core may hand on to the block what is wrong: behind the alarm both may hold anything.
        self._follows(name, now, leaves, cleared, flops | self.replayed)
        self.all_in_bounds(now)

    def _follows(
        self, name: str, now: Mapping[int, int], leaves: int, cleared: int, loose: set[int]
    ) -> None:
        """Show that the job's end follows; with ``clear_i``, rest."""
        state = STATE_IDLE if cleared else STATE_DONE
        (ready,) = self.netlist.inputs["dst_ready_i"]
        waiting = ZERO if cleared else self.forms.product(leaves, self.asked[ready] ^ ONE)
        coming = self._coming
        for first, second, text in (
            (coming(self.state, now), words.number(state, 4), "another state follows"),
            (coming([self.waits], now), [waiting], "a beat comes or goes"),
        ):
            self.agree((), first, second, f"{name}: {text} behind the alarm")
        if not cleared:
            status = words.number(DETECTED, len(self.status))
            self.agree((), coming(self.status, now), status, f"{name}: another status follows")
        for group in self.output:
            held = [self.good[flop] for flop in group.flops]
            later = [now[self.next[flop]] for flop in group.flops]
            self.agree((waiting,), later, held, f"{name}: the beat that waits changes")
        if cleared:
            loose = {flop for group in (*self.late, *self.output) for flop in group.flops}
            self._wiped(now, ZERO, self.output)
        for group in self.groups:
            if loose.isdisjoint(group.flops) and not self._sound(group, now):
                self._find(group, f"is not sound behind an alarm of {name}")
                return

    # --- Behind it --------------------------------------------------------------------------------

    def _ended(self, clear: int, waits: int) -> None:
        """Look at all states behind an alarm; ``waits``: a beat does, and its register is sound.

        Whatever only notices an upset may hold anything, and tell or not.
        """
        fixed = self.number_held(self.state, STATE_DONE) | self.number_held(self.status, DETECTED)
        fixed |= dict.fromkeys(self.waits.flops, waits)
        loose = self.unchecked
        if waits:
            loose -= {flop for group in self.output for flop in group.flops}
        told = {self.net(CAUSES[OUTPUT]): ZERO} if waits else {}
        self.entered(fixed, loose, told, {self.netlist.inputs["clear_i"][0]: clear})

    @property
    def unchecked(self) -> set[int]:
        """The flip-flops of which an upset raises the alarm: behind it they may hold anything."""
        return {flop for _, flops, _, _ in self._causes() for flop in flops}

    def entered(
        self,
        fixed: Mapping[int, int],
        loose: set[int],
        told: Mapping[int, int] | None = None,
        inputs: Mapping[int, int] | None = None,
    ) -> None:
        """Look at all states with anything in some flip-flops, whatever tells of them."""
        self._forget()
        # How many blocks are begun may be wrong for a cycle.
        sources = Replay._constrained(self, self._sound_state() | dict(fixed))
        sources |= {flop: self.forms.variable() for flop in sorted(loose)}
        signals = {signal: self.forms.variable() for _, _, signal, _ in self._causes()}
        self.asked |= inputs or {}
        self.good = self._evaluate(sources | self.asked, signals | dict(told or {}))

    def _after(self) -> None:
        for waits in (ZERO, ONE):
            for clear in (ZERO, ONE):
                self._ended(clear, waits)
                promised(self, waits)
                self._left(clear, waits)
                if self.verdict.findings:
                    return

    def _left(self, clear: int, waits: int) -> None:
        """Look at the next state: the same, wiped, or that behind ``done`` or ``clear_i``."""
        (ready,) = self.netlist.inputs["dst_ready_i"]
        stays = ZERO if clear else done_fires(self) ^ ONE
        coming, done = self.coming(self.state), words.number(STATE_DONE, 4)
        self.agree((stays,), coming, done, "a job that a fault ended has another state")
        status = words.number(DETECTED, len(self.status))
        self.agree((stays,), self.coming(self.status), status, "the status changes behind an alarm")
        waiting = self.forms.product(waits, self.asked[ready] ^ ONE)
        (later,) = self.coming([self.waits])
        self.agree((stays,), [later], [waiting], "a beat comes behind the alarm")
        self.happens(stays ^ ONE, later, text="a beat waits behind the end of a job")
        taken = self.forms.product(self.good[self.net("job_fire")], clear ^ ONE)
        rests = words.equals(self.forms, coming, STATE_IDLE)
        self.happens(stays ^ ONE, taken ^ ONE, rests ^ ONE, text="no rest behind the end of a job")
        for group in self.empty:
            self.agree((), self.coming([group]), [ZERO], "key stream or product stays")
        self._all_sound([group for group in self.groups if group not in self.late])
        for group in self.late:
            if not self._sound_if(group, taken):
                self._find(group, "is not sound when a job is taken")
        self.all_in_bounds(self.good)
        if not waits:
            self._wiped(self.good, taken, ())
            return
        self._wiped(self.good, taken, self.output)
        kept = self.forms.product(waiting, stays)
        for group in self.output:
            now, later_beat = self.data(group)
            self.agree((kept,), later_beat, now, "the beat that waits changes")

    def _wiped(self, now: Mapping[int, int], taken: int, but: Iterable[Group]) -> None:
        """Show that all but some registers are zero in the next state if no job is taken."""
        for group in self.groups:
            if group in (*self.logs, *but, *self.stages) or self.kept.includes(group):
                continue
            for flop in group.flops:
                if self.search.possible(now[self.next[flop]], taken ^ ONE):
                    self._find(group, "is not wiped behind the alarm")
                    break

    def _sound_if(self, group: Group, when: int) -> bool:
        """Say whether a register is sound in the next state if a form is one."""
        coming = [self.good[self.next[flop]] for flop in group.flops]
        if group.kind is Kind.copies:
            pairs = [(coming[0], value) for value in coming[1:]]
        else:
            pairs = [
                (coming[place], self.forms.total(coming[i] for i in members))
                for place, members in group.checks()
            ]
        return not any(
            a != b and self.search.possible(when, self.forms.sum(a, b)) for a, b in pairs
        )

    # --- At rest ----------------------------------------------------------------------------------

    def _idle(self) -> None:
        """Without a job nothing reads what a job writes as it begins, and the output beat."""
        self.case(self.number_held(self.state, STATE_IDLE))
        self.happens(self.good[self.net("active")], text="an alarm can be up at rest")
        if self.verdict.findings:
            return
        loose = {flop for group in (*self.late, *self.output) for flop in group.flops}
        changes = self._log_values | {flop: self.forms.variable() for flop in sorted(loose)}
        changed = self._propagate(changes)
        texts = [*self.effects(loose, changed), *self._rewritten(loose, changes, changed)]
        for text in texts:
            self.verdict.findings.append(f"what holds nothing at rest {text}")
            return
        self.good = Overlay(changed, self.good)
        fires = self.good[self.net("job_fire")]
        for group in self.late:
            if not self._sound_if(group, fires):
                self._find(group, "is not sound when a job is taken")
        for group in self.output:
            if any(self.search.possible(self.good[self.next[flop]]) for flop in group.flops):
                self._find(group, "is not wiped at rest")
        # So upsets are looked at with anything there.
        for group in self.groups:
            if loose.isdisjoint(group.flops) and self.replayed.isdisjoint(group.flops):
                self._silent_upsets(group)
