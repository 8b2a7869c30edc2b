"""The proof of designs with memories of codewords, such as the queues and lanes of the tile."""

import re
from collections.abc import Callable, Iterable, Mapping

from cryptile.prove.forms import ONE, ZERO
from cryptile.prove.memories import Memory, Surroundings
from cryptile.prove.upset import Proof, Verdict

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
    "M1: a word is used only after it was written. Not proven: before that it is no codeword.",
    "M2: a word collects upsets until it is written again; the next comes when the last has gone.",
)
"""What the argument rests on; docs/protection.md has what every proof rests on."""


class MemoryProof(Proof):
    """The proof of a netlist from ``without_memories``."""

    def __init__(
        self, design: Surroundings, level: str, log: Iterable[re.Pattern[str]] = ()
    ) -> None:
        """Find the groups; ``level`` and ``log`` as in ``Proof``."""
        self.design = design
        super().__init__(design.netlist, level, log)

    def parts(self) -> dict[str, Callable[[], None]]:
        """Return the parts of the proof by their names."""
        return {"memories": self._memories, **super().parts(), "read": self._read}

    def run(self, *only: str) -> Verdict:
        """Carry the proof out, and say what was shown; ``only`` as in ``Proof``."""
        verdict = super().run(*only)
        verdict.argument, verdict.assumptions = ARGUMENT, ASSUMPTIONS
        return verdict

    def _memories(self) -> None:
        for memory in self.design.memories:
            self.verdict.groups["memory of SEC-DED"] += len(memory.flops)
        self.verdict.findings += self.design.findings

    def _inputs(self, fixed: Mapping[str, int]) -> dict[int, int]:
        """As in ``Proof``; what is read is any codeword."""
        values = super()._inputs(fixed)
        known = {ZERO: ZERO, ONE: ONE, **values}
        for memory in self.design.memories:
            for group in memory.groups(memory.read):
                for place, members in group.checks():
                    check = 0
                    for member in members:
                        check ^= known[group.flops[member]]
                    values[group.flops[place]] = check
        return values

    def _step(self) -> None:
        super()._step()
        for memory in self.design.memories:
            if not self._codewords_written(memory):
                self.verdict.findings.append(f"{memory.scope[:-1]}: no codeword is written")

    def _codewords_written(self, memory: Memory) -> bool:
        for group in memory.groups(memory.written):
            for place, members in group.checks():
                check = 0
                for member in members:
                    check = self.forms.sum(check, self.good[group.flops[member]])
                if not self.search.equal(self.good[group.flops[place]], check):
                    return False
        return True

    def _read(self) -> None:
        self._enter()
        for memory in self.design.memories:
            for net in set(memory.read) - {ZERO, ONE}:
                changed = self._propagate({**self._log_values, net: self.good[net] ^ ONE})
                for text in self._effects(set(), changed):
                    self.verdict.findings.append(
                        f"{memory.scope[:-1]}: a wrong bit that is read {text}"
                    )
                    return
