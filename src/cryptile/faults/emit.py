"""Straight-line C of a netlist: one bit lane per machine, all lanes of a word at once.

Every gate becomes one vector operation. A gate that only one other gate reads is drawn into its
reader as long as the whole has three inputs at most: that is one instruction where the processor
has three-input logic. The code is split into functions ("parts") so that it compiles quickly; nets
that cross from part to part live in memory.

For faults at gates there is a second version of each part, in which every gate stands by itself
and its output can be flipped or forced in each lane.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
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


def parts(netlist: Netlist, clock: str, order: list[int]) -> list[str]:
    """Return C files: the parts, and last the one that calls them.

    Args:
        netlist: the design.
        clock: name of the clock port.
        order: index into ``netlist.flip_flops`` of each state bit.
    """
    layout = Layout(netlist, clock)
    plain, uses = list(netlist.gates), _uses(netlist)
    number = {gate.output: index for index, gate in enumerate(plain)}
    place = {ZERO: "ZERO", ONE: "ONE"}
    place |= {net: f"in[{index}]" for index, net in enumerate(layout.input_nets)}
    place |= {netlist.flip_flops[flop].q: f"s[{index}]" for index, flop in enumerate(order)}
    # The same parts in both versions, so that either can be run for each of them.
    slices = [plain[start : start + PART] for start in range(0, len(plain), PART)]
    groups = [(nodes(gates, uses), gates) for gates in slices]
    crossing = _crossing(groups, layout, netlist)
    slots = {net: f"x[{index}]" for index, net in enumerate(sorted(crossing))}
    files = []
    for index, (some, gates) in enumerate(groups):
        files.append(_part(index, some, gates, place, slots, number))
    files.append(_caller(netlist, layout, order, len(groups), place | slots, len(slots)))
    return files


def _crossing(
    groups: list[tuple[list[Node], list[Gate]]], layout: Layout, netlist: Netlist
) -> set[int]:
    home = {gate.output: index for index, (_, gates) in enumerate(groups) for gate in gates}
    crossing = {net for net in layout.output_nets if net in home}
    crossing |= {flop.d for flop in netlist.flip_flops if flop.d in home}
    for index, (some, gates) in enumerate(groups):
        read = [net for node in some for net in node.inputs]
        read += [net for gate in gates for net in gate.inputs]
        crossing |= {net for net in read if home.get(net, index) != index}
    return crossing


def _part(
    index: int,
    some: list[Node],
    gates: list[Gate],
    place: dict[int, str],
    slots: dict[int, str],
    number: dict[int, int],
) -> str:
    arguments = "const word *restrict in, const word *restrict s, word *restrict x"
    lines = ['#include "lanes.h"', "", f"void part_{index}({arguments});"]
    lines += [f"void faulty_{index}({arguments}, const site_fault *restrict f);", ""]
    lines.append(f"void part_{index}({arguments}) {{")
    lines.append("  (void)in; (void)s; (void)x;")
    local: dict[int, str] = {}

    def name(net: int) -> str:
        return local.get(net) or place.get(net) or slots[net]

    for node in some:
        local_name = f"n{node.output}"
        text = _expression(node.table, [name(net) for net in node.inputs])
        lines.append(f"  const word {local_name} = {text};")
        local[node.output] = local_name
        if node.output in slots:
            lines.append(f"  {slots[node.output]} = {local_name};")
    lines += ["}", "", f"void faulty_{index}({arguments}, const site_fault *restrict f) {{"]
    lines.append("  (void)in; (void)s; (void)x;")
    local = {}
    for gate in gates:
        local_name = f"n{gate.output}"
        text = _expression(TABLES[gate.kind], [name(net) for net in gate.inputs])
        lines.append(f"  const word {local_name} = disturb({text}, f[{number[gate.output]}]);")
        local[gate.output] = local_name
        if gate.output in slots:
            lines.append(f"  {slots[gate.output]} = {local_name};")
    return "\n".join([*lines, "}", ""])


def _caller(
    netlist: Netlist,
    layout: Layout,
    order: list[int],
    count: int,
    place: dict[int, str],
    slots: int,
) -> str:
    arguments = "const word *restrict in, const word *restrict s, word *restrict x"
    lines = ['#include "machine.h"', ""]
    for index in range(count):
        lines.append(f"void part_{index}({arguments});")
        lines.append(f"void faulty_{index}({arguments}, const site_fault *restrict f);")
    lines += [
        "",
        "void design_step(const word *restrict in, const word *restrict s, word *restrict n,",
        "                 word *restrict out, const site_fault *f, const uint8_t *faulty) {",
        f"  static _Thread_local word x[{slots or 1}];",
    ]
    for index in range(count):
        lines.append(f"  if (faulty && faulty[{index}]) faulty_{index}(in, s, x, f);")
        lines.append(f"  else part_{index}(in, s, x);")
    for index, net in enumerate(layout.output_nets):
        lines.append(f"  out[{index}] = {place[net]};")
    for index, flop in enumerate(order):
        lines.append(f"  n[{index}] = {place[netlist.flip_flops[flop].d]};")
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
