"""The proof of ``chacha20poly1305_engine`` with ``ProtectCorrect``."""

import re
from collections.abc import Callable, Iterable, Mapping

from cryptile.netlist.gates import Gate
from cryptile.prove.cuts import Abstract, reads
from cryptile.prove.engines import words
from cryptile.prove.engines.chacha20poly1305 import content, pauses
from cryptile.prove.engines.chacha20poly1305.cores import STREAM
from cryptile.prove.engines.chacha20poly1305.registers import (
    LAST_STATE,
    MAC,
    MOST_TRIES,
    PARTIAL,
    SUM,
    WRONG,
    Mac,
    Stream,
)  # fmt: skip
from cryptile.prove.engines.containment import contained
from cryptile.prove.engines.detection import noticed, unused
from cryptile.prove.engines.replay import Replay
from cryptile.prove.forms import ONE, UNKNOWN, ZERO
from cryptile.prove.upset import Verdict

ARGUMENT = (
    "Start, step: sound states follow one another; so do the lemmas below (induction over cycles).",
    "Detection: where a register that is made again is used, each flip of one flip-flop raises its "
    "signal in that cycle, or it does nothing but be handed on as one wrong bit; where nothing is "
    "held, whatever is there changes nothing but what holds nothing in the next cycle.",
    "Containment: with the signal up and the register holding anything, outputs and next state are "
    "those of the undisturbed engine in whose place key stream or product pauses for the cycle; "
    "what is made again is empty in the next.",
    "Content: key stream and product in the making are functions of key, nonce, counter, x, r, "
    "their counts of steps and their order alone, before and behind a replay.",
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


class EngineProof(Replay):
    """The proof; ``stream`` and ``mac`` are its registers, ``state`` those of the engine's state.

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
            (self.state, LAST_STATE), *self.stream.core.bounded, (self.stream.tries, MOST_TRIES),
        ]  # fmt: skip
        self.empty = self.stream.occupied
        sources = self.stream.sources
        if self.mac:
            self.bounded.append((self.mac.steps, self.stream.core.poly_steps - 1))
            self.empty = [*self.empty, self.mac.pending]
            sources = [*sources, self.mac.source]
        self.low = [self.netlist.aliases[WRONG], (self.alarm,)]
        self.made_again(sources)

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        mac = {"product": self._product_upsets} if self.mac else {}
        shapes = {"shapes": self._shapes} if SUM in self.abstract.inputs else {}
        return {
            "count": self._count,
            "step": self._step,
            "core": self._core_upsets,
            "block": self._block_upsets,
            **mac,
            **shapes,
            "contents": lambda: content.shown(self),
            "pauses": lambda: pauses.shown(self),
            "elsewhere": self.elsewhere,
            "start": self._start,
        }

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        verdict.claim = "changes nothing outside but time"
        return verdict

    # --- Sound states -----------------------------------------------------------------------------

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

    # --- Upsets -----------------------------------------------------------------------------------

    def _core_upsets(self) -> None:
        core, block = self.stream.sources
        noticed(self, core)
        for place in core.places:
            unused(self, place)
        # What the core hands on is made again with it.
        contained(
            self, core, f"{STREAM}fault", again=block.flops,
            empty=self.stream.occupied, unbounded=self.stream.tries,
        )  # fmt: skip

    def _block_upsets(self) -> None:
        core, block = self.stream.sources
        noticed(self, block)
        unused(self, self.stream.block)
        contained(
            self, block, f"{STREAM}fault", again=core.flops,
            empty=self.stream.occupied, unbounded=self.stream.tries,
        )  # fmt: skip

    def _product_upsets(self) -> None:
        assert self.mac
        (place,) = self.mac.source.places
        noticed(self, self.mac.source)
        unused(self, place)
        contained(
            self, self.mac.source, "active", fixed=dict.fromkeys(self.mac.pending.flops, ONE),
            empty=[*self.mac.steps, self.mac.partial], unbounded=self.stream.tries,
        )  # fmt: skip
