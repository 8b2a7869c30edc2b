"""Making the netlist of a design: Yosys maps it to simple gates, cached by content."""

from dataclasses import dataclass, field
from pathlib import Path

from cryptile import cache, rtl
from cryptile.netlist import gates
from cryptile.netlist.gates import Netlist
from cryptile.netlist.registers import Inventory, inventory
from cryptile.synth import yosys

_MAPPED, _ELABORATED = "netlist.json", "elaborated.json"


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
        f"synth -flatten -noabc -nofsm -top {source.top}",
        "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x -cell $_DFF_PN1_ x",
        "simplemap",
        "opt_clean",
        f"write_json {yosys.relative(folder / _MAPPED)}",
    ]


def build(source: Source) -> Path:
    """Return the folder with the netlist of a design, made first if it is not there."""

    def make(folder: Path) -> None:
        yosys.run(script(source, folder), folder, folder / _MAPPED)

    files = source.sources.files
    key = cache.digest(files, script(source, Path("/")), yosys.version())
    return cache.build("netlist", key, make)


def netlist(source: Source) -> Netlist:
    """Return the netlist of a design."""
    return gates.read(build(source) / _MAPPED, source.top)


def registers(source: Source) -> Inventory:
    """Return what synthesis did to the registers of a design."""
    return inventory(build(source) / _ELABORATED, netlist(source))
