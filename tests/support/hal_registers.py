"""Where the drivers of ``sw/hal`` find the registers, from their SystemRDL."""

from functools import cache

from systemrdl import RDLCompiler
from systemrdl.node import RegNode

from cryptile import catalog
from cryptile.project import ROOT

_MCU, _STREAM = (catalog.system(name).map for name in ("mcu", "stream"))
MAPS = {
    "hwpe": _MCU["hwpe"].base,
    "dma": _STREAM["dma"].base,
    "axis": _STREAM["axis"].base,
    "mcu": _MCU["periph"].base,
}
"""The register maps and their places."""


@cache
def addresses() -> dict[str, int]:
    """Every register by its name, such as ``dma.MM2S.HEAD``."""
    found = {}
    for name, base in MAPS.items():
        compiler = RDLCompiler()
        compiler.compile_file(str(ROOT / "regs" / f"{name}.rdl"))
        for node in compiler.elaborate().top.descendants(unroll=True):
            if isinstance(node, RegNode):
                path = node.get_path().partition(".")[2]
                found[f"{name}.{path}"] = base + node.absolute_address
    return found


@cache
def names() -> dict[int, str]:
    """Every register by its address."""
    return {address: name for name, address in addresses().items()}
