"""Flip-flops that never change: registers of what is not built keep the value of their reset."""

from collections.abc import Iterable, Mapping
from itertools import product

from cryptile.netlist.gates import ONE, TABLES, ZERO, Gate, Netlist

FIXED = {"inject_i": ZERO, "fault_inject_i": ZERO}
"""Inputs that inject upsets, which no proof counts beside its own."""

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


def _known(gates: Iterable[Gate], sources: Mapping[int, int]) -> dict[int, int]:
    """Return the nets whose value is the same whatever the other sources are."""
    values = {ZERO: ZERO, ONE: ONE, **sources}
    for gate in gates:
        table = _OUTPUTS.get(gate.kind)
        inputs = tuple(values.get(net, _UNKNOWN) for net in gate.inputs)
        value = table[inputs] if table else _UNKNOWN
        if value != _UNKNOWN:
            values[gate.output] = value
    return values


def constants(netlist: Netlist) -> dict[int, int]:
    """Return the flip-flops that keep one value from reset on, whatever the inputs are.

    By induction: they have it behind reset, and as long as they have it, no input and nothing that
    any other flip-flop holds changes it.
    """
    inputs = {
        net: FIXED[name] for name, nets in netlist.inputs.items() if name in FIXED for net in nets
    }
    (reset,) = netlist.inputs["rst_ni"]
    values = _known(netlist.gates, {**inputs, reset: ZERO})
    held = {flop.q: values[flop.d] for flop in netlist.flip_flops if flop.d in values}
    while True:
        values = _known(netlist.gates, {**inputs, reset: ONE, **held})
        next_state = {flop.q: values.get(flop.d) for flop in netlist.flip_flops}
        kept = {flop: value for flop, value in held.items() if next_state[flop] == value}
        if kept == held:
            return held
        held = kept
