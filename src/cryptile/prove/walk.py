"""Random walks of two netlists side by side, without an upset."""

import random
from collections.abc import Callable, Iterable

from cryptile.netlist.gates import ONE, ZERO, Gate, Netlist
from cryptile.prove.constants import FIXED

_Words = tuple[int, ...]
_Cycle = Callable[[int, list[int], _Words], tuple[_Words, _Words]]
"""From ones in all walks, inputs and state to outputs and the next state."""

_WALKS, _CYCLES, _SEED = 256, 200, 1
_RARE = {"clear_i": 16}
"""Inputs that are high in one of so many cycles, not in every second one."""


def parting(first: Netlist, second: Netlist) -> str:
    """Say where two netlists with the same ports first differ: nothing if nowhere.

    Both begin with all flip-flops zero and in reset; all inputs are random. To differ is a fact;
    not to differ here proves nothing.
    """
    chance = random.Random(_SEED)
    full = (1 << _WALKS) - 1
    cycles = [_compiled(part, first) for part in (first, second)]
    states = [(0,) * len(part.flip_flops) for part in (first, second)]
    for cycle in range(_CYCLES):
        given = {name: [0] * len(nets) for name, nets in first.inputs.items()}
        for name, nets in first.inputs.items():
            if name == "rst_ni":
                given[name] = [full if cycle > 1 else 0]
            elif name not in FIXED:
                given[name] = [_bits(chance, _RARE.get(name, 2)) for _ in nets]
        words = [word for words in given.values() for word in words]
        outputs = []
        for number, run in enumerate(cycles):
            found, states[number] = run(full, words, states[number])
            outputs.append(found)
        if cycle > 1 and outputs[0] != outputs[1]:
            names = [name for name, nets in first.outputs.items() for _ in nets]
            at = next(n for n, (a, b) in enumerate(zip(*outputs, strict=True)) if a != b)
            return f"{names[at]} differs {cycle} cycles behind power-up"
    return ""


def _compiled(part: Netlist, like: Netlist) -> _Cycle:
    """Return a function that computes a cycle: a statement of Python for each gate.

    That takes a seventh of the time of a loop over the gates. Ports are in the order of another
    netlist.
    """
    inputs = [net for name in like.inputs for net in part.inputs[name]]
    lines = ["def run(full, inputs, state):", f" v{ZERO} = 0", f" v{ONE} = full"]
    lines += [f" {_tuple(inputs)} = inputs"] if inputs else []
    lines += [f" {_tuple(flop.q for flop in part.flip_flops)} = state"] if part.flip_flops else []
    lines += [f" v{gate.output} = {_expression(gate)}" for gate in part.gates]
    outputs = _tuple(net for name in like.outputs for net in part.outputs[name])
    lines.append(f" return {outputs}, {_tuple(flop.d for flop in part.flip_flops)}")
    found: dict[str, _Cycle] = {}
    exec("\n".join(lines), found)
    return found["run"]


def _tuple(nets: Iterable[int]) -> str:
    return f"({''.join(f'v{net},' for net in nets)})"


def _bits(chance: random.Random, every: int) -> int:
    """Return a bit for each walk, high in one of so many: a power of two."""
    found = chance.getrandbits(_WALKS)
    while every > 2:
        found &= chance.getrandbits(_WALKS)
        every //= 2
    return found


def _expression(gate: Gate) -> str:
    """Return the output of a gate in all walks."""
    nets = [f"v{net}" for net in gate.inputs]
    a, b = nets[0], nets[-1]
    match gate.kind:
        case "buf":
            return a
        case "not":
            return f"{a} ^ full"
        case "xor":
            return f"{a} ^ {b}"
        case "xnor":
            return f"{a} ^ {b} ^ full"
        case "and":
            return f"{a} & {b}"
        case "nand":
            return f"{a} & {b} ^ full"
        case "or":
            return f"{a} | {b}"
        case "nor":
            return f"({a} | {b}) ^ full"
        case "andnot":
            return f"{a} & ({b} ^ full)"
        case "ornot":
            return f"{a} | ({b} ^ full)"
        case "mux":
            return f"{a} ^ (({a} ^ {nets[1]}) & {b})"
    raise ValueError(gate.kind)
