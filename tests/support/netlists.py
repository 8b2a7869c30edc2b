"""Mutants of a netlist, and whether a proof of them fails."""

import dataclasses

import pytest

from cryptile.netlist.gates import Gate
from cryptile.prove import trial
from cryptile.prove.near import distances


def first_of_each(cases, *places, others):
    """Give cases to ``parametrize``; those alike in some places, but for the first, have a mark.

    What is alike are parts of a proof and what they find: one mutant shows that they can fail.
    """
    seen = set()
    for case in cases:
        kind = tuple(case[place] for place in places)
        yield pytest.param(*case, marks=[others] if kind in seen else [])
        seen.add(kind)


def fails(checked, sound, *only):
    """Carry parts of a proof, or all, out on a mutant of a sound netlist, to the first finding.

    It begins with the flip-flops near what was mutated: there the finding is likely.
    """
    checked.seek({}, distances(sound, checked.netlist))
    return not checked.run(*only).holds


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


def gated(netlist, net, kind, other):
    """Let the readers of a net read it through a gate with another net, which no gate drives later.

    Gates are in topological order: the new one stands behind the one that drove the net.
    """
    free = max(gate.output for gate in netlist.gates) + 1
    gates = []
    for gate in netlist.gates:
        driver = gate.output == net
        gates.append(dataclasses.replace(gate, output=free) if driver else gate)
        gates += [Gate(kind, (free, other), net)] if driver else []
    return dataclasses.replace(netlist, gates=tuple(gates))


def survivors(design):
    """Make the whole table of mutants; return those that speak against the proof."""
    tried = list(trial.trials(design, trial.mutants(design)))
    assert tried
    return [
        (mutant.site, mutant.mutation, found.fate)
        for mutant, found in tried
        if found.fate in trial.BAD_FATES
    ]
