"""What the proofs of ``cry_chacha20poly1305_engine`` at all levels have in common."""

import re
from collections.abc import Iterable, Mapping

from cryptile.netlist.gates import Gate
from cryptile.prove.cuts import Abstract, reads
from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305.registers import (
    LAST_STATE,
    MAC,
    MOST_TRIES,
    PARTIAL,
    SUM,
    WRONG,
    Mac,
    Stream,
)
from cryptile.prove.engines.demand import Demand
from cryptile.prove.engines.detection import noticed, unused
from cryptile.prove.engines.replay import Replay, Source
from cryptile.prove.forms import ONE, UNKNOWN, ZERO


class Engine(Replay):
    """Its registers and sound states.

    ``stream`` and ``mac`` are the registers of the parts, ``state`` those of the engine's state.
    ``mac`` is none where no product is made again: Poly1305 is not built, or multiplies in a cycle.
    """

    def __init__(self, design: Abstract, level: str, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the parts of a netlist from ``without_arithmetic``; the rest as in ``Proof``."""
        super().__init__(design, level, log)
        self.stream = Stream(self)
        several = any(group.scope.startswith(PARTIAL) for group in self.groups)
        self.mac = Mac(self) if several else None
        self.state = self.copies("u_state.u_state.")
        self.bounded = [
            (self.state, LAST_STATE),
            *self.stream.core.bounded,
        ]
        if self.stream.tries:
            self.bounded.append((self.stream.tries, MOST_TRIES))
        self.empty = self.stream.occupied
        sources = self.stream.sources
        if self.mac:
            self.bounded.append((self.mac.steps, self.stream.core.poly_steps - 1))
            self.empty = [*self.empty, self.mac.pending]
            sources = [*sources, self.mac.source]
        self.low = [self.netlist.aliases[WRONG], (self.alarm,)]
        self.made_again(sources)

    # --- Sound states -----------------------------------------------------------------------------

    def _evaluate(
        self, sources: Mapping[int, int], known: Mapping[int, int] | None = None
    ) -> dict[int, int]:
        """As in ``Proof``, when they are read."""
        begun = {ZERO: ZERO, ONE: ONE, **sources, **(known or {})}
        return Demand(begun, self.netlist.drivers, self._undisturbed)

    def _undisturbed(self, gate: Gate, inputs: list[int]) -> int:
        """Return the value of a gate where nothing is compared."""
        comparing, self._comparing = self._comparing, False
        try:
            return self._value(gate, inputs)
        finally:
            self._comparing = comparing

    def _constrained(self, state: dict[int, int]) -> dict[int, int]:
        """As many blocks are begun as there are."""
        state = super()._constrained(state)
        for group, value in zip(self.stream.ahead, self._begun(state), strict=True):
            state |= dict.fromkeys(group.flops, value)
        return state

    def _begun(self, state: Mapping[int, int]) -> list[int]:
        """Return how many blocks there are."""
        total = words.number(0, len(self.stream.ahead))
        for used in (self.stream.full, *self.stream.core.occupied):
            total = words.add(self.forms, total, [state[used.flops[0]]])
        return total

    def _step(self) -> None:
        super()._step()
        coming = {flop: self.good[d] for flop, d in self.next.items()}
        ahead = self.coming(self.stream.ahead)
        self.agree((), ahead, self._begun(coming), "blocks are not counted")

    # --- Arithmetic that was taken out ------------------------------------------------------------

    def _shapes(self) -> None:
        """Of the step of a multiplication some inputs do not matter at some times."""
        inside, pending = self.abstract.inside[SUM], self.net(f"{MAC}pending_q")
        outputs = set(self.netlist.aliases[SUM])
        for value in (ZERO, ONE):
            if not outputs.isdisjoint(reads(inside, {pending: value}, self._not_summed(value))):
                self.verdict.findings.append(f"{SUM}: depends on what it should not depend on")

    def ignored(self, gate: Gate, values: Mapping[int, int]) -> Iterable[int]:
        """Return the inputs of a step of a multiplication that do not matter (``_shapes``)."""
        if gate.kind != UNKNOWN + SUM:
            return ()
        return self._not_summed(values[self.net(f"{MAC}pending_q")])

    def _not_summed(self, pending: int) -> Iterable[int]:
        if pending == ONE:
            return (self.net(f"{MAC}in_final_i"),)
        return self.mac.partial.flops if self.mac and pending == ZERO else ()

    # --- Detection --------------------------------------------------------------------------------

    def look_at(self, source: Source) -> None:
        """Show that one wrong bit of a source is noticed, and that nothing reads it when empty."""
        if not self.verdict.findings:
            noticed(self, source)
        for place in source.places:
            if not self.verdict.findings:
                unused(self, place)
