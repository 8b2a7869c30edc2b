"""Arithmetic taken out of a netlist: of a sum or a round it is enough that it is a function."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter

from cryptile.netlist.gates import TABLES, Gate, Netlist
from cryptile.prove.forms import UNKNOWN


@dataclass(frozen=True)
class Cut:
    """What to take out.

    Attributes:
        name: of the nets that stay, and become unknown functions of what the logic behind reads.
        gate_net: name of a net; what is gated with it counts as read, not what it is gated with.
    """

    name: str
    gate_net: str = ""


@dataclass(frozen=True)
class Abstract:
    """A netlist without some arithmetic.

    Attributes:
        netlist: the netlist; gates of a kind that begins with ``UNKNOWN`` stand for the arithmetic.
        inputs: the nets that each cut reads, by its name.
        inside: the gates that were taken out, by the name of the cut.
        hubs: the gate that gathers what a cut reads.
    """

    netlist: Netlist
    inputs: Mapping[str, tuple[int, ...]]
    inside: Mapping[str, tuple[Gate, ...]]
    hubs: Mapping[str, int]


def abstract(netlist: Netlist, cuts: Iterable[Cut], sinks: Iterable[int] = ()) -> Abstract:
    """Take cuts out of a netlist, and all logic that nothing else reads; ``sinks`` stay."""
    drivers = netlist.drivers
    outputs = {
        cut: tuple(net for net in netlist.aliases[cut.name] if net in drivers) for cut in cuts
    }
    cut_nets = {net for nets in outputs.values() for net in nets}
    ends = [flop.d for flop in netlist.flip_flops]
    ends += [net for nets in netlist.outputs.values() for net in nets]
    kept = behind(netlist, [*ends, *sinks], cut_nets)
    for cut, nets in outputs.items():
        if cut.gate_net:
            enable = netlist.aliases[cut.gate_net][0]
            between = behind(netlist, _read(netlist, nets), cut_nets | kept)
            gated = [net for net in between if net in drivers and enable in drivers[net].inputs]
            kept |= behind(netlist, gated, cut_nets)
    gates = [gate for gate in netlist.gates if gate.output in kept and gate.output not in cut_nets]
    inputs, inside, hubs = {}, {}, {}
    fresh = max(max(drivers), *(flop.q for flop in netlist.flip_flops))
    for cut, nets in outputs.items():
        stops = kept | cut_nets
        between = behind(netlist, _read(netlist, nets), stops)
        gone = {net for net in between if net in drivers and net not in stops} | set(nets)
        inside[cut.name] = tuple(gate for gate in netlist.gates if gate.output in gone)
        read = {net for gate in inside[cut.name] for net in gate.inputs} - gone
        inputs[cut.name] = tuple(sorted(read - {0, 1}))
        fresh += 1
        hubs[cut.name] = fresh
        gates.append(Gate(UNKNOWN + cut.name, inputs[cut.name], fresh))
        gates += [Gate(f"{UNKNOWN}{cut.name} {net}", (fresh,), net) for net in nets]
    by_output = {gate.output: gate for gate in gates}
    order = TopologicalSorter({gate.output: gate.inputs for gate in gates}).static_order()
    sorted_gates = tuple(by_output[net] for net in order if net in by_output)
    return Abstract(dataclasses.replace(netlist, gates=sorted_gates), inputs, inside, hubs)


def _read(netlist: Netlist, nets: Iterable[int]) -> list[int]:
    return [source for net in nets for source in netlist.drivers[net].inputs]


def behind(netlist: Netlist, nets: Iterable[int], stops: set[int]) -> set[int]:
    """Return all nets that some depend on, not looking behind ``stops``, which are included."""
    found: set[int] = set()
    waiting = list(nets)
    while waiting:
        net = waiting.pop()
        if net not in found:
            found.add(net)
            if net not in stops and net in netlist.drivers:
                waiting += netlist.drivers[net].inputs
    return found


def reads(inside: Iterable[Gate], fixed: Mapping[int, int], nets: Iterable[int]) -> set[int]:
    """Return what depends on some nets, in gates in order, where ``fixed`` nets are constant."""
    known: dict[int, int] = {0: 0, 1: 1, **fixed}
    touched = set(nets)
    for gate in inside:
        table, unknown = TABLES[gate.kind], []
        place = 0
        for k, net in enumerate(gate.inputs):
            if net in known:
                place |= known[net] << k
            else:
                unknown.append(k)
        outputs = set()
        for choice in range(1 << len(unknown)):
            row = place | sum(1 << k for i, k in enumerate(unknown) if choice >> i & 1)
            outputs.add(table >> row & 1)
        if len(outputs) == 1:
            known[gate.output] = outputs.pop()
        elif any(_matters(table, place, unknown, k) and gate.inputs[k] in touched for k in unknown):
            touched.add(gate.output)
    return touched


def _matters(table: int, place: int, unknown: list[int], pin: int) -> bool:
    """Say whether an input can change the output of a gate of which some inputs are known."""
    others = [k for k in unknown if k != pin]
    for choice in range(1 << len(others)):
        row = place | sum(1 << k for i, k in enumerate(others) if choice >> i & 1)
        if table >> row & 1 != table >> (row | 1 << pin) & 1:
            return True
    return False
