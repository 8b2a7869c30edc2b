"""The proof for engines that make a wrong word again instead of correcting it.

Some registers are read as they are, past no decoder, with parities beside them. A wrong word raises
a signal in the very cycle in which it is used; it does not leave, and what was lost is computed
again from registers that are corrected. The outputs are then those of the undisturbed engine in all
but time, so equal outputs in every cycle is no longer the claim. It is shown instead:

* detection: where a register is used, a flip of any one flip-flop raises its signal; where it is
  not, whatever it holds changes nothing;
* containment: with the signal up and the register holding anything, all outputs and the next state
  are those of the undisturbed engine in whose place this source pauses for a cycle; the source
  begins again, empty;
* content: what the register holds, while in use, is a function of registers that are corrected
  alone, however and whenever it came to be there. So what leaves after a pause is what would have
  left before it;
* pause: a pause of the key stream is one of ``src``, or a cycle in which the engine stands still.

That the undisturbed engine gives the same values in the same order however long its neighbours
pause is not shown here.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from cryptile.errors import UsageError
from cryptile.netlist.gates import Gate, Netlist
from cryptile.prove.cuts import Abstract, Cut, abstract, reads
from cryptile.prove.forms import ONE, UNKNOWN, ZERO, Forms
from cryptile.prove.groups import Group
from cryptile.prove.hints import Hints
from cryptile.prove.level import Level
from cryptile.prove.search import Search
from cryptile.prove.upset import NO_HINTS, Overlay, Proof, Verdict

ARGUMENT = (
    "Start, step: sound states follow one another; so do the lemmas below (induction over cycles).",
    "Detection: where a register that is made again is used, each flip of one flip-flop raises its "
    "signal in that cycle; where it is not used, whatever it holds changes nothing.",
    "Containment: with the signal up and the register holding anything, outputs and next state are "
    "those of the undisturbed engine in whose place key stream or product pauses for the cycle; "
    "what is made again is empty in the next.",
    "Content: key stream and product in the making are functions of key, nonce, counter, x, r and "
    "their counts of steps alone, before and behind a replay.",
    "Pause: a pause of key stream or product is one of src, or the engine stands still.",
    "All other flip-flops: an upset changes nothing outside in any cycle.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = (
    "A1: the next upset comes when the last has healed.",
    "A2: no more than two upsets make a block again before a row of it leaves; the fourth would "
    "end the job with an error.",
    "A3: without upsets, values and their order do not depend on how long src, dst and a "
    "multiplication take. Not proven: shown by simulation with random pauses, and under faults by "
    "cryptile faults.",
)
"""What the argument rests on; docs/protection.md has what every proof rests on."""


@dataclass(frozen=True)
class Source:
    """A part that can begin again.

    Attributes:
        name: for reports.
        groups: the registers that are read as they are.
        signal: net that says that one of them is wrong.
        live: net that says that they are in use.
        restart: flip-flops that say how far it is.
        pause: net that is low while the source pauses; none if what leaves is not affected.
    """

    name: str
    groups: tuple[Group, ...]
    signal: int
    live: int
    restart: frozenset[int]
    pause: int | None = None

    @property
    def flops(self) -> frozenset[int]:
        """All flip-flops of the registers."""
        return frozenset(flop for group in self.groups for flop in group.flops)


STREAM, CORE, MAC = "u_keystream.", "u_keystream.gen_opt.u_core.", "gen_poly1305.u_poly1305."
STEPPED, ROW, SUM = f"{CORE}stepped", f"{STREAM}row_o", f"{MAC}sum"
WRONG = f"{STREAM}wrong"

LAST_STATE, LAST_ROUND, MOST_TRIES = 9, 9, 2
STATE_ONE_TIME, STATE_AAD, STATE_MESSAGE, STATE_LENGTHS, STATE_FINAL, STATE_TAG = range(2, 8)

WORD = 32
KEY, COUNTER, NONCE = slice(128, 384), slice(384, 416), slice(416, 512)
"""Places in the first state of a block."""


def without_arithmetic(netlist: Netlist) -> Abstract:
    """Take out of a netlist what the proof needs to know nothing of."""
    cuts = [Cut(STEPPED), Cut(ROW)]
    # What the argument names must not be lost with what reads it.
    names = [f"{CORE}{name}" for name in ("load", "step", "hold", "out_valid_o", "fault_o")]
    names += [
        f"{STREAM}{name}" for name in ("last_fire", "row_valid_o", "in_block", "fault", "row_fault")
    ]
    if SUM in netlist.aliases:
        cuts.append(Cut(SUM, f"{MAC}in_fire"))
        names += [f"{MAC}{name}" for name in ("last", "in_ready_o", "in_fire", "acc_fault")]
    sinks = [net for name in (*names, WRONG, "active") for net in netlist.aliases[name]]
    return abstract(netlist, cuts, sinks)


def proof(
    netlist: Netlist,
    level: str,
    log: Iterable[re.Pattern[str]] = (),
    hints: Hints = NO_HINTS,
) -> Proof:
    """Return the proof that fits a netlist; the arguments are those of ``Proof``.

    Raises:
        UsageError: its words are made again in a way that is not known here.
    """
    if f"{STREAM}fault" not in netlist.aliases:
        return Proof(netlist, level, log, hints)
    known = f"{STREAM}gen_control.u_control.q_o" in netlist.aliases and STEPPED in netlist.aliases
    if known and Level(level) is Level.correct:
        return ReplayProof(without_arithmetic(netlist), level, log)
    raise UsageError(f"{netlist.top}: no proof yet but for variant 'opt' at level 'correct'")


class ReplayProof(Proof):
    """The proof of ``chacha20poly1305_engine`` with ``ImplOpt`` and ``ProtectCorrect``."""

    def __init__(self, design: Abstract, level: str, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the parts of a netlist from ``without_arithmetic``; the rest as in ``Proof``."""
        self.abstract = design
        self.mac = SUM in design.inputs
        super().__init__(design.netlist, level, log)
        self._find_parts()
        self._comparing = False
        # Down in all sound states, as ``_step`` shows.
        self._known = dict.fromkeys([*self.netlist.aliases[WRONG], self.alarm], ZERO)

    def _find_parts(self) -> None:
        self.core, self.block = (
            next(group for group in self.groups if group.scope == scope and group.width == 512)
            for scope in (CORE, f"{STREAM}gen_buffer.")
        )
        control = self._copies(f"{CORE}u_control.")
        self.count, self.busy = control[:-1], control[-1]
        (self.full,) = self._copies(f"{STREAM}gen_buffer.u_full.")
        control = self._copies(f"{STREAM}gen_control.u_control.")
        self.ahead, self.row, self.tries = control[:5], control[5:7], control[7:]
        self.counter = self._copies(f"{STREAM}u_ctr.")
        self.state = self._copies("u_state.u_state.")
        restart = [*self.count, self.busy, self.full, *self.ahead, *self.tries]
        flops = frozenset(flop for group in restart for flop in group.flops)
        self.sources = [
            Source("core", (self.core,), self._net(f"{CORE}fault_o"), self._net(f"{CORE}busy_q"),
                   flops),
            Source("block", (self.block,), self._net(f"{STREAM}row_fault"),
                   self._net(f"{STREAM}offered"), flops, self._net(f"{STREAM}row_valid_o")),
        ]  # fmt: skip
        self.bounded = [
            (self.state, LAST_STATE), (self.count, LAST_ROUND), (self.tries, MOST_TRIES),
        ]  # fmt: skip
        if self.mac:
            self._find_mac()
        self.replayed = {flop for source in self.sources for flop in source.flops}

    def _find_mac(self) -> None:
        control = self._copies(f"{MAC}u_control.")
        self.steps, self.pending = control[:-2], control[-1]
        (self.partial,) = (
            group for group in self.groups if group.scope.startswith(f"{MAC}gen_digits.u_acc.")
        )
        flops = frozenset(flop for group in self.steps for flop in group.flops)
        self.sources.append(
            Source("product", (self.partial,), self._net(f"{MAC}acc_fault"),
                   self._net(f"{MAC}pending_q"), flops, self._net(f"{MAC}last"))
        )  # fmt: skip

    def _must_correct(self, group: Group) -> bool:
        """As in ``Proof``; what is made again need not be corrected."""
        return super()._must_correct(group) and self.replayed.isdisjoint(group.flops)

    def _net(self, name: str) -> int:
        return self.netlist.aliases[name][0]

    def _copies(self, scope: str) -> list[Group]:
        """Return the copies of a register, by bit."""
        nets = self.netlist.aliases[f"{scope}gen_correct.gen_copy[0].u_copy.copy_q"]
        return [self.home[net] for net in nets]

    def _values(self, name: str) -> list[int]:
        return [self.good[net] for net in self.netlist.aliases[name]]

    def _held(self, groups: Iterable[Group]) -> list[int]:
        """Return what copies hold."""
        return [self.good[group.flops[0]] for group in groups]

    def _coming(self, groups: Iterable[Group]) -> list[int]:
        """Return what copies hold next."""
        return [self.good[self.next[group.flops[0]]] for group in groups]

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        mac = {"product": self._product_upsets, "shapes": self._shapes}
        return {
            "count": self._count,
            "step": self._step,
            "core": self._core_upsets,
            "block": self._block_upsets,
            **(mac if self.mac else {}),
            "contents": self._contents,
            "pauses": self._pauses,
            "elsewhere": self._elsewhere,
            "start": self._start,
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        verdict.claim = "changes nothing outside but time"
        return verdict

    # --- Arithmetic that was taken out ------------------------------------------------------------

    def _shapes(self) -> None:
        """Of the step of a multiplication some inputs do not matter at some times."""
        inside, pending = self.abstract.inside[SUM], self._net(f"{MAC}pending_q")
        outputs = set(self.netlist.aliases[SUM])
        final = self._net(f"{MAC}in_final_i")
        for value, unread in ((ZERO, self.partial.flops), (ONE, (final,))):
            if not outputs.isdisjoint(reads(inside, {pending: value}, unread)):
                self.verdict.findings.append(f"{SUM}: depends on what it should not depend on")

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
        """Return the inputs of a cut, with zero for those that do not matter (``_shapes``)."""
        if gate.kind != UNKNOWN + SUM:
            return inputs
        values = dict(zip(gate.inputs, inputs, strict=True))
        pending = values[self._net(f"{MAC}pending_q")]
        unread: tuple[int, ...] = ()
        if pending == ZERO:
            unread = self.partial.flops
        elif pending == ONE:
            unread = (self._net(f"{MAC}in_final_i"),)
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
        """States that never come are left out; as many blocks are begun as there are."""
        state = dict(state)
        for groups, limit in self.bounded:
            values = [state[group.flops[0]] for group in groups]
            top = self.forms.product(values[-1], self._not_above(values, limit))
            state |= dict.fromkeys(groups[-1].flops, top)
        for group, value in zip(self.ahead, self._begun(state), strict=True):
            state |= dict.fromkeys(group.flops, value)
        return state

    def _begun(self, state: Mapping[int, int]) -> list[int]:
        busy, full = state[self.busy.flops[0]], state[self.full.flops[0]]
        return [self.forms.sum(busy, full), self.forms.product(busy, full)] + [ZERO] * 3

    def _not_above(self, values: list[int], limit: int) -> int:
        result = ONE
        for place, value in enumerate(values):
            if limit >> place & 1:
                result = self.forms.gate("ornot", [result, value])
            else:
                result = self.forms.product(result, value ^ ONE)
        return result

    def _enter(self, fixed: Mapping[int, int] | None = None) -> None:
        self._case(fixed or {})

    def _case(self, fixed: Mapping[int, int], known: Mapping[int, int] | None = None) -> None:
        """Look at sound states in which flip-flops are constant, and nets have known values."""
        self._forget()
        self._sources = self._constrained(self._sound_state() | dict(fixed)) | self._asked
        self.good = self._evaluate(self._sources, {**self._known, **(known or {})})

    def _forget(self) -> None:
        """Begin with new forms: what is long gone makes all the others longer."""
        self.verdict.searches += self.search.calls
        self.forms = Forms()
        self.search = Search(self.forms)
        self._asked = self._inputs({})
        self._log_values = {}
        for group in self.logs:
            self._log_values |= dict.fromkeys(group.flops, self.forms.variable())
        self._any = {flop: self.forms.variable() for flop in sorted(self.replayed)}

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
        self._all_in_bounds(self.good)
        for group in (self.busy, self.full, *self.ahead, *([self.pending] if self.mac else ())):
            if self._coming([group]) != [ZERO]:
                self._find(group, "is not empty when the first job begins")
        if self.verdict.findings:
            return
        self.good = self._evaluate(state | self._asked)
        # Before the first job nothing is reported but what is triplicated at the top.
        for group in self.groups:
            if group not in late and self.replayed.isdisjoint(group.flops):
                self._silent_upsets(group)
        self._any |= {flop: self.forms.variable() for flop in any_late}
        self._unread("before the first job", {*any_late, *self.replayed})

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
        for nets in (self.netlist.aliases[WRONG], (self.alarm,)):
            self._case({})
            for net in nets:
                if not self.search.equal(self.good[net], ZERO):
                    name = self.netlist.names.get(net, "a signal")
                    self.verdict.findings.append(f"{name}: is raised without an upset")
            self._known |= dict.fromkeys(nets, ZERO)
        self._case({})
        self._all_sound(self.groups)
        self._all_in_bounds(self.good)
        coming = {
            net: self.good[self.next[net]] for net in (self.busy.flops[0], self.full.flops[0])
        }
        self._agree((), self._coming(self.ahead), self._begun(coming), "blocks are not counted")

    def _all_in_bounds(self, values: Mapping[int, int], but: Iterable[Group] = ()) -> None:
        for groups, limit in self.bounded:
            if groups == but:
                continue
            coming = [values[self.next[group.flops[0]]] for group in groups]
            if self.search.possible(self._not_above(coming, limit) ^ ONE):
                self._find(groups[0], f"goes beyond {limit}")

    def _agree(
        self, when: tuple[int, ...], first: Iterable[int], second: Iterable[int], text: str
    ) -> None:
        """Find it if two words can differ while some forms are one."""
        for a, b in zip(first, second, strict=True):
            if a != b and self.search.possible(*when, self.forms.sum(a, b)):
                self.verdict.findings.append(text)
                return

    # --- What is held is a function of corrected registers ----------------------------------------

    def _contents(self) -> None:
        """By induction: begin from corrected registers, then only go on by the same steps."""
        self._case({})
        if not set(self.abstract.inputs[STEPPED]) <= set(self.core.flops[: self.core.width]):
            self.verdict.findings.append(f"{STEPPED}: reads more than the state of the core")
        load, step, hold, out_valid = (
            self._values(f"{CORE}{name}")[0] for name in ("load", "step", "hold", "out_valid_o")
        )
        (fired,) = self._values(f"{STREAM}last_fire")
        first, stepped = self._values(f"{STREAM}in_block"), self._values(STEPPED)
        count, (busy, full) = self._held(self.count), self._held((self.busy, self.full))
        count_next, (busy_next, full_next) = (
            self._coming(self.count), self._coming((self.busy, self.full))
        )  # fmt: skip
        core, core_next = self._data(self.core)
        block, block_next = self._data(self.block)
        (key, key_next), (nonce, nonce_next) = self._key(), self._nonce()
        counter, counter_next = self._held(self.counter), self._coming(self.counter)
        begun, begun_next = self._held(self.ahead), self._coming(self.ahead)
        now, later = self._add(counter, begun), self._add(counter_next, begun_next)
        one = [ONE] + [ZERO] * (len(count) - 1)
        zero = [ZERO] * len(count)
        kept = self.forms.product(full, fired ^ ONE)
        more = self.forms.product(full_next, kept ^ ONE)
        held = self.forms.product(full_next, kept)
        for when, first_word, second_word, text in (
            ((), first[KEY], key, "the first state has not the key"),
            ((), first[NONCE], nonce, "the first state has not the nonce"),
            ((), first[COUNTER], now, "the first state has not the counter"),
            ((busy_next,), key_next, key, "the key changes below the core"),
            ((busy_next,), nonce_next, nonce, "the nonce changes below the core"),
            ((full_next,), key_next, key, "the key changes below the block"),
            ((full_next,), nonce_next, nonce, "the nonce changes below the block"),
            ((busy_next, self._none(load, step, hold)), [ONE], [ZERO], "the core is not empty"),
            ((load,), core_next, first, "the core does not begin with the first state"),
            ((load,), count_next, zero, "the core does not begin with no round"),
            ((load,), later, self._add(now, [ONE]), "a block is not counted"),
            ((step,), [busy, load], [ONE, ZERO], "the core steps when it is empty"),
            ((step,), core_next, stepped, "the core does not step"),
            ((step,), count_next, self._add(count, one), "a round is not counted"),
            ((step,), later, now, "blocks are lost in a step"),
            ((hold,), [busy, load, step], [ONE, ZERO, ZERO], "the core holds nothing"),
            ((hold,), core_next, core, "the core does not hold"),
            ((hold,), count_next, count, "rounds change in a hold"),
            ((hold,), later, now, "blocks are lost in a hold"),
            ((held,), block_next, block, "the block does not hold"),
            ((held,), counter_next, counter, "the counter leaves its block"),
            ((more,), [out_valid], [ONE], "the block is full of nothing"),
            ((more,), block_next, stepped, "the block is not the last step"),
            ((more,), self._add(counter_next, [ONE]), now, "the counter is not that of its block"),
            ((out_valid,), [busy, *count], [ONE, *self._number(LAST_ROUND, len(count))],
             "a block leaves before its last round"),
        ):  # fmt: skip
            self._agree(when, first_word, second_word, f"{STREAM[:-1]}: {text}")
        constants = {value for value in first[: KEY.start]} <= {ZERO, ONE}
        if not constants:
            self.verdict.findings.append(f"{STREAM[:-1]}: the first row is not constant")
        if self.mac:
            self._partial_contents()

    def _partial_contents(self) -> None:
        """Show that a product in the making is a function of x, r and the step alone."""
        pending, last, clear = (
            self._values(f"{MAC}{name}")[0] for name in ("pending_q", "last", "clear_i")
        )
        goes_on = self.forms.product(self.forms.product(pending, last ^ ONE), clear ^ ONE)
        x = [group for group in self.groups if group.scope == f"{MAC}u_x."]
        (r,) = (group for group in self.groups if group.scope == "gen_poly1305.u_r.")
        (r_now, r_next), (partial, partial_next) = self._data(r), self._data(self.partial)
        steps, steps_next = self._held(self.steps), self._coming(self.steps)
        zero = [ZERO] * len(steps)
        (pending_next,) = self._coming((self.pending,))
        begins = self.forms.product(pending_next, goes_on ^ ONE)
        for when, first, second, text in (
            ((begins,), partial_next, [ZERO] * len(partial), "does not begin with zero"),
            ((begins,), steps_next, zero, "does not begin with the first digit"),
            ((goes_on,), [pending_next], [ONE], "is lost"),
            ((goes_on,), partial_next, self._values(SUM), "is not the sum"),
            ((goes_on,), steps_next, self._add(steps, [ONE]), "is not counted"),
            ((goes_on,), self._coming(x), self._held(x), "x changes below it"),
            ((goes_on, self._is_state(STATE_ONE_TIME) ^ ONE), r_next, r_now, "r changes below it"),
            ((goes_on,), self._values(f"{MAC}in_fire"), [ZERO], "a block comes in between"),
        ):
            self._agree(when, first, second, f"{MAC[:-1]}: the product in the making {text}")
        self._rests(STATE_ONE_TIME)
        self._rests(STATE_TAG)

    def _rests(self, state: int) -> None:
        """There is no multiplication in a state: a lemma for all sound states that are reached."""
        before = self.forms.gate("nand", [self._is_state(state), self._held((self.pending,))[0]])
        after = self.forms.product(
            self._is(self._coming(self.state), state), self._coming((self.pending,))[0]
        )
        if self.search.possible(before, after):
            self._find(self.pending, f"multiplies in state {state}")

    def _is(self, values: list[int], number: int) -> int:
        result = ONE
        for place, value in enumerate(values):
            result = self.forms.product(result, value ^ (number >> place & 1) ^ ONE)
        return result

    def _is_state(self, number: int) -> int:
        return self._is(self._held(self.state), number)

    def _data(self, group: Group) -> tuple[list[int], list[int]]:
        flops = group.flops[: group.width]
        return [self.good[flop] for flop in flops], [self.good[self.next[flop]] for flop in flops]

    def _key(self) -> tuple[list[int], list[int]]:
        halves = [
            self._data(group)
            for half in range(2)
            for group in self.groups
            if group.scope == f"gen_key[{half}].u_key."
        ]
        return halves[0][0] + halves[1][0], halves[0][1] + halves[1][1]

    def _nonce(self) -> tuple[list[int], list[int]]:
        (group,) = (group for group in self.groups if group.scope == "u_params.")
        now, later = self._data(group)
        return now[:96], later[:96]

    def _none(self, *forms: int) -> int:
        result = ONE
        for form in forms:
            result = self.forms.product(result, form ^ ONE)
        return result

    def _number(self, number: int, width: int) -> list[int]:
        return [number >> place & 1 for place in range(width)]

    def _add(self, a: list[int], b: list[int]) -> list[int]:
        """Add two words; the result is as wide as the first."""
        result, carry = [], ZERO
        for place, first in enumerate(a):
            second = b[place] if place < len(b) else ZERO
            both = self.forms.sum(first, second)
            result.append(self.forms.sum(both, carry))
            carry = self.forms.sum(
                self.forms.product(first, second), self.forms.product(both, carry)
            )
        return result

    # --- Upsets -----------------------------------------------------------------------------------

    def _elsewhere(self) -> None:
        self._case({})
        for group in self.groups:
            if self.replayed.isdisjoint(group.flops):
                self._upsets(group)

    def _core_upsets(self) -> None:
        core = self.sources[0]
        self._case({})
        self._detected(core)
        self._unused(core, dict.fromkeys(self.busy.flops, ZERO))
        self._contained(core, {}, [self.busy, self.full, *self.ahead], f"{STREAM}fault")

    def _block_upsets(self) -> None:
        block = self.sources[1]
        self._unused(block, dict.fromkeys(self.full.flops, ZERO))
        self._contained(block, {}, [self.busy, self.full, *self.ahead], f"{STREAM}fault")
        for place in range(4):
            if not self.verdict.findings:
                self._case(self._number_held(self.row, place))
                self._detected(block)

    def _product_upsets(self) -> None:
        product, used = self.sources[2], dict.fromkeys(self.pending.flops, ONE)
        self._case(used)
        self._detected(product)
        self._unused(product, dict.fromkeys(self.pending.flops, ZERO))
        self._contained(product, used, [*self.steps, self.partial], "active")

    def _number_held(self, groups: list[Group], number: int) -> dict[int, int]:
        """Return flip-flops with the values by which copies hold a number."""
        return {flop: number >> bit & 1 for bit, group in enumerate(groups) for flop in group.flops}

    def _effects(self, wrong: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """As in ``Proof``; a flip that heals may leave one wrong bit in what is made again.

        A wrong check bit of the key does so: it goes with the key into the core.
        """
        moved = {flop for flop in self.replayed - wrong if self.next[flop] in changed}
        heals = all(self.next[flop] not in changed for flop in wrong)
        if len(moved) == 1 and heals:
            wrong = wrong | moved
        return super()._effects(wrong, changed)

    def _detected(self, source: Source) -> None:
        """Every flip raises the signal if the register is in use, or does nothing at all."""
        cone, live = self._cone(source.signal), self.good[source.live]
        unseen = set()
        for flop in sorted(source.flops):
            changed = self._propagate({flop: self.good[flop] ^ ONE}, cone)
            if source.signal not in changed:
                unseen.add(flop)
            elif changed[source.signal] != live:
                self._find(self.home[flop], "an upset is not always noticed")
                return
        if unseen:
            self._unseen(f"{source.name}: not noticed", unseen)

    def _unused(self, source: Source, fixed: Mapping[int, int]) -> None:
        self._case(fixed)
        if self.good[source.live] != ZERO:
            self.verdict.findings.append(f"{source.name}: is in use when it is empty")
        self._unseen(f"{source.name}: not in use", set(source.flops))

    def _unread(self, what: str, flops: set[int]) -> dict[int, int]:
        """Whatever some flip-flops hold changes nothing but them; return what it changes."""
        changed = self._propagate(self._log_values | {flop: self._any[flop] for flop in flops})
        for text in super()._effects(flops, changed):
            self.verdict.findings.append(f"{what}: {self.names[min(flops)]}... {text}")
            break
        return changed

    def _unseen(self, what: str, flops: set[int]) -> None:
        """Whatever some flip-flops hold changes nothing but, each by itself, them."""
        changed = self._unread(what, flops)
        own = {self._any[flop].bit_length() - 1: flop for flop in flops}
        for flop in flops:
            net = self.next[flop]
            if net in changed:
                read = self.forms.support(changed[net] ^ self.good[net])
                if any(bit in own and own[bit] != flop for bit in read):
                    self._find(self.home[flop], f"{what}: wrong bits spread")
                    return

    def _contained(
        self, source: Source, fixed: Mapping[int, int], empty: list[Group], told: str
    ) -> None:
        """With the signal up the source pauses, whatever it holds, and begins again."""
        self._case(fixed, {} if source.pause is None else {source.pause: ZERO})
        changes = self._log_values | {flop: self._any[flop] for flop in source.flops}
        changes[source.signal] = ONE
        changed = self._propagate(changes)
        alarm = changed.get(self.alarm, ZERO)
        if self.search.possible(alarm):
            self.verdict.findings.append(f"{source.name}: a replay ends the job")
            return
        changed = self._propagate(changes | {self.alarm: ZERO})
        again = set(source.flops | source.restart)
        # What the source hands on within itself is made again with it.
        if source in self.sources[:2]:
            again |= {*self.core.flops, *self.block.flops}
        for text in super()._effects(again, changed):
            self.verdict.findings.append(f"{source.name}: wrong data {text}")
            return
        now = Overlay(changed, self.good)
        if source.pause is not None and self.search.possible(self._driven(source.pause, now)):
            self.verdict.findings.append(f"{source.name}: does not pause when it is wrong")
        for group in dict.fromkeys(self.home[flop] for flop in sorted(again)):
            if not self._sound(group, now):
                self._find(group, "is not sound behind a replay")
        for group in empty:
            if any(self.search.possible(now[self.next[flop]]) for flop in group.flops):
                self._find(group, "does not begin again")
        self._all_in_bounds(now, self.tries)  # These are bounded by an assumption.
        corrected = self.netlist.outputs["fault_corrected_o"][0]
        if self.search.possible(now[self._net(told)], now[corrected] ^ ONE):
            self.verdict.findings.append(f"{source.name}: a replay is not reported")

    def _driven(self, net: int, values: Mapping[int, int]) -> int:
        """Return what the gate of a net makes, whatever the net was taken for."""
        gate = self.netlist.drivers[net]
        return self._value(gate, [values[source] for source in gate.inputs])

    # --- Pauses -----------------------------------------------------------------------------------

    def _pauses(self) -> None:
        """Show that a pause of key stream or product is one of ``src``, or nothing moves."""
        row_valid, stream = self._net(f"{STREAM}row_valid_o"), 3
        self._case({})
        offers = self.good[row_valid]
        taken = [self._is_state(number) for number in (STATE_ONE_TIME, STATE_AAD, STATE_MESSAGE)]
        if self.search.possible(offers, self._none(*taken)):
            self.verdict.findings.append("key stream is offered where nothing takes it")
        self._is_pause_of_src(row_valid, STATE_MESSAGE, stream)
        self._is_unread(row_valid, STATE_AAD)
        self._stands_still(row_valid, STATE_ONE_TIME)
        if not self.mac:
            return
        mac_ready, tag = self._net(f"{MAC}in_ready_o"), 2
        self._is_pause_of_src(mac_ready, STATE_MESSAGE, tag)
        self._is_pause_of_src(mac_ready, STATE_AAD, tag)
        self._stands_still(mac_ready, STATE_LENGTHS)
        self._stands_still(mac_ready, STATE_FINAL)
        self._tag_is_read_at_rest()
        self._case(dict.fromkeys(self.pending.flops, ONE), {self._net(f"{MAC}last"): ZERO})
        if self.good[mac_ready] != ZERO:
            self.verdict.findings.append("a block is taken in the middle of a multiplication")

    def _tag_is_read_at_rest(self) -> None:
        """Show that x is read by others as the tag alone; nothing is multiplied then."""
        self._case({})
        x = {net: self.forms.variable() for net in self.netlist.aliases[f"{MAC}x_q"]}
        changed = self._propagate(x)
        nets = [net for port in self.netlist.outputs.values() for net in port]
        nets += [
            self.next[flop]
            for group in self.groups
            if not group.scope.startswith(MAC)
            for flop in group.flops
        ]
        elsewhere = self._is_state(STATE_TAG) ^ ONE
        for net in nets:
            if net in changed and self.search.possible(
                self.forms.sum(changed[net], self.good[net]), elsewhere
            ):
                self.verdict.findings.append("the tag is read where it is not ready")
                return

    def _is_pause_of_src(self, net: int, state: int, flag: int) -> None:
        """With a net low nothing differs from what follows if ``src`` offers nothing."""
        (valid,) = self.netlist.inputs["src_valid_i"]
        flags = dict.fromkeys(self._copies("u_flags.")[flag].flops, ONE)
        self._case(self._number_held(self.state, state) | flags, {valid: ZERO})
        changed = self._propagate({valid: self._asked[valid], net: ZERO})
        self._no_difference(changed, f"{self.netlist.names[net]} low is no pause of src")

    def _is_unread(self, net: int, state: int) -> None:
        self._case(self._number_held(self.state, state))
        changed = self._propagate({net: ZERO})
        self._no_difference(changed, f"{self.netlist.names[net]} is read in state {state}")

    def _no_difference(self, changed: Mapping[int, int], text: str) -> None:
        nets = [
            *self.next.values(),
            *(net for port in self.netlist.outputs.values() for net in port),
        ]
        for net in nets:
            if net in changed and not self.search.equal(changed[net], self.good[net]):
                self.verdict.findings.append(text)
                return

    def _stands_still(self, net: int, state: int) -> None:
        """With a net low nothing moves in a state, but what waits at ``dst`` and what is made."""
        (clear,) = self.netlist.inputs["clear_i"]
        self._case(self._number_held(self.state, state), {net: ZERO, clear: ZERO})
        moves = ["src_ready_o", "key_ready_o", "job_ready_o", "done_valid_o"]
        if any(self.search.possible(self.good[self.netlist.outputs[name][0]]) for name in moves):
            self.verdict.findings.append(f"state {state} has a handshake in a pause")
        making = ("u_dst.", "u_status.", MAC, STREAM)
        for group in self.groups:
            if group.scope.startswith(making) and group not in self.counter:
                continue
            for flop in group.flops:
                if not self.search.equal(self.good[self.next[flop]], self.good[flop]):
                    self._find(group, f"moves in a pause in state {state}")
                    break
