"""What the proofs of ``cry_keccak_engine`` at all levels share: registers and sound states.

State and buffer are words with the parities of their slices beside them. What is written to the
buffer is ORed to it, and its parities are summed: right only where the buffer is zero. So a sound
state says, too, that bytes at and behind the position of the feed are.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptile.netlist.gates import Gate, Netlist
from cryptile.prove.cuts import Abstract, Cut, abstract
from cryptile.prove.engines import words
from cryptile.prove.engines.replay import Replay
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group, Kind, voters

SPONGE, FEED = "u_sponge.", "u_feed."
PARITY = f"{SPONGE}gen_parity."
ADDED, ROUNDED, FAULT = (f"{SPONGE}{name}" for name in ("added", "rounded", "fault"))
RUN, ABSORB, WIPE = "run", "absorb", "wipe"

LANE, RATE = 64, 21
"""Bits of a lane, and lanes of the buffer."""

IDLE, CHECK, CONTEXT_IN, MERGE = 0, 1, 2, 3
SQUEEZE, CONTEXT_OUT, DONE = 10, 11, 12

CONTROL = ("idle", "job_fire", RUN, ABSORB, WIPE, "move", "copy", "active", FAULT, ADDED)
"""What the argument names beside registers; it must not be lost with what reads it."""

Words = Callable[[str], list[int]]
"""The values of the nets of a name in some state."""


@dataclass(frozen=True)
class Lanes(Group):
    """Lanes beside the parities of their slices and, behind these, one of each lane."""

    def checks(self) -> list[tuple[int, list[int]]]:
        """As in ``Group``."""
        slices = [list(range(place, self.width, LANE)) for place in range(LANE)]
        lanes = [list(range(first, first + LANE)) for first in range(0, self.width, LANE)]
        sums = [*slices, *lanes][: len(self.flops) - self.width]
        return [(self.width + row, members) for row, members in enumerate(sums)]


def is_keccak(netlist: Netlist) -> bool:
    """Say whether a netlist is this engine, protected."""
    return f"{PARITY}state_parity_q" in netlist.aliases


def without_rounds(netlist: Netlist) -> Abstract:
    """Take the round out, of which it is enough that it is a function."""
    sinks = [net for name in CONTROL for net in netlist.aliases[name] if net > ONE]
    return abstract(netlist, [Cut(ROUNDED)], sinks)


class Engine(Replay):
    """Its registers and sound states.

    Attributes:
        state: the lanes of the state.
        buffer: those of the buffer.
        prior: the state that went into the last cycle, where it is kept.
    """

    def __init__(self, design: Abstract, level: str, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the words; the rest as in ``Proof``."""
        super().__init__(design, level, log)
        self.voted = voters(design.netlist)
        self.state = self._lanes("state_q", "state_parity_q")
        self.buffer = self._lanes("buffer_q", "buffer_parity_q", "gen_correct.lanes_q")
        self.prior = self._lanes("prior_q", "prior_parity_q")
        found = [group for group in (self.state, self.buffer, self.prior) if group.flops]
        self.replayed = {flop for group in found for flop in group.flops}
        others = [group for group in self.groups if self.replayed.isdisjoint(group.flops)]
        self.groups = [*others, *found]
        self.home = {flop: group for group in self.groups for flop in group.flops}
        written = [
            net for name in ("buffer_d", "held") for net in self.netlist.aliases[SPONGE + name]
        ]
        self._ored = {net for net in written if self.netlist.drivers[net].kind == "or"}
        self._known = {self.net(FAULT): ZERO}  # as the step shows
        self._named = {
            name: sorted(self.cone_of(design.netlist.aliases[name]))
            for name in _REGISTERS
            if name in design.netlist.aliases
        }

    def _lanes(self, word: str, *checks: str) -> Lanes:
        """Return a register of lanes with its parities; those that are constant are not built."""
        aliases = self.netlist.aliases
        names = [f"{SPONGE}{word}", *(f"{PARITY}{name}" for name in checks)]
        nets = [net for name in names for net in aliases.get(name, ()) if net > ONE]
        return Lanes(Kind.parity, names[0], tuple(nets), len(aliases[names[0]]))

    def register(self, name: str) -> list[Group]:
        """Return the copies of a register with a voter, lowest bit first."""
        return [self.home[self.voted[net]] for net in self.netlist.aliases[name]]

    # --- Sound states -----------------------------------------------------------------------------

    def words_of(self, state: Mapping[int, int]) -> Words:
        """Return how to read registers of a state, and what is made of them alone."""
        values = {ZERO: ZERO, ONE: ONE, **state}

        def read(name: str) -> list[int]:
            for place in self._named[name]:
                gate = self.netlist.gates[place]
                if gate.output not in values:
                    inputs = [values[net] for net in gate.inputs]
                    values[gate.output] = self._value(gate, inputs)
            return [values[net] for net in self.netlist.aliases[name]]

        return read

    def later(self, values: Mapping[int, int] | None = None) -> dict[int, int]:
        """Return the next state."""
        now = self.good if values is None else values
        return {flop: now[d] for flop, d in self.next.items()}

    def is_in(self, read: Words, *states: int) -> int:
        """Say as a form whether the engine is in one of some states."""
        return self.forms.any(words.equals(self.forms, read("state_q"), state) for state in states)

    def _passed(self, read: Words, lane: int, byte: int) -> int:
        """Say as a form whether the feed is behind a byte of a lane."""
        forms = self.forms
        at, offset, step = (read(f"{FEED}{name}_q") for name in ("lane", "offset", "step"))
        beyond = words.at_most(forms, at, lane) ^ ONE
        begun = forms.product(words.none(forms, *step), words.at_most(forms, offset, byte) ^ ONE)
        here = forms.product(words.equals(forms, at, lane), begun)
        return forms.gate("or", [beyond, here])

    def held_bytes(self, state: Mapping[int, int]) -> Iterator[tuple[Group, int, int, int]]:
        """Yield bytes of lanes: group, lane, byte, and as a form when they need not be zero."""
        read = self.words_of(state)
        full = self.forms.any([*read("full_q"), self.is_in(read, IDLE, MERGE, DONE)])
        empty, taking = self.is_in(read, CHECK), self.is_in(read, CONTEXT_IN)
        for lane in range(self.state.width // LANE):
            for byte in range(8):
                passed = self._passed(read, lane, byte)
                if lane < RATE:
                    yield self.buffer, lane, byte, self.forms.any([full, passed])
                    continue
                free = self.forms.gate("ornot", [passed, taking])
                for group in (self.state, self.prior) if self.prior.flops else (self.state,):
                    yield group, lane, byte, self.forms.product(free, empty ^ ONE)

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """Bytes that nothing was written to are zero."""
        state = super()._constrained(state)
        for group, lane, byte, held in self.held_bytes(state):
            for bit in range(8 * byte, 8 * byte + 8):
                flop = group.flops[LANE * lane + bit]
                state[flop] = self.forms.product(state[flop], held)
        for group in (self.state, self.buffer, self.prior):
            self.seal(group, state)
        return state

    def seal(self, group: Group, state: dict[int, int]) -> None:
        """Let the parities of lanes be right."""
        for place, members in group.checks():
            data = (state[group.flops[member]] for member in members)
            state[group.flops[place]] = self.forms.total(data)

    def case(
        self,
        fixed: Mapping[int, int],
        known: Mapping[int, int] | None = None,
        forced: Mapping[int, int] | None = None,
    ) -> None:
        """As in ``Replay``; the gates make what is known, and the lemmas hold.

        What is forced is taken for true although the gates make something else.
        """
        known = known or {}
        self._forget()
        self._sources = self._constrained(self._sound_state() | dict(fixed)) | self.asked
        for lemma, _ in self.lemmas_of(self._sources):
            self.search.require(lemma)
        for net, value in known.items():
            self.search.require(self._made(net) ^ value ^ ONE)
        if not self.search.possible():
            self.verdict.findings.append("nothing is shown: there is no such state")
        self.good = self._evaluate(self._sources, {**self._known, **known, **(forced or {})})

    def _made(self, net: int) -> int:
        """Return what the gates behind a net make of the state."""
        values = {ZERO: ZERO, ONE: ONE, **self._sources}
        for place in sorted(self._cone(net)):
            gate = self.netlist.gates[place]
            values[gate.output] = self._value(gate, [values[source] for source in gate.inputs])
        return values[net]

    def _value(self, gate: Gate, inputs: list[int]) -> int:
        """As in ``Replay``; of bits of which one is zero the OR is the sum, as parities are."""
        if gate.output in self._ored and not self.search.possible(*inputs):
            return self.forms.sum(*inputs)
        return super()._value(gate, inputs)

    def lemmas_of(self, state: Mapping[int, int]) -> Iterator[tuple[int, str]]:
        """Yield what control is like in every state that is reached, as forms."""
        forms, read = self.forms, self.words_of(state)

        def none(*names: str) -> int:
            return words.none(forms, *(bit for name in names for bit in read(name)))

        def implies(when: int, then: int) -> int:
            return forms.gate("ornot", [then, when])

        resting = ["round_q", "full_q", "have_q", *self.bookkeeping]
        (have,) = read("have_q")
        yield words.at_most(forms, read("state_q"), DONE), "no such state"
        yield words.equals(forms, read(f"{FEED}step_q"), 3) ^ ONE, "a piece in a fourth lane"
        lane, lanes = read(f"{FEED}lane_q"), read(f"{FEED}lanes_i")
        yield words.less(forms, lane, lanes), "the feed is behind the block"
        yield (
            implies(
                self.is_in(read, CHECK),
                none(*resting, *(f"{FEED}{name}_q" for name in ("lane", "offset", "step"))),
            ),
            "a job does not begin empty",
        )
        taking = self.is_in(read, CONTEXT_IN, MERGE)
        yield implies(taking, none(*resting)), "a round below a context"
        yield implies(have, self.is_in(read, SQUEEZE, CONTEXT_OUT)), "output without its state"
        yield implies(have, none("round_q", "full_q", *self.bookkeeping)), "output of a round"

    @property
    def bookkeeping(self) -> tuple[str, ...]:
        """Registers of one bit that say that a round is to come or was made."""
        return tuple(name for name in ("stale_q", "ran_q") if name in self._named)

    def at(self, **registers: int) -> dict[int, int]:
        """Return registers that hold numbers, by their names without ``_q``."""
        found: dict[int, int] = {}
        for name, number in registers.items():
            found |= self.number_held(self.register(f"{name}_q"), number)
        return found

    def asks(self, **nets: int) -> dict[int, int]:
        """Return nets of one bit with their values."""
        return {self.net(name): value for name, value in nets.items()}

    def coming_lanes(self, group: Group) -> list[int]:
        """Return what lanes hold next."""
        return [self.good[self.next[flop]] for flop in group.flops[: group.width]]

    def register_now(self, name: str) -> list[int]:
        """Return what a register holds."""
        return self.held(self.register(name))

    def register_next(self, name: str) -> list[int]:
        """Return what a register holds next."""
        return self.coming(self.register(name))

    def held_lanes(self, group: Group) -> list[int]:
        """Return what lanes hold."""
        return [self.good[flop] for flop in group.flops[: group.width]]

    # --- Start and step ---------------------------------------------------------------------------

    def works(self) -> Iterator[dict[int, int]]:
        """Yield what the sponge may be asked for: nets with their values."""
        yield {self.net(WIPE): ONE}
        for run in (ZERO, ONE):
            for absorb in (ZERO, ONE):
                yield {self.net(WIPE): ZERO, self.net(RUN): run, self.net(ABSORB): absorb}

    def followed(self, groups: Iterable[Group], when: str) -> None:
        """Show that what follows is a sound state."""
        self._all_sound(groups)
        coming = self.later()
        for lemma, text in self.lemmas_of(coming):
            self.happens(lemma ^ ONE, text=f"{text} {when}")
        for group, lane, byte, held in self.held_bytes(coming):
            if group not in groups:
                continue
            for bit in range(8 * byte, 8 * byte + 8):
                flop = group.flops[LANE * lane + bit]
                if self.search.possible(held ^ ONE, coming[flop]):
                    self._find(group, f"is not empty where it is written {when}")
                    return

    def _step(self) -> None:
        self._known, shown = {}, self._known
        for known in self.works():
            self.case({}, known)
            self.happens(self.good[self.net(FAULT)], text="a fault is found without an upset")
            self.happens(self.good[self.alarm], text="the alarm can be up without an upset")
            self.followed(self.groups, "in the next state")
            if self.verdict.findings:
                break
        self._known = shown

    def _start(self) -> None:
        """Behind reset nothing is given; a clock later all is sound, even if a job came in it."""
        self.good = self._evaluate(self._behind_reset() | self._inputs({}))
        for name in ("dst_valid_o", "done_valid_o"):
            (net,) = self.netlist.outputs[name]
            self.happens(self.good[net], text=f"{name} is up behind reset")
        self.agree((), self.register_next("valid_q"), [ZERO], "a beat comes behind reset")
        self.followed(self.groups, "behind reset")

    # --- Upsets -----------------------------------------------------------------------------------

    def state_is_checked(self, healed: Mapping[int, int]) -> None:
        """Show that a wrong bit of the state is found, but where all is wiped."""
        self.case(healed, self.asks(wipe=ONE))
        self.no_effect(self.state, {flop: self.anything[flop] for flop in self.state.flops})
        for absorb in (ZERO, ONE):
            self.case(healed, self.asks(wipe=ZERO, absorb=absorb))
            self.each_is_found(self.state, self.state.flops)
            if self.verdict.findings:
                return

    def buffer_waits(self) -> None:
        """Show that a wrong bit of the buffer stays alone where the buffer is not absorbed."""
        self.case({}, self.asks(wipe=ONE))
        self.no_effect(self.buffer, {flop: self.anything[flop] for flop in self.buffer.flops})
        self.case({}, self.asks(wipe=ZERO, absorb=ZERO))
        self.each_stays(self.buffer.flops)

    def each_is_found(self, group: Group, flops: Iterable[int]) -> None:
        """Show that each flip is found in its cycle."""
        fault = self.net(FAULT)
        cone = self._cone(fault)
        for flop in flops:
            changed = self._propagate({flop: self.good[flop] ^ ONE}, cone)
            if self.search.possible(changed.get(fault, ZERO) ^ ONE):
                self._find(group, "an upset is not found")
                return

    def each_stays(self, flops: Iterable[int]) -> None:
        """Show that a flip changes nothing but the flip-flop itself."""
        for flop in flops:
            changed = self._propagate(self._log_values | {flop: self.good[flop] ^ ONE})
            for text in self.effects({flop}, changed):
                self._find(self.buffer, f"an upset {text}")
                return

    def no_effect(self, group: Group, changes: Mapping[int, int]) -> dict[int, int]:
        """Show that changes of flip-flops change nothing but themselves; return what differs."""
        changed = self._propagate({**self._log_values, **changes})
        for text in self.effects({*changes}, changed):
            self._find(group, f"whatever it holds {text}")
            break
        return changed


_REGISTERS = (
    "state_q", "valid_q", "half_q", "count_q", "status_q", "round_q", "full_q", "have_q", "stale_q",
    "ran_q", "again_q", "tries_q", "ran_round_q",
    f"{FEED}lane_q", f"{FEED}offset_q", f"{FEED}step_q", f"{FEED}lanes_i",
)  # fmt: skip
"""Of control, by name; and what is made of them alone."""
