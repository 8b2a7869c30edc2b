"""The proof of designs with memories of codewords, such as the queues and lanes of the tile."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from cryptile.designs.hints import Hints
from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.level import Level
from cryptile.prove.memories import Memory, Surroundings
from cryptile.prove.upset import NO_HINTS, Overlay, Proof, Verdict

ARGUMENT = (
    "Memories: each bit is kept or written with its whole word, the read port gives the word that "
    "the address names, and nothing else reads a word: shown gate by gate.",
    "All data written are codewords; what is read is any codeword, and one wrong bit of it changes "
    "nothing outside and nothing that is stored.",
    "All other flip-flops: an upset changes nothing outside in any cycle, nor what memories are "
    "asked for and given.",
)
"""What is shown, for the reader."""

ASSUMPTIONS = (
    "M1: a word is used only after it was written. Not proven: before that it is no codeword. At "
    "detect nobody looks at what a memory gives while its used_i is low.",
    "M2: a word collects upsets until it is written again; the next comes when the last has gone.",
)
"""What the argument rests on; docs/protection.md has what every proof rests on."""


_MOST_MEMORIES = 2
"""Of the memories that are looked at first where a finding is expected."""


class MemoryProof(Proof):
    """The proof of a netlist from ``without_memories``."""

    heeds_lemmas = True

    def __init__(
        self,
        design: Surroundings,
        level: str,
        log: Iterable[re.Pattern[str]] = (),
        hints: Hints = NO_HINTS,
    ) -> None:
        """Find the groups; ``level``, ``log`` and the lemmas of ``hints`` as in ``Proof``."""
        self.design = design
        self._to_read = list(design.memories)
        super().__init__(design.netlist, level, log, Hints(lemmas=hints.lemmas))

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {"memories": self._memories, **super().parts(), "read": self._read}

    def seek(self, costs: Mapping[str, float], near: Mapping[int, int]) -> None:
        """As in ``Proof``; memories that are read near what is suspected come first, too."""
        super().seek(costs, near)
        far = len(self.netlist.gates)
        self._to_read.sort(key=lambda memory: min(near.get(net, far) for net in memory.read))

    def nearest(self) -> dict[str, tuple[Callable[[], None], float]]:
        """As in ``Proof``; of memories the first ones."""
        share = _MOST_MEMORIES / max(len(self._to_read), _MOST_MEMORIES)
        return {**super().nearest(), "read": (self._nearest_read, share)}

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        return verdict

    def _memories(self) -> None:
        for memory in self.design.memories:
            self.verdict.groups[f"memory of {memory.kind}"] += len(memory.flops)
        self.verdict.findings += self.design.findings

    def _inputs(self, fixed: Mapping[str, int]) -> dict[int, int]:
        """As in ``Proof``; what is read is any codeword."""
        values = super()._inputs(fixed)
        known = {ZERO: ZERO, ONE: ONE, **values}
        for memory in self.design.memories:
            for group in memory.groups(memory.read):
                for place, members in group.checks():
                    data = (known[group.flops[member]] for member in members)
                    values[group.flops[place]] = self.forms.total(data)
        return values

    def _step(self) -> None:
        super()._step()
        for memory in self.design.memories:
            if not self._codewords_written(memory, self.good):
                self.verdict.findings.append(f"{memory.scope[:-1]}: no codeword is written")

    def _under_alarm(
        self, wrong: set[int], changed: Mapping[int, int], alarm: int
    ) -> Iterator[str]:
        """As in ``Proof``; what is written to a memory is a codeword."""
        yield from super()._under_alarm(wrong, changed, alarm)
        yield from self._written_wrongly(changed)

    def _effects(self, wrong: set[int], changed: Mapping[int, int]) -> Iterator[str]:
        """As in ``Proof``; what is written to a memory is a codeword."""
        yield from super()._effects(wrong, changed)
        yield from self._written_wrongly(changed)

    def _written_wrongly(self, changed: Mapping[int, int]) -> Iterator[str]:
        for memory in self.design.memories:
            touched = not changed.keys().isdisjoint(memory.written)
            if touched and not self._codewords_written(memory, Overlay(changed, self.good)):
                yield f"writes no codeword to {memory.scope[:-1]}"

    def _codewords_written(self, memory: Memory, values: Mapping[int, int]) -> bool:
        for group in memory.groups(memory.written):
            for place, members in group.checks():
                check = self.forms.total(values[group.flops[member]] for member in members)
                if not self.search.equal(values[group.flops[place]], check):
                    return False
        return True

    def _read(self) -> None:
        self._read_from(self._to_read)

    def _nearest_read(self) -> None:
        self._read_from(self._to_read[:_MOST_MEMORIES])

    def _read_from(self, memories: Iterable[Memory]) -> None:
        for memory in memories:
            self._fresh()
            self._enter()
            if self.level is Level.detect:
                self._require_used(memory)
            for net in set(memory.read) - {ZERO, ONE}:
                changed = self._propagate({**self._log_values, net: self.good[net] ^ ONE})
                untold = self._untold(changed) if self.level is Level.correct else ()
                for text in chain(self._effects(set(), changed), untold):
                    self.verdict.findings.append(
                        f"{memory.scope[:-1]}: a wrong bit that is read {text}"
                    )
                    return

    def _require_used(self, memory: Memory) -> None:
        """Look only at states in which the word that is read counts: no alarm tells of another."""
        (used,) = self.netlist.aliases[f"{memory.scope}used_i"]
        if used != ZERO:  # else synthesis dropped the name
            self.search.require(self.good[used])
