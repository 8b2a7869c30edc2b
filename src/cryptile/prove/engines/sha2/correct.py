"""The proof of ``cry_sha2_engine`` at Correct: words are checked where they are used, and go round.

A wrong word raises a signal in the cycle in which it is used. The core then stalls, and its words
go round past one decoder, each to its place. So outputs are not equal in every cycle; shown is:

* detection: a flip of any flip-flop of a word raises the signal, or changes nothing but this one
  bit where the word goes;
* the stall: with the signal up, or in any cycle of the repair, and *anything* in the words, outputs
  and next state of all else are those of an undisturbed engine that is stalled for the cycle;
* the repair: in it the words are those of the undisturbed engine, turned by its count; behind the
  last of its cycles each word has passed the decoder once, is right, and in its place;
* a stalled engine stands still but for what has nothing to do with its words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove.engines.sha2.words import CORE, HASH, KEY, SCHEDULE, STATE, Sha2Proof
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.upset import NO_HINTS, REPORTS, Overlay, Proof, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another; so do the lemmas (induction over cycles).",
    "Detection: each flip of a flip-flop of a word raises the signal where the word is used, and "
    "is reported; else it changes nothing but this one bit where the word goes.",
    "Stall: with the signal up or in the repair, and anything in the words, outputs and next state "
    "of all else are those of an undisturbed engine that is stalled for the cycle.",
    "Repair: words turn by one in each of its 32 cycles, each past the decoder once, which gives "
    "the right word for any one wrong bit and raises no alarm; then all are right and in place.",
    "Pause: in a stall the words hold, nothing takes, gives or makes a word, and control holds or "
    "goes on as without it.",
    "All other flip-flops: an upset changes nothing outside in any cycle.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = (
    "A1: the next upset comes when the last has healed; a wrong word heals when it is used.",
    "A3: without upsets, values and their order do not depend on how long src, dst and the core "
    "take. Not proven: shown by simulation with random pauses, and under faults by "
    "cryptile faults.",
)
"""What the argument rests on; docs/protection.md has what every proof rests on."""

REPAIR = f"{CORE}gen_checks.gen_repair."
TURNS = {SCHEDULE: 0, STATE: 16, HASH: 24}
"""The count of the repair at which words begin to turn."""
CYCLES = 32

CONTROL = (
    "front_q", "back_q", "job_q", "result_q", "count_q", "beat_q", "fresh_q", "status_q",
    "u_pad.total_q", "u_pad.ended_q", "u_pad.marked_q", f"{CORE}control_q",
)  # fmt: skip
"""Registers that hold in a stall, or go on as without it."""

MOVES = (
    "word_fire",
    "context_fire",
    "hash_init",
    "hash_shift",
    "digest_shift",
    "result_fire",
    f"{CORE}step",
    f"{CORE}start",
)
"""What takes, gives or makes a word; all of it waits in a stall."""

NETS = (
    *MOVES,
    *CONTROL,
    *(f"{REPAIR}{name}" for name in ("wrong", "valid", "beyond")),
    f"{CORE}turned",
    f"{CORE}stall_o",
)
"""Nets that the argument is about, beside the two registers of the repair."""


class UnbuiltProof(Proof):
    """The proof of an engine in which nothing is repaired: it fails."""

    def run(self, *only: str) -> Verdict:
        """Say what is not there, and what stands alone, whatever is asked for."""
        verdict = super().run("count")
        verdict.findings.insert(0, f"{unbuilt(self.netlist)} is not built, and nothing is repaired")
        return verdict


def unbuilt(netlist: Netlist) -> str:
    """Return a net that the argument is about, if it is not there; nothing if all are.

    Synthesis leaves out what nothing reads.
    """
    names = (*NETS, f"{REPAIR}repair_q", f"{REPAIR}count_q")
    return next((name for name in names if name not in netlist.aliases), "")


class RepairProof(Sha2Proof):
    """The proof of ``cry_sha2_engine`` with ``ProtectCorrect``."""

    def __init__(
        self,
        netlist: Netlist,
        level: str,
        log: Iterable[re.Pattern[str]] = (),
        hints: Hints = NO_HINTS,
    ) -> None:
        """Find the registers of the repair; the arguments are those of ``Proof``."""
        super().__init__(netlist, level, log, hints, NETS)
        self.wrong, self.stall = self._net(f"{REPAIR}wrong"), self._net(f"{CORE}stall_o")
        self.beyond = self._net(f"{CORE}detected_o")
        (self.repairing,) = self._copies(f"{REPAIR}repair_q")
        self.count = self._copies(f"{REPAIR}count_q")
        self.turning = {flop for name in TURNS for g in self.families[name] for flop in g.flops}
        self._down[self.wrong] = ZERO

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "start": self._start,
            "step": self._step,
            "words": self._word_upsets,
            "stall": self._stalls,
            "turns": self._turns,
            "decoder": self._decodes,
            "pause": self._pauses,
            "elsewhere": self._elsewhere,
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        verdict.claim = "changes nothing outside but time"
        return verdict

    # --- States -----------------------------------------------------------------------------------

    def _at_work(self) -> dict[int, int]:
        return dict.fromkeys(self.repairing.flops, ZERO)

    def _at_turn(self, count: int) -> dict[int, int]:
        """Return the registers of the repair in one of its cycles."""
        return self._number(self.count, count) | dict.fromkeys(self.repairing.flops, ONE)

    def _turned(self, state: Mapping[int, int], count: int) -> dict[int, int]:
        """Return what the flip-flops of the words hold at a count of the repair."""
        found: dict[int, int] = {}
        for name, first in TURNS.items():
            words = self.families[name]
            turns = max(0, min(count - first, len(words)))
            for place, word in enumerate(words):
                target = words[(place + turns) % len(words)]
                found |= {
                    there: state[here] for there, here in zip(target.flops, word.flops, strict=True)
                }
        return found

    def _any_words(self) -> dict[int, int]:
        """Return arbitrary words."""
        return {flop: self.forms.variable() for flop in sorted(self.turning)}

    def _coming(self, values: Mapping[int, int], group: Group) -> int:
        return values[self.next[group.flops[0]]]

    # --- Sound states -----------------------------------------------------------------------------

    def _start(self) -> None:
        super()._start()
        if self.search.possible(self._coming(self.good, self.repairing)):
            self._find(self.repairing, "begins to repair behind reset")

    def _step(self) -> None:
        """Show that in a sound state no signal is up, and that it is followed by a sound state."""
        self._signals_down()
        self._enter()
        self._all_sound(self.groups)
        if self.search.possible(self._coming(self.good, self.repairing)):
            self._find(self.repairing, "is set without an upset")
        self._enter_any()
        self._all_sound(group for group in self.groups if group.flops[0] not in self.turning)

    def _enter_any(self, fixed: Mapping[int, int] | None = None) -> None:
        """Look at all cycles, at work and in the repair, with anything in the words."""
        sources = self._begin(fixed) | self._any_words()
        for group in (self.repairing, *self.count):
            sources |= dict.fromkeys(group.flops, self.forms.variable())
        self._look(
            sources, {self.wrong: self.forms.variable(), self.beyond: ZERO, self.alarm: ZERO}
        )

    # --- Upsets -----------------------------------------------------------------------------------

    def _word_is_seen(self, word: Group) -> bool:
        (report,) = self.netlist.outputs["fault_corrected_o"]
        told, everything = self._live([self.wrong, report]), self._live()
        for flop in word.flops:
            changed = self._flipped(flop, told)
            wrong = changed.get(self.wrong, ZERO)
            if wrong == ONE and changed.get(report) == ONE:
                continue
            texts = ["raises the signal at times"] if wrong else []
            texts += self._differences(flop, self._flipped(flop, everything))
            if texts:
                self._say(f"{self.names[flop]}: an upset {texts[0]}")
                return False
        return True

    def _differences(self, flop: int, changed: Mapping[int, int]) -> Iterator[str]:
        """Say what differs, but for one bit of the words."""
        own = {flop for group in self.moving[self.home[flop]] for flop in group.flops}
        yield from self._spread(own, changed)
        logs = {flop for group in self.logs for flop in group.flops}
        for other, d in self.next.items():
            if d not in changed or other in own or other in logs:
                continue
            if not self.search.equal(changed[d], self.good[d]):
                yield f"changes {self.names[other]}"
                return
        yield from self._seen_outside(changed, changed.get(self.alarm, ZERO))

    def _elsewhere(self) -> None:
        """Look at upsets of all that does not go round, at work and in the repair."""
        for groups in self._batches():
            self._enter_any()
            for group in groups:
                self._upsets(group)
        if KEY in self.families:
            self._key_upsets()

    def _key_upsets(self) -> None:
        """Look at upsets of the key; each is reported where its word is used, at the latest."""
        (report,) = self.netlist.outputs["fault_corrected_o"]
        words = self.families[KEY]
        untold = set(range(len(words[0].flops)))
        for fixed in self._key_states():
            self._enter_any(fixed)
            live = self._live()
            for place, flop in (pair for word in words for pair in enumerate(word.flops)):
                changed = self._flipped(flop, live)
                for text in self._effects({flop}, changed):
                    self._say(f"{self.names[flop]}: an upset {text}")
                    return
                if place in untold and report in changed:
                    told = self.forms.sum(changed[report], self.good[report])
                    untold -= {place} if self.search.possible(told) else set()
        for place in sorted(untold)[:1]:
            self._say(f"{self.names[words[0].flops[place]]}: an upset is never reported")

    def nearest(self) -> dict[str, tuple[Callable[[], None], float]]:
        """As in ``Proof``."""
        return super().nearest() | {"elsewhere": (self._nearest_elsewhere, 0.1)}

    def _nearest_elsewhere(self) -> None:
        self._enter_any()
        for group in self.first_groups(self._resting()):
            self._upsets(group)

    def _resting(self) -> list[Group]:
        return [group for group in self.groups if group not in self.moving]

    def _batches(self) -> list[list[Group]]:
        rest = self._resting()
        return [rest[first : first + 100] for first in range(0, len(rest), 100)]

    # --- Stall and repair -------------------------------------------------------------------------

    def _stalls(self) -> None:
        """Show that with the signal up all is as in a stall, and that the repair begins."""
        sources = self._begin()
        words, others = self._any_words(), self._any_words()
        known = {self.wrong: ONE, self.alarm: ZERO}
        faulty = self._evaluate(sources | words, known)
        if faulty[self.beyond] != ZERO:
            self._say("the alarm may be raised in the cycle of the signal")
        stalled = self._stalled(sources | others)
        same = self._stalled(sources | words)
        self.good = stalled
        self._assume(stalled)
        self._compare(faulty, stalled, "with the signal up")
        self._follow(faulty, same, 0, "with the signal up")
        (clear,) = self.netlist.inputs["clear_i"]
        begins = self.search.equal(self._coming(faulty, self.repairing), sources[clear] ^ ONE)
        if not begins or any(self._coming(faulty, group) for group in self.count):
            self._find(self.repairing, "does not begin with the first turn")
        # What is wrong in a word stays one bit of it.
        self.good = same
        live = self._live(self.next[flop] for flop in self.turning)
        for flop in sorted(self.turning):
            changed = self._flipped(flop, live, (self.stall, self.wrong, self.beyond, self.alarm))
            own = {flop for group in self.moving[self.home[flop]] for flop in group.flops}
            for text in self._spread(own, changed):
                self._say(f"{self.names[flop]}: in a stall an upset {text}")
                return

    def _stalled(self, sources: Mapping[int, int]) -> dict[int, int]:
        """Return the undisturbed engine in a stall."""
        work = dict.fromkeys(self.repairing.flops, ZERO)
        known = {self.stall: ONE, self.wrong: ZERO, self.beyond: ZERO, self.alarm: ZERO}
        return self._evaluate({**sources, **work}, known)

    def _compare(self, faulty: Mapping[int, int], good: Mapping[int, int], when: str) -> None:
        """Find what differs outside and in the next state, but of words, repair and reports."""
        but = {flop for group in (self.repairing, *self.count, *self.logs) for flop in group.flops}
        but |= self.turning
        nets = {self.next[flop]: name for flop, name in self.names.items() if flop not in but}
        for name, port in self.netlist.outputs.items():
            if name not in REPORTS:
                nets |= dict.fromkeys(port, name)
        for net, name in nets.items():
            if not self.search.equal(faulty[net], good[net]):
                self._say(f"{name}: differs from a stall {when}")
                return

    def _follow(
        self, faulty: Mapping[int, int], good: Mapping[int, int], turns: int, when: str
    ) -> None:
        """Find it if words are not loaded with those of the undisturbed engine, turned."""
        coming = {flop: good[self.next[flop]] for flop in self.turning}
        wanted = self._turned(coming, turns)
        busy = self._held(lambda flop: good[self.next[flop]], f"{CORE}control_q")[-1]
        schedule = {flop for group in self.families[SCHEDULE] for flop in group.flops}
        for flop, value in wanted.items():
            differs = self.forms.sum(faulty[self.next[flop]], value)
            if differs and self.search.possible(differs, busy if flop in schedule else ONE):
                self._say(f"{self.names[flop]}: is not loaded as it should {when}")
                return

    def _turns(self) -> None:
        """Show that in the repair all else is as in a stall, and that words go on by one."""
        sources = self._begin()
        words, others = self._any_words(), self._any_words()
        stalled, same = self._stalled(sources | others), self._stalled(sources | words)
        self._assume(stalled)
        self.good = same
        live = self._live()
        for count in range(CYCLES):
            turned = self._turned(words, count)
            right = (turned[flop] for flop in self._decoded(count).flops)
            changes = dict(zip(self.netlist.aliases[f"{CORE}turned"], right, strict=True))
            changes |= {self.beyond: ZERO, self.alarm: ZERO, self.stall: ONE}
            changed = self._changed(changes | turned | self._at_turn(count), live)
            faulty = Overlay(changed, same)
            self._compare(faulty, stalled, f"in turn {count}")
            self._follow(faulty, same, count + 1, f"in turn {count}")
            self._counts(faulty, sources, count)

    def _decoded(self, count: int) -> Group:
        """Return the word before the decoder."""
        name = next(name for name in reversed(TURNS) if count >= TURNS[name])
        return self.families[name][-1]

    def _counts(self, faulty: Mapping[int, int], sources: Mapping[int, int], count: int) -> None:
        clear = sources[self.netlist.inputs["clear_i"][0]]
        goes_on = ZERO if count + 1 == CYCLES else clear ^ ONE
        if not self.search.equal(self._coming(faulty, self.repairing), goes_on):
            self._find(self.repairing, f"does not end when it should, in turn {count}")
        for place, group in enumerate(self.count):
            if self._coming(faulty, group) != (count + 1) >> place & 1:
                self._find(group, f"does not count turn {count}")

    def _decodes(self) -> None:
        """Show that the decoder gives the right word for any one wrong bit, without an alarm."""
        turned, valid = self.netlist.aliases[f"{CORE}turned"], self._net(f"{REPAIR}valid")
        cone = self.cone_of((*turned, self.beyond))
        sources = self._begin()
        there = self._valid(sources.__getitem__)
        self._complete(sources)
        for count in range(CYCLES):
            self.good = {ZERO: ZERO, ONE: ONE, **sources, **self._turned(sources, count)}
            self.good |= self._at_turn(count)
            for place in sorted(cone):
                gate = self.netlist.gates[place]
                self.good[gate.output] = self._value(gate, [self.good[net] for net in gate.inputs])
            word = self._decoded(count)
            right = [self.good[flop] for flop in word.flops]
            for flop in (None, *word.flops):
                wrong = {} if flop is None else {flop: self.good[flop] ^ ONE}
                now = Overlay(self._propagate(wrong, cone), self.good)
                if [now[net] for net in turned] != right or now[self.beyond] != ZERO:
                    self._say(f"a wrong bit is not corrected in turn {count}")
                    return
            first = self.families[SCHEDULE][CYCLES // 2 - 1 - count]
            turns = count < TURNS[STATE]
            if turns and self.search.possible(self.good[valid], there[first] ^ ONE):
                self._find(first, f"may be anything, and raise the alarm, in turn {count}")

    # --- What a stall is --------------------------------------------------------------------------

    def _pauses(self) -> None:
        """Show that a stall stops all that has to do with words, and nothing else."""
        sources = self._begin()
        stalled = self._stalled(sources)
        going = self._evaluate(sources | dict.fromkeys(self.repairing.flops, ZERO), self._down)
        self._assume(going)
        for name in MOVES:
            for net in self.netlist.aliases[name]:
                if self.search.possible(stalled[net]):
                    self._say(f"{name}: does not wait in a stall")
        for name in CONTROL:
            held = self._held(sources.__getitem__, name)
            coming = [
                self._held({flop: values[d] for flop, d in self.next.items()}.__getitem__, name)
                for values in (stalled, going)
            ]
            moves, departs = (
                self.forms.any(self.forms.sum(a, b) for a, b in zip(coming[0], other, strict=True))
                for other in (held, coming[1])
            )
            if self.search.possible(moves, departs):
                self._say(f"{name}: neither holds in a stall nor goes on as without it")
        for name in ("job_ready_o", "key_ready_o", "src_ready_o", "dst_valid_o", "done_valid_o"):
            (net,) = self.netlist.outputs[name]
            if self.search.possible(stalled[net], going[net] ^ ONE):
                self._say(f"{name}: is up in a stall alone")
        clear, active = sources[self.netlist.inputs["clear_i"][0]], going[self._net("active")]
        busy = self._held(sources.__getitem__, f"{CORE}control_q")[-1]
        for name, used in ((SCHEDULE, busy), (STATE, busy), (HASH, active)):
            for flop in (flop for group in self.families[name] for flop in group.flops):
                moves = self.forms.sum(stalled[self.next[flop]], sources[flop])
                if self.search.possible(used, clear ^ ONE, moves):
                    self._say(f"{self.names[flop]}: does not hold in a stall")
                    return
