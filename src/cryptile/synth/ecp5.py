"""Lattice ECP5: LUT and flip-flops by Yosys' ``synth_ecp5``, with a netlist for nextpnr."""

from pathlib import Path

from cryptile.synth.points import Point
from cryptile.toolchain import nextpnr, yosys

CONDITIONS = (
    "Yosys synth_ecp5, flattened, no wide multiplexers; "
    "LUT = LUT4 + 2 per carry cell + 4 per LUT memory; " + nextpnr.CONDITIONS
)

NETLIST = "netlist.json"
_STAT = "stat.json"


def script(point: Point, folder: Path) -> list[str]:
    """Return the Yosys script."""
    return [
        *yosys.elaborate(point, *point.reading),
        f"synth_ecp5 -nodsp -nowidelut -top {point.top}",
        f"tee -q -o {yosys.relative(folder / _STAT)} stat -json",
        f"write_json {yosys.relative(folder / NETLIST)}",
    ]


def synthesise(point: Point, folder: Path) -> dict[str, float]:
    """Synthesise in ``folder``, leave a netlist there, and return the figures."""
    yosys.run(script(point, folder), folder, folder / NETLIST)
    return count(yosys.cells(folder / _STAT))


def count(cells: dict[str, int]) -> dict[str, float]:
    """Sum cell types up."""
    lut = cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0) + 4 * cells.get("TRELLIS_DPR16X4", 0)
    return {"lut": lut, "ff": cells.get("TRELLIS_FF", 0), "bram": cells.get("DP16KD", 0)}
