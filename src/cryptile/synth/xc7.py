"""Xilinx 7-series: LUT, flip-flops and block RAM by Yosys' ``synth_xilinx``."""

import re
from pathlib import Path

from cryptile.synth.points import Point
from cryptile.toolchain import yosys

CONDITIONS = (
    "Yosys synth_xilinx -family xc7, flattened, no I/O buffers, no DSP, no wide multiplexers, "
    "LUTs mapped by ABC for area (every LUT counts one, depth does not count); "
    "before place and route; LUT = LUT1..6 + LUT memory + shift registers; BRAM of 36 kbit"
)

ABC_SCRIPT = "+strash;ifraig;scorr;dch,-f;if,-a;mfs2,-a,-e"
"""Area-oriented LUT mapping. To that of synth_xilinx depth comes first, and two small LUTs are
cheaper than a large one: it ends with many more LUTs than are needed."""

_LUT_MEMORY = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4}
_RESULT = "stat.json"


def script(point: Point, folder: Path) -> list[str]:
    """Return the Yosys script."""
    return [
        *yosys.elaborate(point, *point.reading),
        f"synth_xilinx -family xc7 -flatten -noiopad -noclkbuf -nodsp -nowidelut -top {point.top} "
        "-run begin:map_luts",
        # From here on synth_xilinx's own steps, but for the mapping.
        "opt_expr -mux_undef -noclkinv",
        f"abc -lut 6 -script {ABC_SCRIPT}",
        # ABC gives every flip-flop an inverter of its own for one and the same reset.
        "opt_merge",
        "clean",
        "xilinx_srl -fixed -minlen 3",
        "techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6",
        "xilinx_dffopt",
        "opt_lut_ins -tech xilinx",
        "clean",
        f"tee -q -o {yosys.relative(folder / _RESULT)} stat -json",
    ]


def synthesise(point: Point, folder: Path) -> dict[str, float]:
    """Synthesise in ``folder`` and return the figures."""
    yosys.run(script(point, folder), folder, folder / _RESULT)
    return count(yosys.cells(folder / _RESULT))


def count(cells: dict[str, int]) -> dict[str, float]:
    """Sum cell types up."""
    lut = sum(number * _lut_cost(name) for name, number in cells.items())
    ff = sum(number for name, number in cells.items() if re.fullmatch(r"FD[RSCP]E(_1)?", name))
    bram = cells.get("RAMB36E1", 0) + cells.get("RAMB18E1", 0) / 2
    return {"lut": lut, "ff": ff, "bram": bram}


def _lut_cost(cell: str) -> int:
    if re.fullmatch(r"LUT[1-6]|INV|SRL16E|SRLC32E", cell):
        return 1
    return _LUT_MEMORY.get(cell, 0)
