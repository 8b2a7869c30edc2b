"""The proof of ``cry_keccak_engine`` with ``ProtectDetect``: a wrong word ends the job."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptile.designs.hints import Hints
from cryptile.prove.cuts import Abstract
from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.keccak.engine import (
    CONTEXT_OUT,
    DONE,
    FAULT,
    IDLE,
    SQUEEZE,
    Engine,
)
from cryptile.prove.engines.kept import Kept
from cryptile.prove.engines.waiting import done_fires, nothing_else_leaves, promised
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.upset import Overlay, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another: parities are right, the buffer is zero where it "
    "is written, no fault is found and the alarm is down (induction over cycles).",
    "Upset: the flip of a register that corrects changes nothing outside, and raises no alarm. One "
    "of the state, of the buffer as it is absorbed, or of a beat raises the alarm in that cycle. "
    "A wrong bit of the buffer stays that one bit until then; what is no beat is not read.",
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

BEAT, BEAT_WRONG = "u_dst.gen_code.u_word.", "dst_detected"


@dataclass(frozen=True)
class Cause:
    """What can be wrong so that the alarm comes.

    Attributes:
        group: a register.
        signal: the net that tells.
        fixed: flip-flops in the states that are looked at.
        known: nets there.
    """

    group: Group
    signal: int
    fixed: Mapping[int, int]
    known: Mapping[int, int]


class DetectProof(Engine):
    """The proof that an upset is harmless, or ends the job."""

    def __init__(self, design: Abstract, hints: Hints, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the words; the rest as in ``Proof``."""
        super().__init__(design, "detect", log)
        self.hints = hints
        (self.beat,) = (group for group in self.groups if group.scope == BEAT)

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "step": self._step,
            "sponge": self._sponge_upsets,
            "beat": self._beat_upsets,
            "elsewhere": self._elsewhere,
            "alarm": self._alarms,
            "behind": self._behind_alarm,
            "start": self._start,
            "kept": lambda: self.kept.look(but=self.register("status_q")),
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        self.kept = Kept(self)
        verdict = super().run(*only)
        wiped = f"All but that beat is wiped two clocks behind the alarm, but for {self.kept}."
        verdict.argument, verdict.assumptions = (*ARGUMENT, wiped), ASSUMPTIONS
        verdict.claim = "is harmless or ends the job"
        return verdict

    def lemmas_of(self, state: Mapping[int, int]) -> Iterator[tuple[int, str]]:
        """As in ``Engine``; and a beat is given only while there is output to give."""
        yield from super().lemmas_of(state)
        read = self.words_of(state)
        (valid,), (half,) = read("valid_q"), read("half_q")
        gives = self.is_in(read, SQUEEZE, CONTEXT_OUT)
        waits = self.forms.any([valid, half])
        yield self.forms.gate("ornot", [gives, waits]), "a beat without output"
        yield self.forms.any([half ^ ONE, *read("count_q")]), "half a beat at the end"

    # --- Upsets -----------------------------------------------------------------------------------

    def _sponge_upsets(self) -> None:
        """Show that each flip of the state, and of a buffer that is absorbed, is found."""
        self.state_is_checked({})
        if self.verdict.findings:
            return
        self.buffer_waits()
        self.case({}, self.asks(wipe=ZERO, absorb=ONE))
        self.each_is_found(self.buffer, self.buffer.flops)

    def _beat_upsets(self) -> None:
        """Show that each flip of a beat is noticed, and that what is none is not read."""
        self.case({})
        signal = self.net(BEAT_WRONG)
        cone = self._cone(signal)
        for flop in self.beat.flops:
            if self._propagate({flop: self.good[flop] ^ ONE}, cone).get(signal) != ONE:
                self._find(self.beat, "an upset is not noticed")
                return
        self.case(self.at(valid=0, half=0))
        changes = {flop: self.forms.variable() for flop in self.beat.flops}
        changed = self.no_effect(self.beat, {**changes, signal: ONE})
        if any(self.next[flop] in changed for flop in self.beat.flops):
            self._find(self.beat, "what is no beat stays")

    def _elsewhere(self) -> None:
        """Look at upsets of all registers with a voter."""
        self.case({})
        for group in self.groups:
            if not self.replayed.isdisjoint(group.flops) or group is self.beat:
                continue
            self._upsets(group)
            for flop in group.flops:
                if self.alarm in self._propagate({flop: self.good[flop] ^ ONE}):
                    self._find(group, "an upset that is corrected raises the alarm")
                    return

    # --- The alarm --------------------------------------------------------------------------------

    def _causes(self) -> Iterator[Cause]:
        fault, beat = self.net(FAULT), self.net(BEAT_WRONG)
        (clear,) = self.netlist.inputs["clear_i"]
        yield Cause(self.state, fault, {}, self.asks(wipe=ZERO))
        yield Cause(self.buffer, fault, {}, self.asks(wipe=ZERO, absorb=ONE))
        for cleared in (ZERO, ONE):
            for fixed in (self.at(valid=1), self.at(valid=0, half=1)):
                yield Cause(self.beat, beat, fixed, {clear: cleared})

    def _alarms(self) -> None:
        """Look at the cycle of the alarm, with anything in the register that is wrong."""
        for cause in self._causes():
            self.case(cause.fixed, cause.known)
            wrong = {flop: self.forms.variable() for flop in cause.group.flops}
            changed = self._propagate({**self._log_values, **wrong, cause.signal: ONE})
            now = Overlay(changed, self.good)
            name = cause.group.scope
            self.happens(now[self.alarm] ^ ONE, text=f"{name}: no alarm")
            leaves = nothing_else_leaves(self, name, now)
            (clear,) = self.netlist.inputs["clear_i"]
            if cause.known.get(clear) == ONE:
                self._rests(now, ONE, f"when clear_i comes with an alarm of {name}")
            else:
                self._follows(cause.group, now, leaves)
            if self.verdict.findings:
                return

    def _follows(self, wrong: Group, now: Mapping[int, int], leaves: int) -> None:
        """Show that one of the states follows that ``_ended`` looks at."""
        later = self.later(now)
        read = self.words_of(later)
        (ready,) = self.netlist.inputs["dst_ready_i"]
        waits = self.forms.product(leaves, self.asked[ready] ^ ONE)
        for register, value in self._end(waits).items():
            self.agree((), read(register), value, f"{register} is another one behind an alarm")
        held = [self.good[flop] for flop in self.beat.flops]
        beat = [later[flop] for flop in self.beat.flops]
        self.agree((waits,), beat, held, "the beat that waits changes")
        for group in self.groups:
            loose = group in (self.state, self.buffer) or group is wrong
            if not loose and not self._sound(group, now):
                self._find(group, "is not sound behind an alarm")
                return

    def _end(self, waits: int) -> dict[str, list[int]]:
        """Return what control holds behind an alarm."""
        return {
            "state_q": words.number(DONE, 4),
            "status_q": words.number(DETECTED, 4),
            "valid_q": [waits],
            "have_q": [ZERO],
            "half_q": [ZERO],
        }

    # --- Behind it --------------------------------------------------------------------------------

    def _behind_alarm(self) -> None:
        for waits in (ZERO, ONE):
            for clear in (ZERO, ONE):
                self._ended(clear, waits)
                promised(self, waits)
                self._goes_on(clear, waits)
                if self.verdict.findings:
                    return

    def _ended(self, clear: int, waits: int) -> None:
        """Look at all states behind an alarm, with anything in what only notices an upset."""
        self._forget()
        fixed = {
            flop: value
            for register, word in self._end(waits).items()
            for group, value in zip(self.register(register), word, strict=True)
            for flop in group.flops
        }
        loose = {*self.state.flops, *self.buffer.flops, *(() if waits else self.beat.flops)}
        anything = {flop: self.forms.variable() for flop in sorted(loose)}
        (net,) = self.netlist.inputs["clear_i"]
        self.asked[net] = clear
        self.good = self._evaluate(self._sound_state() | fixed | anything | self.asked)

    def _goes_on(self, clear: int, waits: int) -> None:
        """Show that it stays so until ``done`` or ``clear_i``, which lead to rest; all is wiped."""
        (ready,) = self.netlist.inputs["dst_ready_i"]
        dst_ready = self.asked[ready]
        stays = ZERO if clear else done_fires(self) ^ ONE
        waiting = self.forms.product(waits, dst_ready ^ ONE)
        later = self.later()
        read = self.words_of(later)
        for register, value in self._end(waiting).items():
            self.agree((stays,), read(register), value, f"{register} changes behind an alarm")
        held, beat = ([values[flop] for flop in self.beat.flops] for values in (self.good, later))
        self.agree((stays, waiting), beat, held, "the beat that waits changes")
        offered = [self.good[net] for net in self.netlist.outputs["dst_o"]]
        self.agree((waits,), offered, held[: self.beat.width], "another beat is offered")
        self._rests(self.good, stays ^ ONE, "behind the end of a job")
        self._wiped(later, self.forms.product(stays, waiting))

    def _rests(self, now: Mapping[int, int], when: int, what: str) -> None:
        """Show that what follows is sound, and at rest, unless a job is taken."""
        later = self.later(now)
        for group in self.groups:
            if not self._sound(group, now):
                self._find(group, f"is not sound {what}")
                return
        taken, idle = now[self.net("job_fire")], self.is_in(self.words_of(later), IDLE)
        self.happens(when, taken ^ ONE, idle ^ ONE, text=f"no rest {what}")
        for lemma, text in self.lemmas_of(later):
            self.happens(when, lemma ^ ONE, text=f"{text} {what}")
        for group, lane, byte, held in self.held_bytes(later):
            for flop in group.flops[64 * lane + 8 * byte :][:8]:
                if self.search.possible(when, later[flop], held ^ ONE):
                    self._find(group, f"is not empty {what}")
                    return

    def _wiped(self, later: Mapping[int, int], beat_waits: int) -> None:
        """Show that all but the registers that are kept is zero in the next state."""
        for group in self.groups:
            if group in self.logs or self.kept.includes(group):
                continue
            when = beat_waits ^ ONE if group is self.beat else ONE
            if any(self.search.possible(later[flop], when) for flop in group.flops):
                self._find(group, "is not wiped behind the alarm")
                return
