"""Random walks of two netlists side by side, without an upset."""

import random

from cryptile.netlist.gates import ONE, ZERO, Netlist
from cryptile.prove.constants import FIXED

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
    pair = (first, second)
    states = [dict.fromkeys((flop.q for flop in part.flip_flops), 0) for part in pair]
    for cycle in range(_CYCLES):
        given = {name: [0] * len(nets) for name, nets in first.inputs.items()}
        for name, nets in first.inputs.items():
            if name == "rst_ni":
                given[name] = [full if cycle > 1 else 0]
            elif name not in FIXED:
                given[name] = [_bits(chance, _RARE.get(name, 2)) for _ in nets]
        values = []
        for part, state in zip(pair, states, strict=True):
            known = {ZERO: 0, ONE: full, **state}
            for name, words in given.items():
                known |= dict(zip(part.inputs[name], words, strict=True))
            for gate in part.gates:
                known[gate.output] = _gate(gate.kind, [known[net] for net in gate.inputs], full)
            values.append(known)
        for name, outputs in first.outputs.items():
            for a, b in zip(outputs, second.outputs[name], strict=True):
                if cycle > 1 and values[0][a] != values[1][b]:
                    return f"{name} differs {cycle} cycles behind power-up"
        states = [
            {flop.q: known[flop.d] for flop in part.flip_flops}
            for part, known in zip(pair, values, strict=True)
        ]
    return ""


def _bits(chance: random.Random, every: int) -> int:
    """Return a bit for each walk, high in one of so many: a power of two."""
    found = chance.getrandbits(_WALKS)
    while every > 2:
        found &= chance.getrandbits(_WALKS)
        every //= 2
    return found


def _gate(kind: str, inputs: list[int], full: int) -> int:
    """Return the output of a gate in all walks."""
    a, b = inputs[0], inputs[-1]
    match kind:
        case "buf":
            return a
        case "not":
            return a ^ full
        case "xor":
            return a ^ b
        case "xnor":
            return a ^ b ^ full
        case "and":
            return a & b
        case "nand":
            return a & b ^ full
        case "or":
            return a | b
        case "nor":
            return (a | b) ^ full
        case "andnot":
            return a & (b ^ full)
        case "ornot":
            return a | (b ^ full)
        case "mux":
            return a ^ ((a ^ inputs[1]) & b)
    raise ValueError(kind)
