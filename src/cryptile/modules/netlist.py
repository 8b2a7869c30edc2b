"""The netlist of a module, with what its registers hold before the first clock edge."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError, UsageError
from cryptile.modules.elaborate import Ports, explained
from cryptile.netlist import gates, make
from cryptile.netlist.gates import Netlist, natural
from cryptile.netlist.make import Source
from cryptile.netlist.registers import Inventory, inventory
from cryptile.toolchain import cache, yosys

_MAPPED, _ELABORATED = "netlist.json", "elaborated.json"
# A register that is the address of a memory stays one: Yosys would move it into the read port and
# make a second one of it.
_SYNTH = ["memory -nordff -nomap" if word == "memory -nomap" else word for word in make.SYNTH]
_KINDS = "-cell $_DFF_P_ 01 -cell $_DFF_PN0_ 01 -cell $_DFF_PN1_ 01"

_LIKE_REGISTERS = ("_q", "_r", "_reg", "_ff")


@dataclass(frozen=True)
class Built:
    """A module as gates and flip-flops.

    Attributes:
        netlist: the gates.
        registers: what synthesis did to the registers of the RTL.
        starts: outputs of the flip-flops that hold one at power-up; all others hold zero.
    """

    netlist: Netlist
    registers: Inventory
    starts: frozenset[int]


def build(source: Source, ports: Ports, keep: tuple[str, ...] = ()) -> Built:
    """Synthesise a module: what ordinary synthesis merges and removes is merged and removed.

    Args:
        source: the module.
        ports: what its elaboration gave: the clock, which all registers must have, and the hash
            of the design, by which a netlist that is there is known.
        keep: names of registers, with ``*`` and ``?``, that are neither merged nor removed.

    Raises:
        UsageError: Yosys refuses the module, or it holds what the machine cannot run.
    """
    commands = [f"setattr -set keep 1 w:{name} %ci1 t:$*dff* %i" for name in keep]

    def script(folder: Path) -> list[str]:
        return [
            *yosys.elaborate(source, yosys.NO_DELAYS),
            f"write_json {yosys.relative(folder / _ELABORATED)}",
            *commands,
            *_SYNTH,
            f"dfflegalize {_KINDS}",
            "simplemap",
            "setundef -undriven -zero",
            "opt_clean",
            f"write_json {yosys.relative(folder / _MAPPED)}",
        ]

    def synthesise(folder: Path) -> None:
        try:
            yosys.run(script(folder), folder, folder / _MAPPED)
        except CryptileError as error:
            raise explained(error, source) from error

    key = cache.digest([], ports.design, script(Path("/")), yosys.version())
    folder = cache.build("modules/netlist", key, synthesise)
    module = json.loads((folder / _MAPPED).read_text())["modules"][source.top]
    _check_clock(module, source.top, ports.clock)
    netlist = _named(gates.read(folder / _MAPPED, source.top), module)
    found = inventory(folder / _ELABORATED, netlist)
    for name in keep:
        if name.strip("*?") == name and name not in netlist.aliases:
            raise UsageError(f"{source.top}: keep: there is no register {name}")
    return Built(netlist, found, _starts(module))


def _named(netlist: Netlist, module: dict[str, Any]) -> Netlist:
    """Call flip-flops after the registers they are bits of, not after wires of single bits."""
    flops = {flop.q for flop in netlist.flip_flops}
    ranked: dict[int, tuple[tuple[object, ...], str]] = {}
    for name, nets in netlist.aliases.items():
        if "$" in name or not flops.issuperset(nets):
            continue
        first = module["netnames"][name].get("offset", 0)
        rank = (
            name in netlist.outputs,
            not name.endswith(_LIKE_REGISTERS),
            name.count("."),
            -len(nets),
            len(name),
            name,
        )
        for bit, net in enumerate(nets):
            full = name if len(nets) == 1 else f"{name}[{first + bit}]"
            ranked[net] = min(ranked.get(net, (rank, full)), (rank, full))
    named = (
        replace(flop, name=ranked[flop.q][1] if flop.q in ranked else flop.name)
        for flop in netlist.flip_flops
    )
    return replace(netlist, flip_flops=tuple(sorted(named, key=lambda flop: natural(flop.name))))


def _check_clock(module: dict[str, Any], top: str, clock: str) -> None:
    if clock not in module["ports"]:
        raise UsageError(f"{top}: there is no clock {clock}")
    for cell in module["cells"].values():
        if (
            cell["type"].startswith("$_DFF")
            and cell["connections"]["C"] != (module["ports"][clock]["bits"])
        ):
            (bit,) = cell["connections"]["Q"]
            names = [
                name
                for name, entry in module["netnames"].items()
                if bit in entry["bits"] and not entry["hide_name"]
            ]
            raise UsageError(
                f"{top}: {min(names, default='a register')} has another clock than the rise of "
                f"{clock}: gated, inverted and further clocks are not supported"
            )


def _starts(module: dict[str, Any]) -> frozenset[int]:
    """Return the nets of which the RTL gives one as the first value."""
    return frozenset(
        bit
        for entry in module["netnames"].values()
        for bit, value in zip(
            entry["bits"], reversed(entry["attributes"].get("init", "")), strict=False
        )
        if value == "1" and isinstance(bit, int)
    )
