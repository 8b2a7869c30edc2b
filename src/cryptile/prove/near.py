"""How far nets are from what differs between two netlists: where a proof is likely to fail."""

from cryptile.netlist.gates import Netlist


def distances(first: Netlist, second: Netlist) -> dict[int, int]:
    """Return how many gates stand between a net and the next gate that is in one netlist alone.

    Nothing if hardly a gate is in both: then their nets have nothing in common but numbers.
    """
    gates, others = set(first.gates), set(second.gates)
    shared = gates & others
    if 2 * len(shared) < len(gates):
        return {}
    near = {gate.output: 0 for gate in gates ^ others}
    moved = {flop.d for flop in first.flip_flops} ^ {flop.d for flop in second.flip_flops}
    near |= dict.fromkeys(moved, 0)
    waiting = list(near)
    for net in waiting:  # grows meanwhile
        for part in (first, second):
            gate = part.drivers.get(net)
            for source in gate.inputs if gate else ():
                if source not in near:
                    near[source] = near[net] + 1
                    waiting.append(source)
    return near
