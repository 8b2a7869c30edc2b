"""The proof of ``cry_chacha20poly1305_engine`` with ``ProtectCorrect``."""

from collections.abc import Callable, Iterable

from cryptile.prove.engines.chacha20poly1305 import content, pauses
from cryptile.prove.engines.chacha20poly1305.cores import STREAM
from cryptile.prove.engines.chacha20poly1305.engine import Engine
from cryptile.prove.engines.chacha20poly1305.registers import (
    SUM,
)
from cryptile.prove.engines.containment import contained
from cryptile.prove.engines.replay import Source
from cryptile.prove.forms import ONE
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


class CorrectProof(Engine):
    """The proof that an upset changes nothing but time."""

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

    def nearest(self) -> dict[str, tuple[Callable[[], None], float]]:
        """As in ``Proof``."""
        groups = self.first_groups(self.resting())
        return {"elsewhere": (lambda: self.upsets_of(groups), 0.25)}

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        verdict.claim = "changes nothing outside but time"
        return verdict

    # --- Upsets -----------------------------------------------------------------------------------

    def _core_upsets(self) -> None:
        core, block = self.stream.sources
        # What the core hands on is made again with it.
        self._stream_upsets(core, block.flops)

    def _block_upsets(self) -> None:
        core, block = self.stream.sources
        self._stream_upsets(block, core.flops)

    def _stream_upsets(self, source: Source, again: Iterable[int]) -> None:
        contained(
            self,
            source,
            f"{STREAM}fault",
            again=again,
            empty=self.stream.occupied,
            unbounded=self.stream.tries,
        )
        self.look_at(source)

    def _product_upsets(self) -> None:
        assert self.mac
        contained(
            self,
            self.mac.source,
            "active",
            fixed=dict.fromkeys(self.mac.pending.flops, ONE),
            empty=[*self.mac.steps, self.mac.partial],
            unbounded=self.stream.tries,
        )
        self.look_at(self.mac.source)
