"""Making the netlist of a design: Yosys maps it to simple gates, cached by content."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from cryptile.netlist import gates
from cryptile.netlist.gates import Netlist
from cryptile.netlist.registers import Inventory, inventory
from cryptile.toolchain import cache, rtl, yosys

_MAPPED, _ELABORATED = "netlist.json", "elaborated.json"

SYNTH = (
    "opt_expr", "opt_clean", "opt -nodffe -nosdff", "opt", "wreduce", "peepopt", "opt_clean",
    "alumacc", "share", "opt", "memory -nomap", "opt_clean",
    "opt -fast -full", "memory_map", "opt -full", "techmap", "opt -fast",
)  # fmt: skip
"""Yosys's ``synth -noabc -nofsm`` of what is flat, without its checks: nobody would see here what
they find, lint finds it too, and they take up to nearly half of the time."""


@dataclass(frozen=True)
class Source:
    """A top module with its parameters (as SystemVerilog expressions) and its files."""

    top: str
    sources: rtl.FileList
    parameters: dict[str, str] = field(default_factory=dict)


def script(source: Source, folder: Path) -> list[str]:
    """Return the Yosys script: what ordinary synthesis optimises and merges happens here too.

    State machines keep the encoding of the RTL, so that a register has one name in both.
    """
    return [
        *yosys.elaborate(source),
        f"write_json {yosys.relative(folder / _ELABORATED)}",
        *SYNTH,
        "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x -cell $_DFF_PN1_ x",
        "simplemap",
        "opt_clean",
        f"write_json {yosys.relative(folder / _MAPPED)}",
    ]


def build(source: Source) -> Path:
    """Return the folder with the netlist of a design, made first if it is not there."""

    def make(folder: Path) -> None:
        yosys.run(script(source, folder), folder, folder / _MAPPED)

    key = cache.digest(source.sources.inputs, script(source, Path("/")), yosys.version())
    return cache.build("netlist", key, make, what=f"the netlist of {source.top}")


def netlist(source: Source) -> Netlist:
    """Return the netlist of a design."""
    return gates.read(build(source) / _MAPPED, source.top, _scope(source))


def built_files(source: Source) -> list[Path]:
    """List the files of a design that something in it was made from."""
    module = json.loads((build(source) / _ELABORATED).read_text())["modules"][source.top]
    named = {
        place.rsplit(":", 1)[0]
        for part in ("cells", "netnames")
        for entry in module[part].values()
        for place in entry["attributes"].get("src", "").split("|")
    }
    return [file for file in source.sources.files if yosys.named(file) in named]


def registers(source: Source) -> Inventory:
    """Return what synthesis did to the registers of a design."""
    return inventory(build(source) / _ELABORATED, netlist(source), _scope(source))


def _scope(source: Source) -> str:
    """Return the scope of the design proper, which its names in a netlist leave out."""
    return rtl.top(source.top, source.sources, source.parameters).scope
