"""The proof of ``cry_sha2_engine`` at Detect: a wrong word ends the jobs that are there.

Words have parities, which are compared where the words are used; until then a wrong bit moves on
with its word. There may be two jobs: one takes its message (front) while the one before gives its
result (back). An alarm ends both. The state behind it is a sound one, so that the next job may
begin at once; all that remains to be shown is how the two end.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptile.prove.cuts import behind
from cryptile.prove.ending import DETECTED
from cryptile.prove.engines import words
from cryptile.prove.engines.kept import Kept
from cryptile.prove.engines.sha2.words import (
    BK_DONE,
    BK_IDLE,
    CORE,
    FR_DRAIN,
    FR_FAULT,
    FR_IDLE,
    HASH,
    KEY,
    SCHEDULE,
    STATE,
    USING_KEY,
    Sha2Proof,
)
from cryptile.prove.engines.waiting import (
    done_fires,
    done_follows,
    no_wrong_beat_leaves,
    nothing_is_taken,
    output,
)
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.upset import Overlay, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another, so do the lemmas; the alarm is down in them.",
    "Upset: the flip of a register that corrects changes nothing outside, and raises no alarm. One "
    "of a word raises the alarm where the word is used; else it changes nothing but this one bit "
    "where the word goes. One of a beat raises the alarm; what is no beat is not read.",
    "In the cycle of the alarm, whatever the wrong word holds, no job is taken, dst offers what it "
    "offers without the upset, or nothing, and so does done, for the job before.",
    "From then on, for all inputs: of a job that gave its result dst offers the beat that waited, "
    "until it is taken, and no other; then done says StatusFaultDetected. A job that took its "
    "message takes nothing more, and its done, which says the same, comes behind that.",
    "The state behind the alarm is sound. State and chaining value are wiped in it; as long as no "
    "job comes, zeros push out key and schedule, wholly 5 and 16 clocks behind the alarm.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = ("A1: the next upset comes when the jobs that this one ends are done.",)

BEAT, BEAT_WRONG = "gen_dst.u_beat.", "dst_wrong"


@dataclass(frozen=True)
class Cause:
    """What can be wrong so that the alarm comes.

    Attributes:
        name: for reports.
        flops: what is wrong.
        signal: the net that tells.
        fixed: flip-flops in the states that are looked at.
    """

    name: str
    flops: tuple[int, ...]
    signal: str
    fixed: Mapping[int, int]


class DetectProof(Sha2Proof):
    """The proof that an upset is harmless, or ends the jobs that are there."""

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "start": self._start,
            "step": self._step,
            "words": self._word_upsets,
            "key": self._key_upsets,
            "beat": self._beat_upsets,
            "elsewhere": self._elsewhere,
            "alarm": self._alarms,
            "back": self._back_ends,
            "front": self._front_ends,
            "wipe": self._wipes,
            "kept": lambda: self.kept.look(but=self._copies("status_q")),
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        self.kept = Kept(self)
        self.beat = [group for group in self.groups if group.scope == BEAT]
        self.given = [flop for group in self.beat for flop in group.flops]
        verdict = super().run(*only)
        left = f"A beat is wiped as it is taken. What stays: {self.kept}."
        verdict.argument, verdict.assumptions = (*ARGUMENT, left), ASSUMPTIONS
        verdict.claim = "is harmless or ends the jobs that are there"
        return verdict

    def _step(self) -> None:
        """Show that in a sound state no signal is up, and that it is followed by a sound state."""
        self._signals_down()
        self._enter()
        self._all_sound(self.groups)

    # --- Upsets -----------------------------------------------------------------------------------

    def _word_is_seen(self, word: Group) -> bool:
        told, everything = self._live([self.alarm]), self._live()
        for flop in word.flops:
            alarm = self._flipped(flop, told).get(self.alarm, ZERO)
            if alarm == ONE:
                continue
            texts = ["raises the alarm at times"] if alarm else []
            texts += self._effects({flop}, self._flipped(flop, everything))
            if texts:
                self._say(f"{self.names[flop]}: an upset {texts[0]}")
                return False
        return True

    def _key_upsets(self) -> None:
        for fixed in self._key_states() if KEY in self.families else ():
            self._enter(fixed)
            if not all(self._word_is_seen(word) for word in self.families[KEY]):
                return

    def _beat_upsets(self) -> None:
        """Show that each flip of a beat is noticed, and that what is none is not read."""
        signal = self._net(BEAT_WRONG)
        cone = self._cone(signal)
        self._enter(self._where(dst_valid=1))
        for flop in self.given:
            if self._propagate({flop: self.good[flop] ^ ONE}, cone).get(signal) != ONE:
                self._say(f"{self.names[flop]}: an upset is not noticed")
                return
        self._enter(self._where(dst_valid=0))
        anything = {flop: self.forms.variable() for flop in self.given}
        changed = self._propagate({**self._log_values, **anything})
        for text in self._effects(set(self.given), changed):
            self._say(f"what is no beat {text}")
            return
        if any(self.next[flop] in changed for flop in self.given):
            self._say("what is no beat stays")

    def _elsewhere(self) -> None:
        """Look at upsets of all registers with a voter."""
        self._enter()
        for group in self.groups:
            if group in self.moving or group in self.beat:
                continue
            self._upsets(group)
            for flop in group.flops:
                if self.alarm in self._propagate({flop: self.good[flop] ^ ONE}):
                    self._find(group, "an upset that is corrected raises the alarm")
                    return

    # --- The alarm --------------------------------------------------------------------------------

    def _causes(self) -> Iterator[Cause]:
        used = [g for name in (SCHEDULE, STATE, HASH) for g in self.families[name]]
        yield Cause("a word", _flops(used), f"{CORE}detected_o", {})
        if KEY in self.families:
            for front in USING_KEY:
                key = _flops(self.families[KEY])
                yield Cause("the key", key, "key_detected", self._where(front=front))
        for copy in range(2):
            flops = tuple(group.flops[copy] for group in self.beat)
            yield Cause("a beat", flops, BEAT_WRONG, self._where(dst_valid=1))

    def _alarms(self) -> None:
        """Look at the cycle of the alarm, with anything in what is wrong."""
        for cause in self._causes():
            for clear in (ZERO, ONE):
                self._look(self._begin(cause.fixed, {"clear_i": clear}), self._down)
                self.search.require(self._is_active())
                anything = {flop: self.forms.variable() for flop in cause.flops}
                changed = self._propagate(
                    {**self._log_values, **anything, self._net(cause.signal): ONE}
                )
                now = Overlay(changed, self.good)
                self.happens(now[self.alarm] ^ ONE, text=f"{cause.name}: no alarm")
                self.happens(
                    output(self, "job_ready_o", now),
                    text=f"{cause.name}: a job is taken under the alarm",
                )
                self._same_done(cause.name, now)
                waits = self._waits(no_wrong_beat_leaves(self, cause.name, now), clear)
                self._follows(now, waits, clear)
                but = self.beat if cause.signal == BEAT_WRONG else []
                self.good = now
                self._sound_behind(cause.name, but)
                if self.verdict.findings:
                    return

    def _same_done(self, name: str, now: Mapping[int, int]) -> None:
        """Show that ``done`` says of the job before what it says without the upset."""
        done, said = output(self, "done_valid_o", now), output(self, "done_valid_o")
        self.happens(self.forms.sum(done, said), text=f"{name}: done comes or goes by the alarm")
        for text in self._status(self.netlist.outputs["done_status_o"], now, done, ZERO):
            self._say(f"{name}: the alarm {text}")
            return

    def _waits(self, offered: int, clear: int) -> int:
        """Say as a form whether a beat that is offered still waits in the next cycle."""
        (ready,) = self.netlist.inputs["dst_ready_i"]
        return ZERO if clear else self.forms.product(offered, self.asked[ready] ^ ONE)

    def _follows(self, now: Mapping[int, int], waits: int, clear: int) -> None:
        """Show what front, back, status and beat are behind the alarm."""
        front, back = self._now("front_q"), self._now("back_q")
        idle, no_result = self._equals(front, FR_IDLE), self._equals(back, BK_IDLE)
        drains = self._equals(front, FR_DRAIN)
        done = output(self, "done_valid_o")
        coming = {name: self._next(name, now) for name in ("front_q", "back_q", "status_q")}
        stays = self.forms.product(drains, no_result ^ ONE)
        rests = self.forms.any([idle, self.forms.product(drains, no_result)])
        fronts = [(rests, FR_IDLE), (stays, FR_DRAIN), (self._none(idle, drains), FR_FAULT)]
        backs = [(no_result, BK_IDLE), (self._none(no_result, done), BK_DONE)]
        if clear:
            fronts, backs = [(ONE, FR_IDLE)], [(ONE, BK_IDLE)]
        for name, cases in (("front_q", fronts), ("back_q", backs)):
            for when, state in cases:
                expected = words.number(state, len(coming[name]))
                self.agree((when,), coming[name], expected, f"{name}: goes on behind an alarm")
        detected = words.number(DETECTED, len(coming["status_q"]))
        self.agree(
            (self._none(no_result, done),),
            coming["status_q"],
            detected,
            "a job that a fault ends gets another status",
        )
        # A job that was done before ends as it would without the upset.
        for name in () if clear else ("back_q", "status_q"):
            self.agree((done,), coming[name], self._next(name, self.good), f"{name} is lost")
        self._beat_stays(now, waits)

    def _beat_stays(self, now: Mapping[int, int], waits: int) -> None:
        """Show that just the beat that waits is there in the next cycle, unchanged."""
        self.agree((), self._next("dst_valid_q", now), [waits], "a beat comes or goes")
        later = [now[self.next[flop]] for flop in self.given]
        held = [self.good[flop] for flop in self.given]
        self.agree((waits,), later, held, "the beat that waits changes")

    def _sound_behind(self, name: str, but: list[Group]) -> None:
        """Show that a sound state follows, in which nothing is computed."""
        self._all_sound([group for group in self.groups if group not in but])
        self._is_zero(self._computing(), f"is not wiped by an alarm of {name}")
        self._is_pushed_out(SCHEDULE, ZERO)

    # --- Behind it --------------------------------------------------------------------------------

    def _back_ends(self) -> None:
        """Show how a job ends whose result was given, whatever the next one does."""
        inputs = {net for nets in self.netlist.inputs.values() for net in nets}
        read = behind(self.netlist, self.netlist.outputs["dst_o"], set())
        if read & (self.next.keys() | inputs) - {*self.given}:
            self._say("dst offers more than its register")
        for offered in (ZERO, ONE):
            for clear in (ZERO, ONE):
                self._ended({"back": BK_DONE, "status": DETECTED, "dst_valid": offered}, clear)
                done_follows(self, offered)
                self._beat_stays(self.good, self._waits(offered, clear))
                if not clear:
                    self._goes_on("back", done_fires(self) ^ ONE, BK_DONE)
                    self._goes_on("status", done_fires(self) ^ ONE, DETECTED)
                self._goes_on("back", ONE if clear else done_fires(self), BK_IDLE)

    def _front_ends(self) -> None:
        """Show how a job ends that took its message: behind the one before."""
        for back in (BK_IDLE, BK_DONE):
            for clear in (ZERO, ONE):
                self._ended({"front": FR_FAULT, "back": back}, clear)
                nothing_is_taken(self)
                self.happens(output(self, "job_ready_o"), text="a job is taken before done")
                self._goes_on("front", ONE, FR_FAULT if back and not clear else FR_IDLE)
                if clear:
                    self._goes_on("back", ONE, BK_IDLE)
                elif back == BK_IDLE:
                    self._goes_on("back", ONE, BK_DONE)
                    self._goes_on("status", ONE, DETECTED)
                else:
                    self._goes_on("back", done_fires(self), BK_IDLE)
                    self._goes_on("back", done_fires(self) ^ ONE, BK_DONE)

    def _ended(self, registers: Mapping[str, int], clear: int) -> None:
        """Look at sound states; what is no beat may be anything."""
        sources = self._begin(self._where(**registers), {"clear_i": clear})
        if registers.get("dst_valid") == 0:
            sources |= {flop: self.forms.variable() for flop in self.given}
        self._look(sources, self._down)

    def _goes_on(self, name: str, when: int, number: int) -> None:
        """Show what a register holds in the next state."""
        coming = self._next(f"{name}_q", self.good)
        expected = words.number(number, len(coming))
        self.agree((when,), coming, expected, f"{name} changes behind an alarm")

    def _wipes(self) -> None:
        """Show that all is wiped behind an alarm as long as no job comes, and that one may."""
        wiped = {flop: ZERO for group in self._computing() for flop in group.flops}
        for front in (FR_IDLE, FR_DRAIN, FR_FAULT):
            for back in (BK_IDLE, BK_DONE):
                self._look(self._begin(wiped | self._where(front=front, back=back)), self._down)
                clear = self.asked[self.netlist.inputs["clear_i"][0]]
                job = self.good[self._net("job_fire")]
                if front == FR_IDLE:
                    ready = output(self, "job_ready_o")
                    self.agree((), [ready], [clear ^ ONE], "no job is taken behind an alarm")
                if (front, back) == (FR_DRAIN, BK_IDLE):
                    self._goes_on("front", ONE, FR_IDLE)
                self._is_zero(self._computing(), "is not wiped behind an alarm", job)
                for name in (SCHEDULE, KEY):
                    self._is_pushed_out(name, job)
                self._rest_is_wiped(job)
                for name, states in (
                    ("front_q", (FR_IDLE, FR_DRAIN, FR_FAULT)),
                    ("back_q", (BK_IDLE, BK_DONE)),
                ):
                    coming = self._next(name, self.good)
                    here = self.forms.any(self._equals(coming, state) for state in states)
                    self.happens(here ^ ONE, job ^ ONE, text=f"{name} leaves what ends a job")

    def _computing(self) -> list[Group]:
        """Return what an alarm wipes at once: the core's control, state and chaining value."""
        return [
            *self._copies(f"{CORE}control_q"),
            *self.families[STATE],
            *self.families[HASH],
        ]

    def _is_zero(self, groups: Iterable[Group], text: str, unless: int = ZERO) -> None:
        for group in groups:
            if any(
                self.search.possible(self.good[self.next[f]], unless ^ ONE) for f in group.flops
            ):
                self._find(group, text)
                return

    def _is_pushed_out(self, name: str, unless: int) -> None:
        """Show that words move on by one place, behind a zero."""
        family = self.families.get(name, ())
        before = family if name == SCHEDULE else tuple(reversed(family))
        held = [[ZERO] * len(word.flops) for word in before[:1]]
        held += [[self.good[flop] for flop in word.flops] for word in before[:-1]]
        for word, expected in zip(before, held, strict=True):
            coming = [self.good[self.next[flop]] for flop in word.flops]
            self.agree((unless ^ ONE,), coming, expected, f"{name} is not pushed out")

    def _rest_is_wiped(self, job: int) -> None:
        """Show that all but words and the registers that are kept is zero in the next state."""
        (waits,) = self._next("dst_valid_q", self.good)
        self._is_zero(self.beat, "is not wiped when it is taken", waits)
        for group in self.groups:
            if group in self.logs or group in self.beat or group in self.moving:
                continue
            if not self.kept.includes(group):
                self._is_zero([group], "is not wiped behind an alarm", job)

    # --- Registers --------------------------------------------------------------------------------

    def _where(self, **registers: int) -> dict[int, int]:
        """Return registers that hold numbers, by their names without ``_q``."""
        found: dict[int, int] = {}
        for name, number in registers.items():
            found |= self._number(self._copies(self._named(f"{name}_q")), number)
        return found

    def _named(self, name: str) -> str:
        return f"gen_dst.{name}" if name == "dst_valid_q" else name

    def _now(self, name: str) -> list[int]:
        """Return what a register holds."""
        return self._held(self.good.__getitem__, name)

    def _next(self, name: str, values: Mapping[int, int]) -> list[int]:
        """Return what a register holds next."""
        return self._held(lambda flop: values[self.next[flop]], self._named(name))

    def _none(self, *forms: int) -> int:
        return words.none(self.forms, *forms)

    def _is_active(self) -> int:
        return self.forms.any([*self._now("front_q"), *self._now("back_q")])


def _flops(groups: Iterable[Group]) -> tuple[int, ...]:
    return tuple(flop for group in groups for flop in group.flops)
