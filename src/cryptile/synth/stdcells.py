"""Standard cells: area by Yosys and ABC, clock by OpenSTA on the mapped netlist."""

from pathlib import Path

from cryptile.synth.liberty import Library
from cryptile.synth.points import Point
from cryptile.toolchain import opensta, yosys

LOAD_FF = 50
"""Capacitance on every output, in femtofarads."""

DELAY_TARGET_PS = 2000
"""What ABC sizes gates for; one target for all designs."""

BUFFER_GAIN = 5
"""Load over input capacitance up to which a gate is left without a buffer."""

ABC_SCRIPT = (
    "+strash;ifraig;scorr;dc2;dch,-f;amap;"
    f"buffer,-N,32,-G,{100 * BUFFER_GAIN};upsize,{{D}};dnsize,{{D}}"
)
"""Area-oriented mapping, then buffers and sizes for drive and load, without wire loads: the clock
is timed without wires too."""

_STAT = "stat.json"
NETLIST = "netlist.v"
"""The mapped netlist, its ports split into bits."""


def conditions(library: Library) -> str:
    """Say under which conditions figures of a library hold."""
    return (
        f"{library.name}: Yosys + ABC, area-oriented mapping, buffers and sizes for "
        f"{library.buffer} driving inputs, {LOAD_FF} fF on outputs, fan-out <= 32, "
        f"gain {BUFFER_GAIN}, -D {DELAY_TARGET_PS} ps; "
        f"kGE = area / 1000 areas of {library.nand2}; Fmax: OpenSTA, "
        "ports registered outside, ideal clock without uncertainty, no wires"
    )


def script(point: Point, library: Library, folder: Path) -> list[str]:
    """Return the Yosys script."""
    lib = yosys.relative(folder / "cells.lib")
    spare = " ".join(f"-dont_use {cell}" for cell in library.dont_use)
    constraints = yosys.relative(folder / "abc.constr")
    return [
        *yosys.elaborate(point, *point.reading),
        f"synth -flatten -noabc -top {point.top}",
        f"dfflibmap -liberty {lib} {spare}",
        f"abc -liberty {lib} {spare} -constr {constraints} -D {DELAY_TARGET_PS} "
        f"-script {ABC_SCRIPT}",
        "opt_clean -purge",
        f"tee -q -o {yosys.relative(folder / _STAT)} stat -json -liberty {lib}",
        "splitnets -ports",
        f"write_verilog -noattr -noexpr -nohex -simple-lhs {yosys.relative(folder / NETLIST)}",
    ]


def area(point: Point, library: Library, folder: Path) -> dict[str, float]:
    """Synthesise in ``folder``, where the netlist stays, and return the area."""
    (folder / "cells.lib").write_text(library.text, encoding="latin-1")
    (folder / "abc.constr").write_text(f"set_driving_cell {library.buffer}\nset_load {LOAD_FF}\n")
    yosys.run(script(point, library, folder), folder, folder / NETLIST)
    total = float(yosys.read_stat(folder / _STAT)["area"])
    (folder / "cells.lib").unlink()
    return {"kge": round(total / library.areas[library.nand2] / 1000, 3)}


def timing(point: Point, library: Library) -> str:
    """Return OpenSTA's script."""
    return opensta.script(point.top, point.clock, point.reset, library.buffer, LOAD_FF)


def clock(point: Point, library: Library, netlist: Path, folder: Path) -> dict[str, float]:
    """Time a netlist in ``folder`` and return the clock."""
    (folder / "cells.lib").write_text(library.text, encoding="latin-1")
    (folder / NETLIST).symlink_to(netlist)
    (folder / "sta.tcl").write_text(timing(point, library))
    mhz = opensta.frequency(folder)
    (folder / "cells.lib").unlink()
    return {"fmax_mhz": mhz}
