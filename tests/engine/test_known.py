"""The engine port is known after reset: registers and idle payloads are X, its handshakes are not.

Simulators with two states, such as Verilator, do not see this. So the netlist is evaluated with
three values: a gate's output is known if it is the same for all values of its unknown inputs.
"""

import dataclasses
from functools import cache
from itertools import product

import pytest
from support.shell_jobs import steps

from cryptile import catalog
from cryptile.designs.source import source
from cryptile.netlist.gates import ONE, TABLES, ZERO, Netlist
from cryptile.netlist.make import netlist

HANDSHAKES = (
    "job_ready_o", "key_ready_o", "src_ready_o", "dst_valid_o", "done_valid_o", "rnd_ready_o",
    "fault_corrected_o", "fault_detected_o",
)  # fmt: skip
PAYLOADS = ("job_i", "key_i", "src_i", "rnd_i")

Values = dict[int, int | None]
"""The value of each net; none is X."""

ENGINES = [name for name, design in catalog.designs().items() if design.engine == name]


@cache
def known(kind: str, inputs: tuple[int | None, ...]) -> int | None:
    """The output of a gate, if it is the same for all values of what is unknown."""
    choices = [(0, 1) if value is None else (value,) for value in inputs]
    numbers = (sum(bit << k for k, bit in enumerate(bits)) for bits in product(*choices))
    found = {TABLES[kind] >> number & 1 for number in numbers}
    return found.pop() if len(found) == 1 else None


def behind(design: Netlist) -> Netlist:
    """Return what the handshakes depend on, in whatever cycle: most of a datapath is not among it.

    What is left out has no way to them: they are the same with it.
    """
    flops = {flop.q: flop for flop in design.flip_flops}
    needed: set[int] = set()
    ahead = [net for name in HANDSHAKES for net in design.outputs[name]]
    while ahead:
        net = ahead.pop()
        if net in needed:
            continue
        needed.add(net)
        if gate := design.drivers.get(net):
            ahead += gate.inputs
        elif flop := flops.get(net):
            ahead.append(flop.d)
    gates = tuple(gate for gate in design.gates if gate.output in needed)
    flip_flops = tuple(flop for flop in design.flip_flops if flop.q in needed)
    return dataclasses.replace(design, gates=gates, flip_flops=flip_flops)


def settle(design: Netlist, values: Values) -> None:
    """Compute the gates from inputs and flip-flops."""
    values |= {ZERO: 0, ONE: 1}
    for gate in design.gates:
        values[gate.output] = known(gate.kind, tuple([values[net] for net in gate.inputs]))


def cycle(design: Netlist, state: Values, *, reset: bool) -> tuple[Values, Values]:
    """Return all values of a cycle without valid or ready at the port, and the next state."""
    values = dict(state)
    for name, nets in design.inputs.items():
        values |= dict.fromkeys(nets, None if name in PAYLOADS else 0)
    values |= dict.fromkeys(design.inputs["rst_ni"], int(not reset))
    settle(design, values)
    return values, {flop.q: values[flop.d] for flop in design.flip_flops}


def unknown(design: Netlist) -> list[str]:
    """Handshakes that are X in one of three idle cycles after one clock edge in reset."""
    found = set()
    _, state = cycle(design, dict.fromkeys(f.q for f in design.flip_flops), reset=True)
    for _ in range(3):
        values, state = cycle(design, state, reset=False)
        found |= {
            name for name in HANDSHAKES for net in design.outputs[name] if values[net] is None
        }
    return sorted(found)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.soak] if steps(name) else []) for name in ENGINES],
)
def test_handshakes_are_known_after_reset(name):
    design = catalog.designs()[name]
    made = netlist(source(design, design.default, "none"))
    assert unknown(behind(made)) == []


def test_a_register_without_reset_is_found():
    """Were nothing ever X, nothing above could fail."""
    design = catalog.designs()[ENGINES[0]]
    made = behind(netlist(source(design, design.default, "none")))
    _, state = cycle(made, dict.fromkeys(f.q for f in made.flip_flops), reset=False)
    assert None in state.values()
    values, _ = cycle(made, state, reset=False)
    assert values[made.outputs["job_ready_o"][0]] is None
