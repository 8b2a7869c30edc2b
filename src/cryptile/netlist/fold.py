"""A netlist in which some nets are constant, with all that follows."""

import dataclasses
from collections.abc import Iterable, Mapping
from itertools import product

from cryptile.netlist.gates import ONE, TABLES, ZERO, Gate, Netlist

_COMMUTES = {"and", "or", "xor", "nand", "nor", "xnor"}


def folded(netlist: Netlist, known: Mapping[int, int], keep: Iterable[str] = ()) -> Netlist:
    """Return a netlist with constants for some nets, without flip-flops that nothing reads.

    Ports that are constant as a whole are left out.

    Args:
        netlist: what is changed.
        known: the nets that are constant, with their values.
        keep: names of flip-flops that stay even so.
    """
    stands = {ZERO: ZERO, ONE: ONE, **known}
    made: dict[tuple[str, tuple[int, ...]], int] = {}
    gates = []
    for gate in netlist.gates:
        found = _simpler(gate.kind, tuple(stands.get(net, net) for net in gate.inputs))
        if isinstance(found, int):
            stands[gate.output] = found
        elif (same := made.setdefault(found, gate.output)) != gate.output:
            stands[gate.output] = same
        else:
            gates.append(Gate(*found, gate.output))

    def now(nets: Iterable[int]) -> tuple[int, ...]:
        return tuple(stands.get(net, net) for net in nets)

    result = dataclasses.replace(
        netlist,
        inputs={
            name: nets for name, nets in netlist.inputs.items() if not known.keys() >= set(nets)
        },
        outputs={name: now(nets) for name, nets in netlist.outputs.items()},
        flip_flops=tuple(
            dataclasses.replace(flop, d=stands.get(flop.d, flop.d)) for flop in netlist.flip_flops
        ),
        gates=tuple(gates),
        names={net: name for net, name in netlist.names.items() if net not in stands},
        aliases={name: now(nets) for name, nets in netlist.aliases.items()},
    )
    return _without(result, _unread(result, frozenset(keep)))


def _simpler(kind: str, inputs: tuple[int, ...]) -> int | tuple[str, tuple[int, ...]]:
    """Return the net that a gate's output equals, or the simplest gate that gives it."""
    free = sorted({net for net in inputs if net > ONE})
    if len(free) == len(inputs) and kind not in ("buf", "not"):
        return kind, tuple(free) if kind in _COMMUTES else inputs
    values = _values(kind, inputs, free)
    if len(set(values)) == 1:
        return values[0]
    rows = list(product((ZERO, ONE), repeat=len(free)))
    for place, net in enumerate(free):
        if values == [row[place] for row in rows]:
            return net
    if len(free) == 1:
        return "not", (free[0],)
    for other in TABLES:  # two nets: of all kinds one gives it
        for order in (tuple(free), tuple(reversed(free))):
            if other not in ("buf", "not", "mux") and _values(other, order, free) == values:
                return other, order
    return kind, inputs


def _values(kind: str, inputs: Iterable[int], free: list[int]) -> list[int]:
    """Return a gate's output for all values of the nets that are not constant."""
    found = []
    for row in product((ZERO, ONE), repeat=len(free)):
        now = {ZERO: ZERO, ONE: ONE, **dict(zip(free, row, strict=True))}
        found.append(TABLES[kind] >> sum(now[net] << k for k, net in enumerate(inputs)) & 1)
    return found


def _unread(netlist: Netlist, keep: frozenset[str]) -> set[int]:
    """Return the flip-flops that reach no output, and are not to be kept."""
    data = {flop.q: flop.d for flop in netlist.flip_flops}
    waiting = [net for nets in netlist.outputs.values() for net in nets]
    waiting += [flop.q for flop in netlist.flip_flops if flop.name in keep]
    read: set[int] = set()
    while waiting:
        net = waiting.pop()
        if net not in read:
            read.add(net)
            if net in data:
                waiting.append(data[net])
            elif net in netlist.drivers:
                waiting += netlist.drivers[net].inputs
    return data.keys() - read


def _without(netlist: Netlist, flops: set[int]) -> Netlist:
    """Return a netlist without some flip-flops, nor what depends on them."""
    if not flops:
        return netlist
    gone = set(flops)
    gates = []
    for gate in netlist.gates:
        if gone.isdisjoint(gate.inputs):
            gates.append(gate)
        else:
            gone.add(gate.output)
    return dataclasses.replace(
        netlist,
        flip_flops=tuple(flop for flop in netlist.flip_flops if flop.q not in flops),
        gates=tuple(gates),
        names={net: name for net, name in netlist.names.items() if net not in gone},
        aliases={name: nets for name, nets in netlist.aliases.items() if gone.isdisjoint(nets)},
    )
