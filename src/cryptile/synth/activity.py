"""Simulating a netlist of library cells, and counting how often each net toggles.

First a job is run cycle by cycle. Then all cycles are evaluated at once: bit ``t`` of a net's
number is its settled value in cycle ``t``. From there the transition between every two
neighbouring cycles is played through in steps of time, again for all cycles at once. What nets do
on the way to their new values are glitches. Delays are inertial: a pulse shorter than the delay
of a cell does not pass it.
"""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError
from cryptile.synth.cells import Cell

_CHUNK = 2000
"""Gates in one piece of compiled code."""

Evaluate = Callable[[list[int], int], None]


@dataclass(frozen=True)
class Instance:
    """A cell of the netlist: the library cell's name, and its nets by pin."""

    name: str
    kind: str
    nets: Mapping[str, int]


@dataclass
class Netlist:
    """A flat netlist; nets 0 and 1 are the constants.

    Attributes:
        inputs: nets of each input port, lowest bit first.
        outputs: nets of each output port.
        gates: combinational cells, in topological order.
        flops: flip-flops.
        size: number of nets.
    """

    inputs: dict[str, list[int]]
    outputs: dict[str, list[int]]
    gates: list[Instance]
    flops: list[Instance]
    size: int


@dataclass
class Toggles:
    """How often nets toggle in a window of cycles.

    Attributes:
        cycles: their number.
        settled: by net, between settled values.
        total: by net, glitches included.
    """

    cycles: int
    settled: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)


def read(path: Path, top: str, cells: Mapping[str, Cell]) -> Netlist:
    """Read the JSON that Yosys writes of a flat netlist whose ports have one bit each.

    Raises:
        CryptileError: a cell is not in the library, or gates form a loop.
    """
    module = json.loads(path.read_text())["modules"][top]
    gates: list[Instance] = []
    flops: list[Instance] = []
    size = 2
    for name, entry in module["cells"].items():
        if entry["type"] not in cells:
            raise CryptileError(f"{top} holds a cell {entry['type']} that the library has not")
        nets = {pin: _net(bits[0]) for pin, bits in entry["connections"].items() if bits}
        size = max(size, *(net + 1 for net in nets.values()))
        instance = Instance(name, entry["type"], nets)
        (flops if cells[entry["type"]].state else gates).append(instance)
    # OpenSTA wants ports of one bit each, named "port[index]".
    bits_of: dict[str, dict[str, dict[int, int]]] = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        base, _, index = name.rstrip("]").partition("[")
        net = _net(port["bits"][0])
        size = max(size, net + 1)
        bits_of[port["direction"]].setdefault(base, {})[int(index or 0)] = net
    ports = {
        direction: {name: [nets[index] for index in sorted(nets)] for name, nets in found.items()}
        for direction, found in bits_of.items()
    }
    return Netlist(ports["input"], ports["output"], _sorted(gates, cells), flops, size)


def _net(bit: Any) -> int:  # noqa: ANN401, what JSON holds
    return bit if isinstance(bit, int) else int(bit == "1")


def _sorted(gates: Sequence[Instance], cells: Mapping[str, Cell]) -> list[Instance]:
    """Order gates so that each stands behind those that drive it."""
    drivers = {net: gate for gate in gates for net in driven(gate, cells)}
    waiting = {id(gate): 0 for gate in gates}
    readers: dict[int, list[Instance]] = {}
    for gate in gates:
        for source in {
            id(drivers[net]): drivers[net] for net in read_by(gate, cells) if net in drivers
        }.values():
            waiting[id(gate)] += 1
            readers.setdefault(id(source), []).append(gate)
    order = [gate for gate in gates if not waiting[id(gate)]]
    for gate in order:
        for reader in readers.get(id(gate), ()):
            waiting[id(reader)] -= 1
            if not waiting[id(reader)]:
                order.append(reader)
    if len(order) < len(gates):
        raise CryptileError("the gates form a loop")
    return order


def driven(gate: Instance, cells: Mapping[str, Cell]) -> list[int]:
    """Return the nets that an instance drives."""
    pins = cells[gate.kind].pins
    return [net for pin, net in gate.nets.items() if pins[pin].function]


def read_by(gate: Instance, cells: Mapping[str, Cell]) -> list[int]:
    """Return the nets that an instance reads."""
    pins = cells[gate.kind].pins
    return [net for pin, net in gate.nets.items() if not pins[pin].function]


@dataclass(frozen=True)
class _Node:
    """An output of a gate: its net, its function of a mask and inputs, and the nets of these."""

    output: int
    function: Callable[..., int]
    inputs: list[int]


class Simulator:
    """A netlist that runs.

    Attributes:
        values: value of each net, and behind them the state of each flip-flop.
    """

    def __init__(self, netlist: Netlist, cells: Mapping[str, Cell]) -> None:
        """Compile a netlist; everything is 0."""
        self.netlist, self._cells = netlist, cells
        self.values = [0] * (netlist.size + len(netlist.flops))
        self.values[1] = 1
        lines = [line for gate in netlist.gates for line in self._gate(gate)]
        self._settle = _compiled(lines)
        states, outputs = [], []
        for index, flop in enumerate(netlist.flops):
            cell, place = cells[flop.kind], netlist.size + index
            states.append(f"V[{place}]={self._text(cell.next_state, flop)}")
            names = dict(zip(cell.state, (f"V[{place}]", f"(M^V[{place}])"), strict=False))
            for pin, net in flop.nets.items():
                if function := cell.pins[pin].function:
                    outputs.append(f"V[{net}]={function.format_map(names)}")
        self._clock, self._drive = _compiled(states), _compiled(outputs)

    def _gate(self, gate: Instance) -> list[str]:
        pins = self._cells[gate.kind].pins
        return [
            f"V[{net}]={self._text(pins[pin].function, gate)}"
            for pin, net in gate.nets.items()
            if pins[pin].function
        ]

    @staticmethod
    def _text(function: str, instance: Instance) -> str:
        return function.format_map({pin: f"V[{net}]" for pin, net in instance.nets.items()})

    def set(self, port: str, value: int) -> None:
        """Set an input port, for one cycle at a time."""
        for index, net in enumerate(self.netlist.inputs[port]):
            self.values[net] = value >> index & 1

    def get(self, port: str) -> int:
        """Return the value of an output port."""
        nets = self.netlist.outputs[port]
        return sum(self.values[net] << index for index, net in enumerate(nets))

    def settle(self) -> None:
        """Let the gates take their values from the inputs and the flip-flops."""
        self._drive(self.values, 1)
        self._settle(self.values, 1)

    def clock(self) -> None:
        """Let the flip-flops take their next state."""
        self._clock(self.values, 1)

    def sources(self) -> list[int]:
        """Return what a cycle depends on: input nets, then states."""
        ports = [net for nets in self.netlist.inputs.values() for net in nets]
        return [self.values[net] for net in ports] + self.values[self.netlist.size :]

    def toggles(self, cycles: Sequence[Sequence[int]], delays: Mapping[int, int]) -> Toggles:
        """Count toggles from the first to the last of some cycles.

        Args:
            cycles: the ``sources`` of each.
            delays: by net that a gate drives, the steps that the gate takes.
        """
        count = len(cycles)
        values = self._all_cycles(cycles)
        old = (1 << count - 1) - 1
        final = [value >> 1 for value in values]
        values = [value & old for value in values]
        final[1] = old
        result = Toggles(count - 1)
        result.settled = [(a ^ b).bit_count() for a, b in zip(values, final, strict=True)]
        result.total = self._play(values, final, delays, old)
        return result

    def _all_cycles(self, cycles: Sequence[Sequence[int]]) -> list[int]:
        mask = (1 << len(cycles)) - 1
        ports = [net for nets in self.netlist.inputs.values() for net in nets]
        places = [*ports, *range(self.netlist.size, len(self.values))]
        values = [0] * len(self.values)
        values[1] = mask
        for place, bits in zip(places, zip(*cycles, strict=True), strict=True):
            values[place] = int("".join(map(str, reversed(bits))), 2)
        self._drive(values, mask)
        self._settle(values, mask)
        return values

    def _play(
        self, values: list[int], final: list[int], delays: Mapping[int, int], mask: int
    ) -> list[int]:
        """Go from values to final ones and return toggles by net."""
        nodes = self._nodes()
        readers: dict[int, list[int]] = {}
        for index, node in enumerate(nodes):
            for net in dict.fromkeys(node.inputs):
                readers.setdefault(net, []).append(index)
        sources = [net for nets in self.netlist.inputs.values() for net in nets]
        sources += [net for flop in self.netlist.flops for net in driven(flop, self._cells)]
        changes = {net: final[net] for net in sources if values[net] != final[net]}
        total = [0] * self.netlist.size
        wanted = [values[node.output] for node in nodes]
        # What each restless node wanted to be, in the last steps; it follows when all agree.
        recent: dict[int, deque[int]] = {}
        while changes or recent:
            touched: set[int] = set()
            for net, value in changes.items():
                total[net] += (values[net] ^ value).bit_count()
                values[net] = value
                touched.update(readers.get(net, ()))
            for index in touched:
                node = nodes[index]
                wanted[index] = node.function(mask, *[values[net] for net in node.inputs])
                if index not in recent:
                    steps = delays[node.output]
                    recent[index] = deque([values[node.output]] * steps, steps)
            changes = {}
            resting = []
            for index, window in recent.items():
                window.append(wanted[index])
                ones, some = mask, 0
                for value in window:
                    ones &= value
                    some |= value
                net = nodes[index].output
                value = (values[net] | ones) & some
                if value != values[net]:
                    changes[net] = value
                if ones == some:
                    resting.append(index)
            for index in resting:
                del recent[index]
        return total

    def _nodes(self) -> list[_Node]:
        functions = {
            kind: _functions(self._cells[kind])
            for kind in {gate.kind for gate in self.netlist.gates}
        }
        return [
            _Node(gate.nets[pin], function, [gate.nets[name] for name in inputs])
            for gate in self.netlist.gates
            for pin, function, inputs in functions[gate.kind]
            if pin in gate.nets
        ]


def _functions(cell: Cell) -> list[tuple[str, Callable[..., int], list[str]]]:
    """Return every output with its function and the names of the inputs of that function."""
    inputs = [name for name, pin in cell.pins.items() if not pin.function]
    found = []
    for name, pin in cell.pins.items():
        if pin.function:
            words = {other: f"p{index}" for index, other in enumerate(inputs)}
            arguments = ",".join(["M", *words.values()])
            text = f"lambda {arguments}: {pin.function.format_map(words)}"
            found.append((name, eval(text), inputs))
    return found


def _compiled(lines: Sequence[str]) -> Evaluate:
    """Compile assignments to ``V[...]``, with ``M`` the mask of all bits."""
    parts: list[Evaluate] = []
    for start in range(0, len(lines), _CHUNK):
        body = "\n ".join(lines[start : start + _CHUNK])
        space: dict[str, Any] = {}
        exec(f"def run(V, M):\n {body}", space)
        parts.append(space["run"])

    def run(values: list[int], mask: int) -> None:
        for part in parts:
            part(values, mask)

    return run
