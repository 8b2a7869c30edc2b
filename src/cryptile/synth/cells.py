"""The cells of a library as gate-level simulation and energy need them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cryptile.errors import UsageError
from cryptile.synth import liberty_syntax
from cryptile.synth.liberty_syntax import Group

_SLEWS = ("input_transition_time", "input_net_transition")


@dataclass(frozen=True)
class Table:
    """Energy or time in ns of a transition, by input slew in ns and load."""

    slews: tuple[float, ...]
    loads: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]

    def at(self, slew: float, load: float) -> float:
        """Interpolate between entries; beyond the table its edge counts."""
        column = [float(np.interp(load, self.loads, row)) for row in self.values]
        return float(np.interp(slew, self.slews, column))


Arcs = dict[str, tuple[Table, ...]]


def mean(tables: Iterable[Table], slew: float, load: float) -> float:
    """Return the mean of tables at a place, 0 without any."""
    found = [table.at(slew, load) for table in tables]
    return sum(found) / len(found) if found else 0.0


@dataclass(frozen=True)
class Pin:
    """A pin.

    Attributes:
        function: of an output, see ``liberty_syntax.function``; empty for an input.
        capacitance: in the library's unit.
        energies: what a transition of this pin costs inside, by the input that it comes from ("" if
            it is an input itself); one table per direction and condition.
        delays: of an output, likewise.
        slews: of an output, likewise.
    """

    function: str
    capacitance: float
    energies: Arcs
    delays: Arcs
    slews: Arcs


@dataclass(frozen=True)
class Cell:
    """A cell: a gate, or a flip-flop.

    Attributes:
        pins: by name.
        state: of a flip-flop, names that its outputs' functions have for the state and its inverse.
        next_state: of a flip-flop, as a function, resets included.
        clock: of a flip-flop, its pin.
        leakage: in W.
    """

    pins: dict[str, Pin]
    state: tuple[str, ...]
    next_state: str
    clock: str
    leakage: float


@dataclass(frozen=True)
class Cells:
    """A library.

    Attributes:
        cells: by name.
        volts: supply.
        farads: unit of capacitance; that of energy is this times 1 V squared.
    """

    cells: dict[str, Cell]
    volts: float
    farads: float


@lru_cache(maxsize=4)
def parse(text: str) -> Cells:
    """Read a Liberty file.

    Raises:
        UsageError: its units are not known here.
    """
    library = liberty_syntax.parse(text)
    load = [word.lower() for word in library.lists.get("capacitive_load_unit", [])]
    leakage = _leakage_unit(library.attributes.get("leakage_power_unit", ""))
    units = [library.attributes.get(name) for name in ("time_unit", "voltage_unit")]
    if load[1:] not in (["pf"], ["ff"]) or units != ["1ns", "1V"] or leakage is None:
        raise UsageError("energy needs a library with units of ns, V, pF or fF, and leakage in W")
    templates = {
        group.arguments[0]: group.attributes.get("variable_1", "")
        for group in library.all("lu_table_template", "power_lut_template")
    }
    cells = {group.arguments[0]: _cell(group, templates, leakage) for group in library.all("cell")}
    farads = float(load[0]) * {"pf": 1e-12, "ff": 1e-15}[load[1]]
    return Cells(cells, float(library.attributes["nom_voltage"]), farads)


def _leakage_unit(text: str) -> float | None:
    scale = {"mW": 1e-3, "uW": 1e-6, "nW": 1e-9, "pW": 1e-12}.get(text[-2:])
    return scale and scale * float(text[:-2])


def _cell(group: Group, templates: dict[str, str], leakage: float) -> Cell:
    flops = group.all("ff")
    pins = {
        pin.arguments[0]: Pin(
            liberty_syntax.function(pin.attributes["function"])
            if "function" in pin.attributes
            else "",
            float(pin.attributes.get("capacitance", 0)),
            *(
                _arcs(pin, group, names, templates)
                for group, names in (
                    ("internal_power", ("rise_power", "fall_power", "power")),
                    ("timing", ("cell_rise", "cell_fall")),
                    ("timing", ("rise_transition", "fall_transition")),
                )
            ),
        )
        for pin in group.all("pin")
    }
    next_state = clock = ""
    if flops:
        words = {
            name: liberty_syntax.function(flops[0].attributes[name])
            for name in ("next_state", "clear", "preset")
            if name in flops[0].attributes
        }
        next_state = words["next_state"]
        if "clear" in words:
            next_state = f"({next_state}&(M^{words['clear']}))"
        if "preset" in words:
            next_state = f"({next_state}|{words['preset']})"
        clock = flops[0].attributes["clocked_on"].strip("()! ")
    return Cell(
        pins,
        tuple(flops[0].arguments) if flops else (),
        next_state,
        clock,
        leakage * float(group.attributes.get("cell_leakage_power", 0)),
    )


def _arcs(pin: Group, kind: str, names: tuple[str, ...], templates: dict[str, str]) -> Arcs:
    found: dict[str, list[Table]] = {}
    for group in pin.all(kind):
        tables = [
            _table(table, templates.get(table.arguments[0], "")) for table in group.all(*names)
        ]
        for source in group.attributes.get("related_pin", "").split() or [""]:
            found.setdefault(source, []).extend(tables)
    return {source: tuple(tables) for source, tables in found.items() if tables}


def _table(group: Group, variable: str) -> Table:
    axes = [_numbers(group.lists.get(name, ["0"])) for name in ("index_1", "index_2")]
    values = np.array(_numbers(group.lists["values"])).reshape(len(axes[0]), len(axes[1]))
    if variable not in _SLEWS:
        axes, values = axes[::-1], values.T
    return Table(tuple(axes[0]), tuple(axes[1]), tuple(map(tuple, values.tolist())))


def _numbers(texts: Iterable[str]) -> list[float]:
    return [float(word) for text in texts for word in text.replace(",", " ").split()]
