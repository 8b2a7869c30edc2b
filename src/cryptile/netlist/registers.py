"""What synthesis did to the registers of the RTL: kept, merged with an equal one, or removed.

Copies that protect one another are equal registers, which an optimiser likes to merge: the RTL then
still shows a protection that the netlist does not have.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from cryptile.netlist.gates import Netlist, netnames

_FLOPS = ("$dff", "$adff", "$sdff", "$dffe", "$adffe", "$sdffe", "$sdffce", "$aldff", "$aldffe")


@dataclass(frozen=True)
class Inventory:
    """The register bits of the RTL, by name, and where they went.

    Attributes:
        kept: bits with a flip-flop of their own.
        merged: bits that share the flip-flop of another bit, which is named.
        removed: bits without any flip-flop: constant, unused, or made from others.
    """

    kept: tuple[str, ...]
    merged: dict[str, str]
    removed: tuple[str, ...]


def inventory(elaborated: Path, mapped: Netlist, scope: str = "") -> Inventory:
    """Compare the registers before optimisation with those of the netlist.

    Args:
        elaborated: JSON of the flat design before any optimisation.
        mapped: the netlist that came out.
        scope: as of ``gates.read``.
    """
    module = json.loads(elaborated.read_text())["modules"][mapped.top]
    driven = {
        bit
        for cell in module["cells"].values()
        if cell["type"] in _FLOPS
        for bit in cell["connections"]["Q"]
    }
    flops = {flop.q: flop.name for flop in mapped.flip_flops}
    kept: dict[str, str] = {}
    merged: dict[str, str] = {}
    removed: list[str] = []
    seen: set[int] = set()
    named = netnames(module, scope)
    for name, entry in sorted(named.items(), key=lambda item: item[0].count(".")):
        after = mapped.aliases.get(name)
        for index, bit in enumerate(entry["bits"]):
            if bit not in driven or bit in seen:
                continue
            full = name if len(entry["bits"]) == 1 else f"{name}[{entry.get('offset', 0) + index}]"
            flop = flops.get(after[index]) if after and index < len(after) else None
            seen.add(bit)
            if flop is None:
                removed.append(full)
            elif flop in kept:
                merged[full] = kept[flop]
            else:
                kept[flop] = full
    return Inventory(tuple(kept.values()), merged, tuple(removed))
