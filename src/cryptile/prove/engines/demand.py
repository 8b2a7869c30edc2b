"""Values of nets that are computed when they are asked for."""

from collections.abc import Callable, Mapping

from cryptile.netlist.gates import Gate


class Demand(dict[int, int]):
    """The values of all nets of a netlist, of which those that nobody reads are never computed.

    Of a long pipeline a question is often about one stage.
    """

    def __init__(
        self,
        known: Mapping[int, int],
        drivers: Mapping[int, Gate],
        value: Callable[[Gate, list[int]], int],
    ) -> None:
        """Begin with the values of some nets; ``value`` computes that of a gate."""
        super().__init__(known)
        self._drivers, self._of = drivers, value

    def __missing__(self, net: int) -> int:
        """Compute the value of a net, and all that it depends on."""
        waiting = [net]
        while waiting:
            gate = self._drivers[waiting[-1]]
            missing = [read for read in gate.inputs if read not in self]
            waiting += missing
            if not missing:
                output = waiting.pop()
                if output not in self:
                    self[output] = self._of(gate, [self[read] for read in gate.inputs])
        return self[net]
