"""What is known of the nets of a netlist of which some sources are unknown."""

from collections.abc import Iterable, Mapping
from itertools import product

from cryptile.netlist.gates import ONE, TABLES, ZERO, Gate

_UNKNOWN = 2


def _outputs(kind: str) -> dict[tuple[int, ...], int]:
    """Return the output of a kind of gate for inputs of which some are unknown."""
    table = TABLES[kind]
    width = {"buf": 1, "not": 1, "mux": 3}.get(kind, 2)
    found = {}
    for inputs in product((ZERO, ONE, _UNKNOWN), repeat=width):
        free = [(value,) if value != _UNKNOWN else (ZERO, ONE) for value in inputs]
        values = {
            table >> sum(bit << place for place, bit in enumerate(bits)) & 1
            for bits in product(*free)
        }
        found[inputs] = values.pop() if len(values) == 1 else _UNKNOWN
    return found


_OUTPUTS = {kind: _outputs(kind) for kind in TABLES}


def known(gates: Iterable[Gate], sources: Mapping[int, int]) -> dict[int, int]:
    """Return the nets whose value is the same whatever the other sources are."""
    values = {ZERO: ZERO, ONE: ONE, **sources}
    for gate in gates:
        value = output(gate, values)
        if value is not None:
            values[gate.output] = value
    return values


def output(gate: Gate, values: Mapping[int, int]) -> int | None:
    """Return what a gate gives where only some nets are known; nothing if that is not known."""
    table = _OUTPUTS.get(gate.kind)
    value = table[tuple(values.get(net, _UNKNOWN) for net in gate.inputs)] if table else _UNKNOWN
    return None if value == _UNKNOWN else value
