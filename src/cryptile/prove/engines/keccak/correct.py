"""The proof of ``cry_keccak_engine`` with ``ProtectCorrect``: a wrong state is made again.

Beside the state the engine keeps what went into the last cycle, and whether that did a round, and
which one: from these the state is made again, whatever it held.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from cryptile.prove.cuts import behind
from cryptile.prove.engines import words
from cryptile.prove.engines.keccak.engine import (
    ADDED,
    FAULT,
    FEED,
    LANE,
    ROUNDED,
    SPONGE,
    Engine,
)
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group
from cryptile.prove.upset import Overlay, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another: parities are right, the buffer is zero where it "
    "is written, and no fault is found (induction over cycles).",
    "Detection: each flip of a flip-flop of the state or of its parities is found in that cycle, "
    "and one of the buffer when it is absorbed; before, it is that one bit still. What is kept of "
    "the cycle before is read by nothing while no fault is found.",
    "Containment: with a fault found and anything in the state, or in the buffer that is absorbed, "
    "outputs and next state are those of an engine that stands still for it; it is reported.",
    "Again: the state is a round of what is kept, or that itself, and which of the two is known. "
    "Behind a fault it is set back, in the next cycle the same is done with it again: then state "
    "and number of the round are what they were. A buffer that is found wrong again is put right.",
    "Pause: with a fault all stands still but a beat that waits at dst; in the cycle that is done "
    "again the permutation takes a cycle more, for all that others can see.",
    "All other flip-flops: an upset changes nothing outside in any cycle.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = (
    "A1: the next upset comes when the last has healed and one cycle has passed without a fault: a "
    "wrong bit of the buffer may wait until it is absorbed or wiped.",
    "A3: without upsets, values and their order do not depend on how long src, dst and the "
    "permutation take. Not proven: shown by simulation with random pauses, and under faults by "
    "cryptile faults.",
)
"""What the argument rests on; docs/protection.md has what every proof rests on."""

AGAIN, TRIES, RAN, RAN_ROUND, ROUND = "again_q", "tries_q", "ran_q", "ran_round_q", "round_q"

HELD = (
    "state_q", "status_q", "job_q", "count_q", "read_q", "full_q", "last_q", "have_q",
    "half_q", "stale_q", f"{FEED}lane_q", f"{FEED}offset_q", f"{FEED}step_q",
)  # fmt: skip
"""Registers that hold while a fault is found; so does part_q, which is zero in other states."""

KEY = 7
"""The state in which the parts of a key are counted."""

HALF = slice(19, 19 + LANE)
"""Places of the first lane in a beat."""

ROUNDS = 24


class CorrectProof(Engine):
    """The proof that an upset changes nothing but time."""

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {
            "count": self._count,
            "step": self._step,
            "state": self._state_upsets,
            "buffer": self._buffer_upsets,
            "kept": self._kept_upsets,
            "again": self._made_again,
            "pause": self._pauses,
            "elsewhere": self._elsewhere,
            "start": self._start,
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        if lost := self._lost():
            self.begin()
            self._find(self.state, f"{lost} is not built, and nothing is made again")
            return self.verdict
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        verdict.claim = "changes nothing outside but time"
        return verdict

    def _lost(self) -> str:
        """Return a register of those that the argument is about, or the fault, if it is not there.

        Synthesis leaves out what never changes, and what nothing reads.
        """
        for name in (AGAIN, TRIES, RAN, RAN_ROUND, ROUND):
            nets = self.netlist.aliases.get(name, (ZERO,))
            if not all(self.voted.get(net) in self.home for net in nets):
                return name
        return "" if self.net(FAULT) > ONE else FAULT

    # --- Sound states -----------------------------------------------------------------------------

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """In the cycle in which something is done again, what is kept may be anything."""
        state = super()._constrained(state)
        (again,) = self.register(AGAIN)
        for flop in self.prior.flops:
            wrong = self.forms.product(state[again.flops[0]], self.anything[flop])
            state[flop] = self.forms.sum(state[flop], wrong)
        return state

    def lemmas_of(self, state: Mapping[int, int]) -> Iterator[tuple[int, str]]:
        """As in ``Engine``; and the round to come is the one behind that which was done."""
        yield from super().lemmas_of(state)
        forms, read = self.forms, self.words_of(state)
        (again,), (ran,) = read(AGAIN), read(RAN)
        behind = words.same(forms, read(ROUND), self._next_round(read(RAN_ROUND)))
        done = self.forms.any([again, ran ^ ONE, behind])
        none = self.forms.any([ran, words.none(forms, *read(ROUND))])
        yield forms.product(done, none), "another round is to come"

    def _next_round(self, number: list[int]) -> list[int]:
        per_cycle = 1 + (f"{SPONGE}gen_round[1].in" in self.netlist.aliases)
        last = words.equals(self.forms, number, ROUNDS - per_cycle)
        more = words.add(self.forms, number, words.number(per_cycle, len(number)))
        return [self.forms.product(bit, last ^ ONE) for bit in more]

    # --- Upsets -----------------------------------------------------------------------------------

    def _state_upsets(self) -> None:
        """Show that a wrong bit of the state is found, and does nothing but to make it again."""
        self.state_is_checked(self.at(again=0, tries=0))
        if self.verdict.findings:
            return
        self._stopped(self.state, self.asks(wipe=ZERO), tries=0)

    def _stopped(self, group: Group, known: Mapping[int, int], tries: int) -> None:
        """Show that with a fault found nothing reads a register, and that it is reported."""
        self.case(self.at(again=0, tries=tries), known, {self.net(FAULT): ONE})
        changes = {flop: self.anything[flop] for flop in group.flops} | {self.net(FAULT): ONE}
        changed = self._propagate(self._log_values | changes)
        for text in self.effects({*self.prior.flops, *group.flops}, changed):
            self._find(group, f"with a fault found wrong data {text}")
            return
        told = self.netlist.outputs["fault_corrected_o"][0]
        self.happens(Overlay(changed, self.good)[told] ^ ONE, text="a fault is not reported")

    def _buffer_upsets(self) -> None:
        """Show that a wrong bit stays alone, is found when it is absorbed, and is put right."""
        lanes = self.buffer.flops[self.buffer.width + LANE :]
        others = self.buffer.flops[: self.buffer.width + LANE]
        self.buffer_waits()
        known = self.asks(wipe=ZERO, absorb=ONE)
        self.case(self.at(again=0), known)
        self.each_is_found(self.buffer, others)
        self.no_effect(self.buffer, {flop: self.anything[flop] for flop in lanes})
        for tries in (0, 1):
            self._stopped(self.buffer, known, tries)
            self._is_handed_on(others, right=bool(tries))

    def _is_handed_on(self, flops: Iterable[int], *, right: bool) -> None:
        """Show what becomes of the buffer behind a flip that is found: the same, or it is right."""
        coming = {self.next[flop]: flop for flop in self.buffer.flops}
        cone = self.cone_of(coming)
        fault = {self.net(FAULT): ONE}
        good = self.good
        self.good = found = {**good, **self._propagate(fault, cone)}
        differs = {net for net in coming if found[net] != good[net]}
        for flop in flops:
            changed = self._propagate({flop: good[flop] ^ ONE, **fault}, cone)
            now = Overlay(changed, found)
            wrong = {
                coming[net]
                for net in differs | (coming.keys() & changed.keys())
                if not self.search.equal(now[net], good[net])
            }
            if not wrong <= (set() if right else {flop}):
                self._find(self.buffer, "is not put right" if right else "an upset spreads")
                break
        self.good = good

    def _kept_upsets(self) -> None:
        """Show that nothing reads what is kept of the cycle before while no fault is found."""
        kept = [*self.prior.flops]
        for name in (TRIES, RAN, RAN_ROUND):
            kept += [flop for group in self.register(name) for flop in group.flops]
        for again in (ZERO, ONE):
            self.case(self.at(again=again))
            flops = self.prior.flops if again else kept
            changed = self.no_effect(self.prior, {flop: self.forms.variable() for flop in flops})
            if any(self.next[flop] in changed for flop in self.prior.flops):
                self._find(self.prior, "is not rewritten")

    def _elsewhere(self) -> None:
        """Look at upsets of all registers with a voter."""
        self._upsets_in_both(self.resting())

    def _upsets_in_both(self, groups: Iterable[Group]) -> None:
        """Look at upsets in any cycle, and in one that is done again."""
        for again in (ZERO, ONE):
            self.case(self.at(again=again))
            for group in groups:
                self._upsets(group)

    def nearest(self) -> dict[str, tuple[Callable[[], None], float]]:
        """As in ``Proof``."""
        groups = self.first_groups(self.resting())
        return {"elsewhere": (lambda: self._upsets_in_both(groups), 0.25)}

    # --- Again ------------------------------------------------------------------------------------

    def _made_again(self) -> None:
        """Show what the state is a function of, and that behind a fault it is that again."""
        round_nets = {*self.netlist.aliases[ADDED], *self.netlist.aliases[ROUND], ZERO, ONE}
        read = behind(self.netlist, self.abstract.inputs[ROUNDED], round_nets)
        if not {net for net in read if net not in self.netlist.drivers} <= round_nets:
            self.verdict.findings.append("a round reads more than state and number")
        for again in (ZERO, ONE):
            for run in (ZERO, ONE):
                self.case(self.at(again=again), self.asks(wipe=ZERO, run=run))
                self._is_kept(run)
                if again:
                    self._does_the_same(run)
            self.case(self.at(again=again), self.asks(wipe=ONE))
            none = [ZERO] * self.state.width
            for group in (self.state, self.prior):
                self.agree((), self.coming_lanes(group), none, "the state is not wiped")
        for tries in (0, 1):
            self.case(self.at(again=0, tries=tries), self.asks(wipe=ZERO), {self.net(FAULT): ONE})
            self._is_set_back(tries)

    def _is_kept(self, run: int) -> None:
        """Show that the state is a round of what is kept, or that itself."""
        state, kept = self.coming_lanes(self.state), self.coming_lanes(self.prior)
        facts = [(self.register_next(RAN), [run], "whether a round was done is not kept")]
        if run:
            facts += [
                (state, self.values(ROUNDED), "the state is no round"),
                (kept, self.values(ADDED), "what goes into a round is not kept"),
                (
                    self.register_next(RAN_ROUND),
                    self.register_now(ROUND),
                    "the number of a round is not kept",
                ),
            ]
        else:
            facts.append((kept, state, "the state is not kept"))
        self._are(facts)

    def _does_the_same(self, run: int) -> None:
        self._are(
            [
                (self.register_now(RAN), [run], "a round is not done again, or none is"),
                (self.values(ADDED), self.held_lanes(self.state), "something is absorbed again"),
                (self.register_next(AGAIN), [ZERO], "it is done again without end"),
            ]
        )

    def _is_set_back(self, tries: int) -> None:
        self.followed([g for g in self.groups if g is not self.prior], "behind a fault")
        (ran,) = self.register_now(RAN)
        for when, number in ((ran, RAN_ROUND), (ran ^ ONE, ROUND)):
            self.agree(
                (when,),
                self.register_next(ROUND),
                self.register_now(number),
                "the number of the round is not set back",
            )
        kept = self.held_lanes(self.prior)
        self._are(
            [
                (self.coming_lanes(self.state), kept, "the state is not set back"),
                (self.register_next(RAN), [ran], "what is to be done again is lost"),
                (self.register_next(AGAIN), [ONE], "nothing is done again"),
                (self.register_next(TRIES), words.number(tries + 1, 2), "faults are not counted"),
            ]
        )

    def _are(self, facts: Iterable[tuple[list[int], list[int], str]]) -> None:
        for first, second, text in facts:
            self.agree((), first, second, text)

    # --- Pause ------------------------------------------------------------------------------------

    def _pauses(self) -> None:
        self._stands_still()
        self._takes_longer()
        self._unread_output()

    def _stands_still(self) -> None:
        """Show that with a fault found all holds but a beat that waits at ``dst``."""
        self.case(self.at(again=0, tries=0), self.asks(wipe=ZERO), {self.net(FAULT): ONE})
        for name in ("job_ready_o", "key_ready_o", "src_ready_o", "done_valid_o"):
            (net,) = self.netlist.outputs[name]
            self.happens(self.good[net], text=f"{name} is up while a fault is found")
        for name in HELD:
            self.agree(
                (),
                self.register_next(name),
                self.register_now(name),
                f"{name} moves while a fault is found",
            )
        buffer = self.buffer.flops
        self.agree(
            (),
            [self.good[self.next[flop]] for flop in buffer],
            [self.good[flop] for flop in buffer],
            "the buffer moves while a fault is found",
        )
        taking = words.equals(self.forms, self.register_now("state_q"), KEY)
        part = self.register_now("part_q")
        for when, then in ((taking, part), (taking ^ ONE, [ZERO] * len(part))):
            self.agree(
                (when,), self.register_next("part_q"), then, "part_q moves while a fault is found"
            )
        (offered,), (ready,) = (
            self.netlist.outputs["dst_valid_o"],
            self.netlist.inputs["dst_ready_i"],
        )
        (valid,), (later,) = self.register_now("valid_q"), self.register_next("valid_q")
        gone = self.forms.product(self.good[offered], self.good[ready])
        self.agree(
            (),
            [later],
            [self.forms.product(valid, gone ^ ONE)],
            "a beat comes or goes while a fault is found",
        )
        beat, held = self.register_next("dst_q"), self.register_now("dst_q")
        self.agree((later,), beat, held, "a beat changes while a fault is found")
        self.agree(
            (*self.register_now("half_q"), valid ^ ONE),
            beat[HALF],
            held[HALF],
            "half a beat changes while a fault is found",
        )

    def _takes_longer(self) -> None:
        """Show that others see no difference between a round and a cycle that waits for one."""
        self.case(self.at(again=0), {}, self.asks(idle=ZERO, run=ZERO))
        own = [
            flop
            for name in (AGAIN, TRIES, RAN, RAN_ROUND, ROUND)
            for group in self.register(name)
            for flop in group.flops
        ]
        changes = {flop: self.forms.variable() for flop in own} | self.asks(idle=ZERO, run=ONE)
        changed = self._propagate(self._log_values | changes)
        for text in self.effects({*own, *self.state.flops, *self.prior.flops}, changed):
            self.verdict.findings.append(f"a round that is made again {text}")
            return

    def _unread_output(self) -> None:
        """Show that the beat is not read before it is one, but for the half of it that is there."""
        for half in (ZERO, ONE):
            self.case(self.at(valid=0, half=half, again=0))
            groups = self.register("dst_q")
            if half:
                del groups[HALF]
            changes = {
                flop: value
                for group in groups
                for value in (self.forms.variable(),)
                for flop in group.flops
            }
            changed = self._propagate(self._log_values | changes)
            now = Overlay(changed, self.good)
            own = {flop for group in self.register("dst_q") for flop in group.flops}
            for text in self.effects(own, changed):
                self.verdict.findings.append(f"half {half}: what is no beat {text}")
                return
            (valid,), (later) = self.register_next("valid_q"), self.register_next("half_q")
            for place, group in enumerate(self.register("dst_q")):
                net = self.next[group.flops[0]]
                differs = self.forms.sum(now[net], self.good[net])
                low = place in range(HALF.start, HALF.stop)
                if self.search.possible(differs, valid) or (
                    low and self.search.possible(differs, *later)
                ):
                    self._find(group, "what is no beat becomes one")
                    return
