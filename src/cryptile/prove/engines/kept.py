"""What an alarm of an engine leaves as it is, and whether that may tell of the key or the data."""

from collections.abc import Iterable

from cryptile.prove.groups import Group
from cryptile.prove.informed import informed
from cryptile.prove.upset import Proof


class Kept:
    """The registers that a design declares under ``kept``, as a proof meets them."""

    def __init__(self, proof: Proof) -> None:
        """Begin with none."""
        self._proof = proof
        self._groups: dict[str, list[Group]] = {}
        self._told = ""

    def includes(self, group: Group) -> bool:
        """Say whether a register is declared, and remember it."""
        if not any(pattern.search(group.scope) for pattern in self._proof.hints.kept):
            return False
        self._groups.setdefault(group.scope.removesuffix("."), []).append(group)
        return True

    def look(self, but: Iterable[Group] = ()) -> None:
        """Find out which of them something of the key or of the data may reach.

        Not of those that hold a constant until the job ends, as the proof has shown.
        """
        reached = informed(self._proof)
        flops = reached.flops.difference(*(group.flops for group in but))
        believed = [
            scope
            for scope, groups in self._groups.items()
            if any(not flops.isdisjoint(group.flops) for group in groups)
        ]
        self._told = reached.told(list(self._groups), believed)

    def __str__(self) -> str:
        """Say what was found."""
        return self._told
