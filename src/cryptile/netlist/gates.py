"""The netlist as data, and its reader.

A net is a number; nets 0 and 1 are the constants. Every gate drives one net, gates stand in
topological order, and every flip-flop is a plain one on the one clock: resets and enables have
become logic in front of it, and the reset is an input like any other. Unknown values are read as 0.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cryptile.errors import UsageError

ZERO, ONE = 0, 1
"""The nets that are constant."""

KINDS = {
    "$_BUF_": "buf",
    "$_NOT_": "not",
    "$_AND_": "and",
    "$_OR_": "or",
    "$_XOR_": "xor",
    "$_NAND_": "nand",
    "$_NOR_": "nor",
    "$_XNOR_": "xnor",
    "$_ANDNOT_": "andnot",
    "$_ORNOT_": "ornot",
    "$_MUX_": "mux",
}
"""Kind of gate by type of Yosys cell."""

TABLES = {
    "buf": 0b10, "not": 0b01, "and": 0b1000, "or": 0b1110, "xor": 0b0110, "nand": 0b0111,
    "nor": 0b0001, "xnor": 0b1001, "andnot": 0b0010, "ornot": 0b1011, "mux": 0b11001010,
}  # fmt: skip
"""Truth table by kind: bit ``i`` is the output when input ``k`` is bit ``k`` of ``i``.

The inputs of ``mux`` are: the value for select 0, the value for select 1, the select.
"""

_PINS = ("A", "B", "S")

_FLOPS = {"$_DFF_P_": "", "$_DFF_PN0_": "and", "$_DFF_PN1_": "ornot"}
"""Types of flip-flops, with the gate that makes the data of an (active-low) asynchronous reset."""


@dataclass(frozen=True)
class Gate:
    """A gate: its kind (see ``TABLES``), the nets it reads and the net it drives."""

    kind: str
    inputs: tuple[int, ...]
    output: int


@dataclass(frozen=True)
class FlipFlop:
    """A flip-flop with its hierarchical name, such as ``u_core.state_q[5]``."""

    name: str
    d: int
    q: int


@dataclass(frozen=True)
class Netlist:
    """A flat design.

    Attributes:
        top: name of the top module.
        inputs: nets of each input port, lowest bit first; the clock is among them.
        outputs: nets of each output port.
        flip_flops: in a stable order, by name.
        gates: in topological order.
        names: a hierarchical name of each net that has one.
        aliases: nets of every hierarchical name, lowest bit first.
    """

    top: str
    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    flip_flops: tuple[FlipFlop, ...]
    gates: tuple[Gate, ...]
    names: Mapping[int, str]
    aliases: Mapping[str, tuple[int, ...]]

    @cached_property
    def drivers(self) -> dict[int, Gate]:
        """The gate that drives each net which a gate drives."""
        return {gate.output: gate for gate in self.gates}

    @cached_property
    def readers(self) -> dict[int, list[Gate]]:
        """The gates that read each net."""
        found: dict[int, list[Gate]] = defaultdict(list)
        for gate in self.gates:
            for net in dict.fromkeys(gate.inputs):
                found[net].append(gate)
        return found


def read(path: Path, top: str, scope: str = "") -> Netlist:
    """Read the JSON of Yosys, of a design that is flat and mapped to gates.

    Args:
        path: the JSON.
        top: name of the top module.
        scope: what names in the design begin with and are to be without.

    Raises:
        UsageError: there is a cell that is neither a gate nor a plain flip-flop, or a loop.
    """
    module = json.loads(path.read_text())["modules"][top]
    named = netnames(module, scope)
    aliases = {name: _nets(entry["bits"]) for name, entry in named.items()}
    names = _best_names(named)
    gates, flops = [], []
    fresh = max(bit for entry in module["netnames"].values() for bit in _nets(entry["bits"]))
    for cell in module["cells"].values():
        pins = {pin: _nets(bits)[0] for pin, bits in cell["connections"].items()}
        kind = KINDS.get(cell["type"])
        if kind:
            inputs = tuple(pins[pin] for pin in _PINS if pin in pins)
            gates.append(Gate(kind, inputs, pins["Y"]))
        elif cell["type"] in _FLOPS:
            data = pins["D"]
            if "R" in pins:
                fresh += 1
                gates.append(Gate(_FLOPS[cell["type"]], (data, pins["R"]), fresh))
                data = fresh
            flops.append(FlipFlop(names.get(pins["Q"], f"net{pins['Q']}"), data, pins["Q"]))
        elif cell["type"] != "$scopeinfo":
            raise UsageError(f"{top} holds a cell {cell['type']} that cannot be simulated")
    ports = {
        direction: {
            name: _nets(port["bits"])
            for name, port in module["ports"].items()
            if port["direction"] == direction
        }
        for direction in ("input", "output")
    }
    flops.sort(key=lambda flop: natural(flop.name))
    sinks = [flop.d for flop in flops]
    sinks += [net for port in ports["output"].values() for net in port]
    sinks += [gate.output for gate in gates]
    return Netlist(
        top,
        ports["input"],
        ports["output"],
        tuple(flops),
        tuple(_sorted(gates, sinks)),
        names,
        aliases,
    )


def netnames(module: Mapping[str, Any], scope: str) -> dict[str, Any]:
    """Return what Yosys says of each name of a module, without the scope that it begins with."""
    shown = {name: entry for name, entry in module["netnames"].items() if not entry["hide_name"]}
    outside = {name: entry for name, entry in shown.items() if not name.startswith(scope)}
    inside = {name: entry for name, entry in shown.items() if name.startswith(scope)}
    return outside | {name.removeprefix(scope): entry for name, entry in inside.items()}


def _nets(bits: Iterable[int | str]) -> tuple[int, ...]:
    return tuple(bit if isinstance(bit, int) else int(bit == "1") for bit in bits)


_BUNDLES = ("req", "rsp", "req_i", "rsp_o", "lane_req", "lane_rsp", "lane_req_o", "lane_rsp_i")
"""The engine port as a whole, which says less than the names of its signals."""


def _best_names(netnames: Mapping[str, Any]) -> dict[int, str]:
    """Choose one name for each net: a register's own name before those of wires it goes through."""
    ranked: dict[int, tuple[tuple[object, ...], str]] = {}
    for name, entry in netnames.items():
        # The frontend keeps names that it made itself apart by a dollar sign.
        leaf = name.rsplit(".", 1)[-1].split("[")[0]
        unused = leaf.startswith("unused")
        rank = (
            "$" in name,
            unused,
            leaf in _BUNDLES,
            not leaf.endswith("_q"),
            name.count("."),
            len(name),
            name,
        )
        bits = entry["bits"]
        first = entry.get("offset", 0)
        for index, bit in enumerate(bits):
            if isinstance(bit, int) and (bit not in ranked or rank < ranked[bit][0]):
                full = name if len(bits) == 1 else f"{name}[{first + index}]"
                ranked[bit] = (rank, full)
    return {net: name for net, (_, name) in ranked.items()}


def natural(name: str) -> list[tuple[int, str]]:
    """Sort key by which ``a[2]`` stands before ``a[10]``."""
    parts = name.replace("]", "[").replace(".", "[").split("[")
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _sorted(gates: list[Gate], sinks: list[int]) -> list[Gate]:
    """Order gates topologically, depth first from sinks: a value is used soon after it was made."""
    drivers = {gate.output: gate for gate in gates}
    order: list[Gate] = []
    state: dict[int, int] = {}
    for sink in sinks:
        stack = [sink]
        while stack:
            net = stack[-1]
            if net not in drivers or state.get(net) == 2:
                stack.pop()
                continue
            if state.get(net) == 1:
                state[net] = 2
                order.append(drivers[net])
                stack.pop()
                continue
            state[net] = 1
            for source in drivers[net].inputs:
                if state.get(source) == 1:
                    raise UsageError(f"the gates form a loop at net {source}")
                if source in drivers and source not in state:
                    stack.append(source)
    return order
