"""The proof of ``chacha20poly1305_engine`` with ``ImplOpt`` and ``ProtectCorrect``."""

import re
from collections.abc import Callable, Iterable, Mapping

from cryptile.netlist.gates import Gate
from cryptile.prove.cuts import Abstract, reads
from cryptile.prove.engines.chacha20poly1305 import content, pauses
from cryptile.prove.engines.chacha20poly1305.registers import (
    LAST_ROUND,
    LAST_STATE,
    MAC,
    MOST_TRIES,
    STREAM,
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


class EngineProof(Replay):
    """The proof; ``stream`` and ``mac`` are its registers, ``state`` those of the engine's state.

    ``mac`` is none if Poly1305 is not built.
    """

    def __init__(self, design: Abstract, level: str, log: Iterable[re.Pattern[str]] = ()) -> None:
        """Find the parts of a netlist from ``without_arithmetic``; the rest as in ``Proof``."""
        super().__init__(design, level, log)
        self.stream = Stream(self)
        self.mac = Mac(self) if SUM in design.inputs else None
        self.state = self.copies("u_state.u_state.")
        self.bounded = [
            (self.state, LAST_STATE), (self.stream.count, LAST_ROUND),
            (self.stream.tries, MOST_TRIES),
        ]  # fmt: skip
        self.empty = self.stream.occupied
        sources = self.stream.sources
        if self.mac:
            self.empty = [*self.empty, self.mac.pending]
            sources = [*sources, self.mac.source]
        self.low = [self.netlist.aliases[WRONG], (self.alarm,)]
        self.made_again(sources)

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        mac = {"product": self._product_upsets, "shapes": self._shapes}
        return {
            "count": self._count,
            "step": self._step,
            "core": self._core_upsets,
            "block": self._block_upsets,
            **(mac if self.mac else {}),
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
        busy, full = (state[group.flops[0]] for group in (self.stream.busy, self.stream.full))
        return [self.forms.sum(busy, full), self.forms.product(busy, full)] + [ZERO] * 3

    def _step(self) -> None:
        super()._step()
        held = [group.flops[0] for group in (self.stream.busy, self.stream.full)]
        coming = {net: self.good[self.next[net]] for net in held}
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
        self.case({})
        noticed(self, core)
        unused(self, core, dict.fromkeys(self.stream.busy.flops, ZERO))
        # What the core hands on is made again with it.
        contained(
            self, core, f"{STREAM}fault", again=block.flops,
            empty=self.stream.occupied, unbounded=self.stream.tries,
        )  # fmt: skip

    def _block_upsets(self) -> None:
        core, block = self.stream.sources
        unused(self, block, dict.fromkeys(self.stream.full.flops, ZERO))
        contained(
            self, block, f"{STREAM}fault", again=core.flops,
            empty=self.stream.occupied, unbounded=self.stream.tries,
        )  # fmt: skip
        for place in range(4):
            if not self.verdict.findings:
                self.case(self.number_held(self.stream.row, place))
                noticed(self, block)

    def _product_upsets(self) -> None:
        assert self.mac
        product, pending = self.mac.source, self.mac.pending.flops
        used = dict.fromkeys(pending, ONE)
        self.case(used)
        noticed(self, product)
        unused(self, product, dict.fromkeys(pending, ZERO))
        contained(
            self, product, "active", fixed=used, empty=[*self.mac.steps, self.mac.partial],
            unbounded=self.stream.tries,
        )  # fmt: skip
