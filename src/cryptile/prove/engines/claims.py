"""What proofs of engines claim of the forms that they look at."""

from collections.abc import Iterable

from cryptile.prove.groups import Group
from cryptile.prove.upset import Proof


class Claims(Proof):
    """A proof that says what it finds where a claim is false.

    Attributes:
        asked: the inputs of the cycle that is looked at.
    """

    asked: dict[int, int]

    def happens(self, *when: int, text: str) -> None:
        """Find it if some forms can be one together."""
        if self.search.possible(*when):
            self.verdict.findings.append(text)

    def agree(
        self, when: tuple[int, ...], first: Iterable[int], second: Iterable[int], text: str
    ) -> None:
        """Find it if two words can differ while some forms are one."""
        for a, b in zip(first, second, strict=True):
            if a != b and self.search.possible(*when, self.forms.sum(a, b)):
                self.verdict.findings.append(text)
                return

    # --- Registers --------------------------------------------------------------------------------

    def copies(self, scope: str) -> list[Group]:
        """Return the copies of a register, by bit."""
        (nets,) = (
            self.netlist.aliases[name]
            for level in ("correct", "detect")
            if (name := f"{scope}gen_{level}.gen_copy[0].u_copy.copy_q") in self.netlist.aliases
        )
        return [self.home[net] for net in nets]

    def number_held(self, groups: list[Group], number: int) -> dict[int, int]:
        """Return flip-flops with the values by which copies hold a number."""
        return {flop: number >> bit & 1 for bit, group in enumerate(groups) for flop in group.flops}
