"""Delay and energy of every net of a netlist, from the tables of the library; wires weigh nothing.

Every table is read at the load of the net and the slew of the input, and its mean over rise and
fall, and over conditions, is taken.
"""

import statistics
from dataclasses import dataclass

from cryptile.synth.activity import Instance, Netlist, driven
from cryptile.synth.cells import Cells, Pin, mean

STEPS = 3
"""Steps of time in the delay of the median gate."""


@dataclass
class Electrical:
    """A netlist's electrical side, nets as indices.

    Attributes:
        joules: by net, of a transition: its load, and inside of the cells at both its ends.
        delays: by net that a gate drives, in steps.
        clock_joules: of the clock in a cycle, at the flip-flops; there is no clock tree.
        leakage: in W.
    """

    joules: list[float]
    delays: dict[int, int]
    clock_joules: float
    leakage: float

    def energy(self, toggles: list[int], cycles: int) -> float:
        """Return the energy in J of toggles in some cycles, without leakage."""
        pairs = zip(toggles, self.joules, strict=False)
        return sum(count * joules for count, joules in pairs) + cycles * self.clock_joules


def analyse(netlist: Netlist, library: Cells, driver: str, load: float) -> Electrical:
    """Work a netlist out.

    Args:
        netlist: the gates.
        library: their library.
        driver: the cell that drives every input.
        load: on every output, in F.
    """
    cells = library.cells
    everything = [*netlist.flops, *netlist.gates]
    clocks = {flop.nets[cells[flop.kind].clock] for flop in netlist.flops}
    loads = [0.0] * netlist.size
    for instance in everything:
        for name, net in instance.nets.items():
            loads[net] += cells[instance.kind].pins[name].capacitance
    for nets in netlist.outputs.values():
        for net in nets:
            loads[net] += load / library.farads
    slews = _slews(netlist, library, driver, loads)
    joules = [library.volts**2 / 2 * farads for farads in loads]
    times: dict[int, float] = {}
    for instance in everything:
        cell = cells[instance.kind]
        for name, net in instance.nets.items():
            pin = cell.pins[name]
            if not pin.function:
                joules[net] += mean(pin.energies.get("", ()), slews[net], 0)
                continue
            only = (cell.clock,) if cell.clock else tuple(pin.delays)
            joules[net] += _over_arcs(pin, "energies", only, instance, slews, loads[net])
            times[net] = _over_arcs(pin, "delays", only, instance, slews, loads[net])
    gates = [times[net] for gate in netlist.gates for net in driven(gate, cells)]
    step = statistics.median(gates) / STEPS if gates else 1.0
    return Electrical(
        [library.farads * value for value in joules],
        {net: max(1, round(time / step)) for net, time in times.items()},
        # Two transitions in every cycle.
        library.farads * sum(2 * joules[net] for net in clocks),
        sum(cells[instance.kind].leakage for instance in everything),
    )


def _slews(netlist: Netlist, library: Cells, driver: str, loads: list[float]) -> list[float]:
    """Return the slew of each net; the clock's is 0, and a cell drives the other inputs."""
    slews = [0.0] * netlist.size
    clocks = {flop.nets[library.cells[flop.kind].clock] for flop in netlist.flops}
    (outside,) = [pin for pin in library.cells[driver].pins.values() if pin.function]
    for net in (net for nets in netlist.inputs.values() for net in nets):
        if net not in clocks:
            arcs = [table for tables in outside.slews.values() for table in tables]
            slews[net] = mean(arcs, 0, loads[net])
    for instance in [*netlist.flops, *netlist.gates]:
        cell = library.cells[instance.kind]
        for name, net in instance.nets.items():
            pin = cell.pins[name]
            if pin.function:
                only = (cell.clock,) if cell.clock else tuple(pin.slews)
                slews[net] = _over_arcs(pin, "slews", only, instance, slews, loads[net])
    return slews


def _over_arcs(
    pin: Pin, what: str, only: tuple[str, ...], instance: Instance, slews: list[float], load: float
) -> float:
    """Return the mean over the inputs that a transition can come from."""
    arcs = getattr(pin, what)
    found = [
        mean(arcs[source], slews[instance.nets[source]], load)
        for source in only
        if source in arcs and source in instance.nets
    ]
    return sum(found) / len(found) if found else 0.0
