"""Where faults can be: flip-flops, sets of flip-flops and gates, by model."""

import random
import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cryptile.errors import UsageError
from cryptile.faults.build import Machine
from cryptile.faults.shard import NONE, Model, Sites
from cryptile.netlist.gates import Netlist

Found = list[tuple[str, tuple[int, ...], int]]
"""Name, flip-flops or gate, and forced value of places."""

ADJACENT = range(2, 5)
"""Sizes of a multi-bit upset of neighbours."""


def sites(machine: Machine, model: Model, target: str | None, pairs: int, seed: int) -> Sites:
    """Return all places of a model whose name fits a pattern.

    Args:
        machine: the design.
        model: the kind of fault.
        target: regular expression, found anywhere in the name; ``None`` for all.
        pairs: for multi-bit upsets: take so many random pairs of any flip-flops instead of
            neighbours; 0 for neighbours.
        seed: of the pairs.

    Raises:
        UsageError: the pattern is bad or fits nothing.
    """
    found: Found
    if model is Model.seu:
        found = [(name, (index,), 0) for index, name in enumerate(machine.flops)]
    elif model is Model.mbu:
        found = _pairs(machine, pairs, seed) if pairs else _neighbours(machine)
    else:
        values = (0, 1) if model is Model.stuck else (0,)
        found = [
            (f"{name} = {value}" if model is Model.stuck else name, (index,), value)
            for index, name in enumerate(gate_names(machine.netlist))
            for value in values
        ]
    found = [found[index] for index in matching([item[0] for item in found], target)]
    width = max(len(item[1]) for item in found)
    targets = np.full((len(found), width), NONE, np.uint32)
    for row, (_, members, _) in zip(targets, found, strict=True):
        row[: len(members)] = members
    forced = np.array([item[2] for item in found], np.uint8)
    return Sites(model, targets, forced, [item[0] for item in found])


def matching(names: Sequence[str], target: str | None) -> list[int]:
    """List the places whose name fits a pattern, found anywhere in it; all if there is none.

    Raises:
        UsageError: the pattern is bad or fits nothing.
    """
    try:
        pattern = re.compile(target or "")
    except re.error as error:
        raise UsageError(f"--target: {target!r} is no regular expression: {error}") from error
    found = [index for index, name in enumerate(names) if pattern.search(name)]
    if not found:
        raise UsageError(f"--target: nothing is named like {target!r}")
    return found


def adjacent(names: Sequence[str]) -> list[tuple[str, tuple[int, int]]]:
    """List the pairs of neighbouring bits of a register."""
    follows = _follows(names)
    return [(f"{names[low]}+1", (low, high)) for low, high in follows.items()]


def _follows(names: Sequence[str]) -> dict[int, int]:
    """Return, by place of a bit among the names, that of the next bit of its register."""
    bits = sorted(range(len(names)), key=lambda index: register(names[index]))
    return {
        low: high
        for low, high in pairwise(bits)
        if register(names[low])[0] == register(names[high])[0]
        and register(names[low])[1] + 1 == register(names[high])[1]
    }


def _neighbours(machine: Machine) -> Found:
    """List runs of two to four neighbouring bits of one register."""
    names = machine.flops
    bits = sorted(range(len(names)), key=lambda index: register(names[index]))
    follows = _follows(names)
    found: Found = []
    for first in bits:
        run = [first]
        while run[-1] in follows and len(run) < ADJACENT[-1]:
            run.append(follows[run[-1]])
            found.append((f"{names[first]}+{len(run) - 1}", tuple(run), 0))
    return found


def _pairs(machine: Machine, count: int, seed: int) -> Found:
    rng, names = random.Random(seed), machine.flops
    found: Found = []
    for _ in range(count):
        a, b = sorted(rng.sample(range(len(names)), 2))
        found.append((f"{names[a]} & {names[b]}", (a, b), 0))
    return found


def register(name: str) -> tuple[str, int]:
    """Split the name of a bit; a register of one bit may lie below an index: ``gen[0].q``."""
    bit = re.fullmatch(r"(.*)\[(\d+)\]", name)
    return (bit[1], int(bit[2])) if bit else (name, 0)


def gate_names(netlist: Netlist) -> list[str]:
    """Name every gate: ``gate7.and u_core.last``, by the net that it drives.

    A net without a name has the nearest one that it leads to: ``gate6.or > u_core.last``.
    """
    near: dict[int, tuple[int, str]] = {flop.d: (0, flop.name) for flop in netlist.flip_flops}
    found = []
    for index in reversed(range(len(netlist.gates))):
        gate = netlist.gates[index]
        own = netlist.names.get(gate.output)
        away, name = (0, own) if own else near.get(gate.output, (0, ""))
        for net in gate.inputs:
            near[net] = min(near.get(net, (away + 1, name)), (away + 1, name))
        found.append(f"gate{index}.{gate.kind} {'' if own else '> '}{name}")
    return found[::-1]


def part(place: str) -> str:
    """Return the register or wire that a place belongs to: its name without gate and bit."""
    name = re.sub(r"^gate\d+\.\w+ (> )?|( = [01])$", "", place)
    return re.sub(r"\[\d+\](\+\d+)?$", "", name)
