"""What the proofs of ``cry_sha2_engine`` share: words, when they hold something, and lemmas."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping

from cryptile.designs.hints import Hints
from cryptile.netlist.gates import Netlist
from cryptile.prove.cuts import Cut, abstract
from cryptile.prove.engines.moving import MovingProof, State
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.groups import Group

CORE, KEY = "u_core.", "gen_key.key_q"
SCHEDULE, STATE, HASH = (f"{CORE}{name}_q" for name in ("schedule", "state", "hash"))
FAMILIES = {SCHEDULE: 16, STATE: 8, HASH: 8, KEY: 4}
"""Words of each register."""

CHECKS = tuple(f"{CORE}gen_checks.{name}_wrong" for name in ("schedule", "state", "hash"))

SIGNALS = (f"{CORE}detected_o", "key_detected", "control_detected")
"""What raises the alarm, but for the register at ``dst``."""

USED = ("active", "job_fire", "dst_wrong", f"{CORE}wants_word", f"{CORE}shift_i")
"""Nets that the argument names beside registers; they must not be lost with what reads them."""

FR_IDLE, FR_KEY, FR_CONTEXT, FR_INNER, FR_MESSAGE, FR_OUTER_KEY, FR_OUTER = 0, 1, 3, 4, 5, 6, 7
FR_DRAIN, FR_FAULT = 9, 11
BK_IDLE, BK_DONE = 0, 4
USING_KEY = (FR_INNER, FR_OUTER_KEY, FR_OUTER)
"""States of front and back, by their numbers."""

HMAC = 21
"""Bit of ``job_q``."""

STATES = 12
"""Of the front."""

LEMMAS = (
    # The core works for the front, or for the back while that waits.
    f"not {CORE}busy_o or {' or '.join(f'front_q == {n}' for n in (4, 5, 6, 7, 8))} or back_q == 1",
    f"front_q < {STATES}",
    "back_q < 5",
    "not gen_dst.dst_valid_q or back_q > 1",
    f"front_q != {FR_KEY} or count_q < 4",
    *(f"front_q != {state} or job_q[{HMAC}]" for state in (FR_KEY, *USING_KEY)),
)
"""Of control; proven as those of the design are."""


class Sha2Proof(MovingProof):
    """What both levels share."""

    def __init__(
        self,
        netlist: Netlist,
        level: str,
        log: Iterable[re.Pattern[str]],
        hints: Hints,
        names: Iterable[str] = (),
    ) -> None:
        """Take the arithmetic out, of which it is enough that it is a function; find the words.

        Args:
            netlist: as in ``Proof``; so are ``level``, ``log`` and ``hints``.
            level: see there.
            log: see there.
            hints: see there.
            names: nets that must not be lost with the arithmetic.
        """
        cuts = [Cut(f"{CORE}{name}") for name in ("step_a", "step_e", "sum_a", "sum_e")]
        signals = [
            net for name in (*CHECKS, *SIGNALS) for net in netlist.aliases[name] if net > ONE
        ]
        sinks = [net for name in (*USED, *names) for net in netlist.aliases[name] if net > ONE]
        own = dataclasses.replace(hints, lemmas=(*LEMMAS, *hints.lemmas))
        design = abstract(netlist, cuts, [*signals, *sinks])
        super().__init__(design.netlist, level, log, own, FAMILIES)
        # Down in all sound states at work, as the step shows.
        self._down = dict.fromkeys([*signals, self.alarm], ZERO)

    def _valid(self, state: State) -> Mapping[Group, int]:
        """Words of the schedule hold something once written, those of the key once taken."""
        control, front = self._held(state, f"{CORE}control_q"), self._held(state, "front_q")
        *number, busy = (*control[:7], control[-1])
        found = {
            word: self.forms.product(busy, self._at_least(number, place))
            for place, word in enumerate(self.families[SCHEDULE])
        }
        hmac = self._held(state, "job_q")[HMAC]
        beside = self.forms.any(self._equals(front, which) for which in (FR_CONTEXT, FR_MESSAGE))
        used = [self._equals(front, which) for which in USING_KEY]
        taking, count = self._equals(front, FR_KEY), self._held(state, "count_q")
        for place, word in enumerate(self.families.get(KEY, ())):
            taken = self.forms.product(taking, self._at_least(count, FAMILIES[KEY] - place))
            found[word] = self.forms.any([*used, self.forms.product(beside, hmac), taken])
        return found

    def _net(self, name: str) -> int:
        (net,) = self.netlist.aliases[name]
        return net

    def _copies(self, name: str) -> list[Group]:
        return [self.home[self.voted[net]] for net in self.netlist.aliases[name]]

    def _enter(self, fixed: Mapping[int, int] | None = None) -> None:
        """Look at sound states at work; ``fixed`` are constant flip-flops."""
        self._look(self._begin(fixed), self._down)

    def _begin(
        self, fixed: Mapping[int, int] | None = None, inputs: Mapping[str, int] | None = None
    ) -> dict[int, int]:
        """Begin with new forms: return sound states at work, and inputs, some of them constant."""
        self._fresh()
        self._cases = {}
        self._log_values: dict[int, int] = {}
        for group in self.logs:
            self._log_values |= dict.fromkeys(group.flops, self.forms.variable())
        self.asked = self._inputs(inputs or {})
        return self._sound_state(fixed) | self._at_work() | self.asked

    def _at_work(self) -> dict[int, int]:
        """Return the registers that say that nothing is repaired."""
        return {}

    def _look(self, sources: Mapping[int, int], known: Mapping[int, int]) -> None:
        self._sources = dict(sources)
        self.good = self._evaluate(sources, known)
        self._assume(self.good)

    def _say(self, text: str) -> None:
        self.verdict.findings.append(text)

    def _signals_down(self) -> None:
        """Show that no signal is up in a sound state."""
        known: dict[int, int] = {}
        for net in self._down:
            self._look(self._begin(), known)
            if self.search.possible(self.good[net]):
                self._say(f"{self.netlist.names.get(net, 'a signal')}: is raised without an upset")
            known[net] = ZERO

    def _all_sound(self, groups: Iterable[Group]) -> None:
        """Show that some groups, and the lemmas, are sound in the next state."""
        for group in groups:
            if not self._sound(group, self.good):
                self._find(group, "is written with what is not sound")
        self._hold("in the next state")

    def _word_upsets(self) -> None:
        """Show that a wrong bit is told of, or changes nothing but where the word goes."""
        (busy,) = self._copies(f"{CORE}busy_o")
        wants, active, shift = (
            self._net(net) for net in (f"{CORE}wants_word", "active", f"{CORE}shift_i")
        )
        rest = [*self._copies("front_q"), *self._copies("back_q")]
        idle = {flop: ZERO for group in rest for flop in group.flops}
        self._enter()
        at_work = self.forms.any(self.good[group.flops[0]] for group in rest)
        if self.search.possible(self.forms.sum(self.good[active], at_work)):
            self._say("active: is not up just when front or back are not idle")
        at = {active: ONE}
        if self.search.possible(self.good[busy.flops[0]], self.good[active] ^ ONE):
            self._say("the core works without a job")
        off, on = (dict.fromkeys(busy.flops, value) for value in (ZERO, ONE))
        for name, fixed, known in (
            *((name, off, {shift: value}) for name in (SCHEDULE, STATE) for value in (ZERO, ONE)),
            (SCHEDULE, on, {**at, wants: ONE}),
            (SCHEDULE, on, {**at, wants: ZERO}),
            (STATE, on, at),
            (HASH, idle, {}),
            (HASH, {}, {active: ONE}),
        ):
            self._look(self._full(self._begin(fixed), known), {**self._down, **known})
            for word in self.families[name]:
                if not self._word_is_seen(word):
                    return

    def _full(self, sources: dict[int, int], known: Mapping[int, int]) -> dict[int, int]:
        """Return states in which, when no word is wanted, all words of the schedule are there."""
        wants = self._net(f"{CORE}wants_word")
        if known.get(wants) != ZERO:
            return sources
        here = self._evaluate(sources)
        for word, valid in self._valid(sources.__getitem__).items():
            unwritten = word in self.families[SCHEDULE] and valid ^ ONE
            if unwritten and self.search.possible(here[wants] ^ ONE, unwritten):
                self._find(word, "is used before it is there")
        self._complete(sources)
        return sources

    def _complete(self, sources: dict[int, int]) -> None:
        """Let all words of the schedule be codewords."""
        for word in self.families[SCHEDULE]:
            data = [sources[flop] for flop in word.flops]
            for place, members in word.checks():
                sources[word.flops[place]] = self.forms.total(data[one] for one in members)

    def _key_states(self) -> Iterator[dict[int, int]]:
        """Return all values of the registers that say which words of the key are there."""
        front, count = self._copies("front_q"), self._copies("count_q")
        (hmac,) = (self.home[self.voted[net]] for net in (self.netlist.aliases["job_q"][HMAC],))
        with_key = (FR_KEY, *USING_KEY)
        for state in range(STATES):
            fixed = self._number(front, state)
            for keyed in (ZERO, ONE):
                if keyed or state not in with_key:
                    given = fixed | dict.fromkeys(hmac.flops, keyed)
                    for number in range(FAMILIES[KEY]) if state == FR_KEY else (None,):
                        more = {} if number is None else self._number(count, number)
                        yield given | more

    def _number(self, groups: Iterable[Group], number: int) -> dict[int, int]:
        return {
            flop: number >> place & 1 for place, group in enumerate(groups) for flop in group.flops
        }

    def _word_is_seen(self, word: Group) -> bool:
        """Find it, and return false, if an upset of a word is not told of and does harm."""
        raise NotImplementedError
