"""Mutants of a netlist."""

import dataclasses

from cryptile.netlist.gates import Gate


def driven(netlist, nets):
    """Drive some nets by another net instead of by their gate."""
    gates = tuple(
        Gate("buf", (nets[gate.output],), gate.output) if gate.output in nets else gate
        for gate in netlist.gates
    )
    assert gates != netlist.gates
    # In topological order: what drives may stand behind what is driven.
    order = {gate.output: place for place, gate in enumerate(netlist.gates)}
    late = [order.get(source, 0) for source in nets.values()]
    assert all(place <= order[net] for place, net in zip(late, nets, strict=True))
    return dataclasses.replace(netlist, gates=gates)


def put_for(netlist, name, instead):
    """Drive the nets of a name that gates drive by those of another one, or by a constant."""
    nets = netlist.aliases[name]
    given = netlist.aliases[instead] if isinstance(instead, str) else [instead] * len(nets)
    pairs = zip(nets, given, strict=True)
    return driven(netlist, {net: source for net, source in pairs if net in netlist.drivers})
