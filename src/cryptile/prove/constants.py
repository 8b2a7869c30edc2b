"""Flip-flops that never change: registers of what is not built keep the value of their reset."""

from cryptile.netlist.gates import ONE, ZERO, Netlist
from cryptile.netlist.known import known

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
    while True:
        values = known(netlist.gates, {**inputs, reset: ONE, **held})
        next_state = {flop.q: values.get(flop.d) for flop in netlist.flip_flops}
        kept = {flop: value for flop, value in held.items() if next_state[flop] == value}
        if kept == held:
            return held
        held = kept
