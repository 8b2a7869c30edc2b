"""Straight-line C of a netlist: one bit lane per machine, all lanes of a word at once.

Every gate becomes one vector operation. A gate that only one other gate reads is drawn into its
reader as long as the whole has three inputs at most: that is one instruction where the processor
has three-input logic. The code is split into functions ("parts") so that it compiles quickly; nets
that cross from part to part live in memory.

For faults at gates there is a second version of each part, in which every gate stands by itself
and its output can be flipped or forced in each lane.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cryptile.netlist.gates import ONE, TABLES, ZERO, Gate, Netlist

PART = 1000
"""Gates in one part."""


@dataclass(frozen=True)
class Node:
    """A vector operation: a truth table over up to three nets (see ``gates.TABLES``)."""

    inputs: tuple[int, ...]
    table: int
    output: int


def nodes(gates: Sequence[Gate], uses: Mapping[int, int]) -> list[Node]:
    """Return gates as operations, drawn together where that takes no more than three inputs.

    Args:
        gates: neighbours, in topological order.
        uses: how often each net is read in the whole netlist.
    """
    merged: dict[int, Node] = {}
    for gate in gates:
        node = Node(gate.inputs, TABLES[gate.kind], gate.output)
        while inner := _candidate(node, merged, uses):
            node = _draw_in(node, inner, _union(node, inner))
            del merged[inner.output]
        merged[gate.output] = node
    return list(merged.values())


def _candidate(node: Node, merged: Mapping[int, Node], uses: Mapping[int, int]) -> Node | None:
    for net in node.inputs:
        inner = merged.get(net)
        if inner and uses[net] == 1 and len(_union(node, inner)) <= 3:
            return inner
    return None


def _uses(netlist: Netlist) -> Counter[int]:
    uses: Counter[int] = Counter(net for gate in netlist.gates for net in gate.inputs)
    uses.update(flop.d for flop in netlist.flip_flops)
    uses.update(net for port in netlist.outputs.values() for net in port)
    return uses


def _union(outer: Node, inner: Node) -> tuple[int, ...]:
    rest = [net for net in outer.inputs if net != inner.output]
    return tuple(dict.fromkeys([*rest, *inner.inputs]))


def _draw_in(outer: Node, inner: Node, union: tuple[int, ...]) -> Node:
    table = 0
    for index in range(1 << len(union)):
        values = {net: index >> position & 1 for position, net in enumerate(union)}
        values[inner.output] = _value(inner, values)
        table |= _value(outer, values) << index
    return Node(union, table, outer.output)


def _value(node: Node, values: dict[int, int]) -> int:
    index = sum(values[net] << position for position, net in enumerate(node.inputs))
    return node.table >> index & 1


class Layout:
    """Where everything is: the order of input bits, output bits, flip-flops and gates."""

    def __init__(self, netlist: Netlist, clock: str) -> None:
        """Lay a netlist out; the clock is no input bit."""
        self.inputs = _offsets({name: p for name, p in netlist.inputs.items() if name != clock})
        self.outputs = _offsets(netlist.outputs)
        self.input_nets = [
            net for name, port in netlist.inputs.items() if name != clock for net in port
        ]
        self.output_nets = [net for port in netlist.outputs.values() for net in port]


def _offsets(ports: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, int]]:
    found, offset = {}, 0
    for name, port in ports.items():
        found[name] = (offset, len(port))
        offset += len(port)
    return found


_ARGUMENTS = (
    "const word *restrict in, const word *restrict s, word *restrict n, word *restrict out, "
    "word *restrict x"
)
_FAULTY_ARGUMENTS = f"{_ARGUMENTS}, const site_fault *restrict f"


@dataclass
class _Part:
    """Some neighbouring gates, once drawn together and once as they are."""

    nodes: list[Node]
    gates: Sequence[Gate]


class _Places:
    """The C names of nets: ports and state, and memory for what crosses parts or leaves."""

    def __init__(
        self, netlist: Netlist, layout: Layout, order: Sequence[int], parts: Sequence[_Part]
    ) -> None:
        flops = [netlist.flip_flops[index] for index in order]
        self.sources = {ZERO: "ZERO", ONE: "ONE"}
        self.sources |= {net: f"in[{index}]" for index, net in enumerate(layout.input_nets)}
        self.sources |= {flop.q: f"s[{index}]" for index, flop in enumerate(flops)}
        self.sinks: dict[int, list[str]] = defaultdict(list)
        for index, flop in enumerate(flops):
            self.sinks[flop.d].append(f"n[{index}]")
        for index, net in enumerate(layout.output_nets):
            self.sinks[net].append(f"out[{index}]")
        self.slots = 0
        self._cross(parts)
        self.stored = {net: names[0] for net, names in self.sinks.items()}

    def _cross(self, parts: Sequence[_Part]) -> None:
        """Give room to nets that cross parts and are stored nowhere yet; room is used again."""
        home = {gate.output: index for index, part in enumerate(parts) for gate in part.gates}
        last: dict[int, int] = {}
        for index, part in enumerate(parts):
            for net in (net for gate in part.gates for net in gate.inputs):
                if home.get(net, index) != index and net not in self.sinks:
                    last[net] = index
        free: list[int] = []
        ends: dict[int, list[int]] = defaultdict(list)
        for index, part in enumerate(parts):
            for gate in part.gates:
                if gate.output not in last:
                    continue
                if free:
                    slot = free.pop()
                else:
                    slot, self.slots = self.slots, self.slots + 1
                self.sinks[gate.output].append(f"x[{slot}]")
                ends[last[gate.output]].append(slot)
            free += ends[index]


def parts(netlist: Netlist, clock: str, order: Sequence[int], gate_faults: bool) -> list[str]:
    """Return C files: the parts, and last the one that calls them.

    Args:
        netlist: the design.
        clock: name of the clock port.
        order: index into ``netlist.flip_flops`` of each state bit.
        gate_faults: write the second version of each part, too.
    """
    plain, uses = list(netlist.gates), _uses(netlist)
    number = {gate.output: index for index, gate in enumerate(plain)}
    slices = [plain[start : start + PART] for start in range(0, len(plain), PART)]
    found = [_Part(nodes(gates, uses), gates) for gates in slices]
    places = _Places(netlist, Layout(netlist, clock), order, found)
    files = [_plain(index, part, places) for index, part in enumerate(found)]
    if gate_faults:
        files += [_faulty(index, part, places, number) for index, part in enumerate(found)]
    return [*files, _caller(places, len(found), number, gate_faults)]


def _plain(index: int, part: _Part, places: _Places) -> str:
    return _function(f"void part_{index}({_ARGUMENTS})", _body(part.nodes, places, None))


def _faulty(index: int, part: _Part, places: _Places, number: Mapping[int, int]) -> str:
    single = [Node(gate.inputs, TABLES[gate.kind], gate.output) for gate in part.gates]
    return _function(f"void faulty_{index}({_FAULTY_ARGUMENTS})", _body(single, places, number))


def _function(head: str, body: Iterator[str]) -> str:
    unused = "  (void)in; (void)s; (void)n; (void)out; (void)x;"
    return "\n".join(['#include "lanes.h"', "", f"{head};", f"{head} {{", unused, *body, "}", ""])


def _body(some: Sequence[Node], places: _Places, number: Mapping[int, int] | None) -> Iterator[str]:
    local: dict[int, str] = {}
    for node in some:
        names = [local.get(n) or places.sources.get(n) or places.stored[n] for n in node.inputs]
        text = _expression(node.table, names)
        if number is not None:
            text = f"disturb({text}, f[{number[node.output]}])"
        local[node.output] = f"n{node.output}"
        yield f"  const word n{node.output} = {text};"
        for sink in places.sinks.get(node.output, ()):
            yield f"  {sink} = n{node.output};"


def _caller(places: _Places, count: int, number: Mapping[int, int], gate_faults: bool) -> str:
    lines = ['#include "step.h"', ""]
    for index in range(count):
        lines.append(f"void part_{index}({_ARGUMENTS});")
        if gate_faults:
            lines.append(f"void faulty_{index}({_FAULTY_ARGUMENTS});")
    lines += [
        "",
        "void design_step(const word *restrict in, const word *restrict s, word *restrict n,",
        "                 word *restrict out, const site_fault *f, const uint8_t *faulty) {",
        f"  static _Thread_local word x[{places.slots or 1}];",
        "  (void)f; (void)faulty;",
    ]
    for index in range(count):
        if gate_faults:
            lines.append(f"  if (faulty && faulty[{index}]) faulty_{index}(in, s, n, out, x, f);")
            lines.append("  else")
        lines.append(f"  part_{index}(in, s, n, out, x);")
    for net, names in places.sinks.items():
        if net not in number:
            lines += [f"  {name} = {places.sources[net]};" for name in names]
    return "\n".join([*lines, "}", ""])


def _expression(table: int, names: list[str]) -> str:
    """Write a truth table over named words as C."""
    if len(names) == 1:
        return {0b10: names[0], 0b01: f"~{names[0]}", 0: "ZERO", 3: "ONE"}[table]
    if len(names) == 2:
        a, b = names
        known = {
            0b1000: f"{a} & {b}", 0b1110: f"{a} | {b}", 0b0110: f"{a} ^ {b}",
            0b0111: f"~({a} & {b})", 0b0001: f"~({a} | {b})", 0b1001: f"~({a} ^ {b})",
            0b0010: f"{a} & ~{b}", 0b0100: f"{b} & ~{a}",
            0b1011: f"{a} | ~{b}", 0b1101: f"{b} | ~{a}",
            0b1010: a, 0b1100: b, 0b0101: f"~{a}", 0b0011: f"~{b}", 0: "ZERO", 15: "ONE",
        }  # fmt: skip
        return known[table]
    a, b, c = names
    low, high = _expression(table & 15, [a, b]), _expression(table >> 4, [a, b])
    # The instruction counts its first operand as the highest bit of the table's index.
    return f"LOGIC3({table:#04x}, {c}, {b}, {a}, ({c} & ({high})) | (~{c} & ({low})))"
