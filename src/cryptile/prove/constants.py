"""Flip-flops that never change: registers of what is not built keep the value of their reset."""

from collections import defaultdict

from cryptile.netlist.gates import ONE, ZERO, Netlist
from cryptile.netlist.known import known, output

FIXED = {"inject_i": ZERO, "fault_inject_i": ZERO}
"""Inputs that inject upsets, which no proof counts beside its own."""


def constants(netlist: Netlist) -> dict[int, int]:
    """Return the flip-flops that keep one value from reset on, whatever the inputs are.

    By induction: they have it behind reset, and as long as they have it, no input and nothing that
    any other flip-flop holds changes it.
    """
    inputs = {
        net: FIXED[name] for name, nets in netlist.inputs.items() if name in FIXED for net in nets
    }
    (reset,) = netlist.inputs["rst_ni"]
    values = known(netlist.gates, {**inputs, reset: ZERO})
    held = {flop.q: values[flop.d] for flop in netlist.flip_flops if flop.d in values}
    values = known(netlist.gates, {**inputs, reset: ONE, **held})
    fed: dict[int, list[int]] = defaultdict(list)
    for flop in netlist.flip_flops:
        fed[flop.d].append(flop.q)
    # What is known no more makes more unknown, and no value another one: the order is the same.
    lost = [flop.q for flop in netlist.flip_flops if held.get(flop.q) != values.get(flop.d)]
    while lost:
        net = lost.pop()
        if values.pop(net, None) is not None:
            held.pop(net, None)
            lost += fed.get(net, ())
            lost += [g.output for g in netlist.readers.get(net, ()) if output(g, values) is None]
    return held
