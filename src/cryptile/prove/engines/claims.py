"""What proofs of engines claim of the forms that they look at."""

from collections.abc import Iterable

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
