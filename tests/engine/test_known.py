"""Ports are known after reset: registers and idle payloads are X, their handshakes are not.

Simulators with two states, such as Verilator, do not see this. So the netlist is evaluated with
three values: a gate's output is known if it is the same for all values of its unknown inputs.
"""

import dataclasses
import re
from functools import cache
from itertools import product

import pytest
from support.shell_jobs import steps

from cryptile import catalog
from cryptile.designs.source import source
from cryptile.netlist.gates import ONE, TABLES, ZERO, Netlist
from cryptile.netlist.make import Source, netlist
from cryptile.toolchain import rtl

HANDSHAKES = re.compile(r"(valid|ready|req|gnt|irq|evt|corrected|detected)_o$")
"""Outputs that mean something in every cycle; the others go with one of these."""

CONTROLS = re.compile(r"((valid|ready|req|gnt|clear|inject|lock|tamper)|^clk)_i$")
"""Inputs likewise: 0 in a cycle in which nothing happens. The others are X then."""

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


def handshakes(design: Netlist) -> list[str]:
    """Name the outputs that mean something in every cycle."""
    return [name for name in design.outputs if HANDSHAKES.search(name)]


def behind(design: Netlist) -> Netlist:
    """Return what the handshakes depend on, in whatever cycle: most of a datapath is not among it.

    What is left out has no way to them: they are the same with it.
    """
    flops = {flop.q: flop for flop in design.flip_flops}
    needed: set[int] = set()
    ahead = [net for name in handshakes(design) for net in design.outputs[name]]
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
        if name.endswith("_ni"):
            value: int | None = int(not reset)
        else:
            value = 0 if CONTROLS.search(name) else None
        values |= dict.fromkeys(nets, value)
    settle(design, values)
    return values, {flop.q: values[flop.d] for flop in design.flip_flops}


def unknown(design: Netlist) -> list[str]:
    """Handshakes that are X in one of three idle cycles after one clock edge in reset."""
    found = set()
    _, state = cycle(design, dict.fromkeys(f.q for f in design.flip_flops), reset=True)
    for _ in range(3):
        values, state = cycle(design, state, reset=False)
        found |= {
            name
            for name in handshakes(design)
            for net in design.outputs[name]
            if values[net] is None
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


SHELLS = {
    "hwpe_engine": {"Engine": "cry_engine_select_pkg::Copy"},
    "axis_engine": {"Engine": "cry_engine_select_pkg::Copy"},
    "dma_engine": {"Engine": "cry_engine_select_pkg::Copy"},
    "tile": {"NumQueues": "1", "NumSlots": "1", "NumWindows": "1", "Opcodes": "16'h0003"},
}
"""The tops around engines, which know no engine: with the smallest."""

LARGE = ("dma_engine", "tile")


@pytest.mark.parametrize(
    "shell",
    [pytest.param(name, marks=pytest.mark.soak if name in LARGE else ()) for name in SHELLS],
)
def test_handshakes_of_shells_are_known_after_reset(shell):
    sources = rtl.resolve(f"cryptile:shell:{shell}")
    made = behind(netlist(Source(f"cry_{shell}", sources, SHELLS[shell])))
    assert len(handshakes(made)) > 4
    assert unknown(made) == []


def test_a_register_without_reset_is_found():
    """Were nothing ever X, nothing above could fail."""
    design = catalog.designs()[ENGINES[0]]
    made = behind(netlist(source(design, design.default, "none")))
    _, state = cycle(made, dict.fromkeys(f.q for f in made.flip_flops), reset=False)
    assert None in state.values()
    values, _ = cycle(made, state, reset=False)
    assert values[made.outputs["job_ready_o"][0]] is None
