"""Search for inputs under which two netlists part without an upset, a few cycles behind reset.

Both are unrolled from one state of power-up, cycle by cycle. What is the same in both is one node:
copies that are equal fold away, and a solver sees only what the difference reaches.
"""

from collections.abc import Iterable

from pysat.solvers import Solver

from cryptile.netlist.gates import ONE, TABLES, ZERO, Netlist
from cryptile.prove.constants import FIXED

_RESET, _CYCLES = 2, 12
"""Cycles of reset, and behind it: enough to set a part of the tile up and to ask it."""

_CONFLICTS = 4_000
"""Of the solver, for one output in one cycle, before it gives up."""


def apart(first: Netlist, second: Netlist) -> str:
    """Say where two netlists with the same ports differ for some inputs; nothing if none is found.

    Both begin with all flip-flops zero and in reset. To differ is a fact; not to be found is none.
    """
    graph = _Graph()
    states = [dict.fromkeys((flop.q for flop in part.flip_flops), ZERO) for part in (first, second)]
    for cycle in range(_RESET + _CYCLES):
        given = {
            name: [graph.variable() if _free(name, cycle) else ZERO for _ in nets]
            for name, nets in first.inputs.items()
        }
        given["rst_ni"] = [ONE if cycle >= _RESET else ZERO]
        known = []
        for part, state in zip((first, second), states, strict=True):
            values = {ZERO: ZERO, ONE: ONE, **state}
            for name, literals in given.items():
                values |= dict(zip(part.inputs[name], literals, strict=True))
            for gate in part.gates:
                values[gate.output] = graph.gate(
                    TABLES[gate.kind], [values[net] for net in gate.inputs]
                )
            known.append(values)
        # One output at a time: asked of all at once, the solver loses itself in the largest.
        for name, nets in first.outputs.items() if cycle >= _RESET else ():
            pairs = zip(nets, second.outputs[name], strict=True)
            if graph.unequal((known[0][a], known[1][b]) for a, b in pairs):
                return f"{name} differs {cycle} cycles behind power-up, for some inputs"
        states = [
            {flop.q: values[flop.d] for flop in part.flip_flops}
            for part, values in zip((first, second), known, strict=True)
        ]
    return ""


def _free(name: str, cycle: int) -> bool:
    return cycle >= _RESET and name not in FIXED


class _Graph:
    """Products and sums modulo 2 of two literals each, no two the same.

    A literal is twice the number of a node, plus one if it is inverted; node 0 is false.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[str, int, int] | None] = [None]
        self._known: dict[tuple[str, int, int], int] = {}
        self._solver = Solver(name="glucose4")
        self._encoded: set[int] = set()

    def variable(self) -> int:
        """Return a literal that nothing is known of."""
        self._parts.append(None)
        return 2 * len(self._parts) - 2

    def gate(self, table: int, inputs: list[int]) -> int:
        """Return the literal of a gate, of which ``table`` is as of ``gates.TABLES``."""
        if not inputs:
            return table & 1
        *others, chosen = inputs
        half = 1 << len(others)
        low = self.gate(table & ((1 << half) - 1), others)
        return self._choice(chosen, low, self.gate(table >> half, others))

    def unequal(self, pairs: Iterable[tuple[int, int]]) -> bool:
        """Say whether a pair can differ; not if none can, nor if that takes too long to find."""
        sums = {self._sum(a, b) for a, b in pairs} - {ZERO}
        if ONE in sums or not sums:
            return ONE in sums
        some = self.variable() // 2
        self._solver.add_clause([-some, *(self._literal(literal) for literal in sums)])
        self._solver.conf_budget(_CONFLICTS)
        return bool(self._solver.solve_limited(assumptions=[some]))

    def _choice(self, chosen: int, low: int, high: int) -> int:
        if low == high:
            return low
        if low == high ^ 1:
            return self._sum(chosen, low)
        taken, left = self._product(chosen, high), self._product(chosen ^ 1, low)
        return self._product(taken ^ 1, left ^ 1) ^ 1

    def _product(self, a: int, b: int) -> int:
        if a > b:
            a, b = b, a
        if a == ZERO or a == b ^ 1:
            return ZERO
        return b if a in (ONE, b) else self._node("and", a, b)

    def _sum(self, a: int, b: int) -> int:
        inverted = (a ^ b) & 1
        a, b = sorted((a & ~1, b & ~1))
        if a == b:
            return inverted
        return (b if a == ZERO else self._node("xor", a, b)) ^ inverted

    def _node(self, kind: str, a: int, b: int) -> int:
        key = kind, a, b
        if key not in self._known:
            self._known[key] = self.variable()
            self._parts[-1] = key
        return self._known[key]

    def _literal(self, literal: int) -> int:
        """Return the solver's literal, and tell it what is below."""
        waiting = [literal // 2]
        while waiting:
            node = waiting.pop()
            parts = self._parts[node]
            if parts and node not in self._encoded:
                kind, a, b = parts
                self._encoded.add(node)
                waiting += [a // 2, b // 2]
                x, y = (-(part // 2) if part & 1 else part // 2 for part in (a, b))
                if kind == "and":
                    clauses = [[-node, x], [-node, y], [node, -x, -y]]
                else:
                    clauses = [[-node, x, y], [-node, -x, -y], [node, -x, y], [node, x, -y]]
                self._solver.append_formula(clauses)
        return -(literal // 2) if literal & 1 else literal // 2
