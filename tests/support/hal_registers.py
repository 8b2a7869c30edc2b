"""Where the drivers of ``sw/hal`` find the registers, from their SystemRDL."""

from functools import cache

from systemrdl import RDLCompiler
from systemrdl.node import RegNode

from cryptile.project import ROOT

MAPS = {"hwpe": 0x1A10_C000, "dma": 0x1A20_0000, "axis": 0x1A20_1000, "mcu": 0x1A10_0000}
"""The register maps and their places (sw/hal/mcu.h, sw/hal/axis_engine.h)."""


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
