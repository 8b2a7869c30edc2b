"""Clock frequency of a mapped netlist by OpenSTA."""

import re
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.toolchain import tools

PROGRAM = "sta"
PERIOD_NS = 1000.0
"""Longer than any path: the frequency follows from the slack."""


def version() -> str:
    """Return the version of OpenSTA."""
    tools.find(PROGRAM, "opensta")
    return tools.version(PROGRAM, "-version")


def script(top: str, buffer: str, load_ff: float) -> str:
    """Return the Tcl script; the reset is asynchronous and not a path to time."""
    return f"""read_liberty cells.lib
read_verilog netlist.v
link_design {top}
create_clock -name clk -period {PERIOD_NS} [get_ports clk_i]
set_false_path -from [get_ports rst_ni]
set inputs {{}}
foreach port [all_inputs] {{
  if {{[get_property $port full_name] != "clk_i"}} {{ lappend inputs $port }}
}}
set_driving_cell -lib_cell {buffer} $inputs
set_input_delay 0 -clock clk $inputs
set_output_delay 0 -clock clk [all_outputs]
set_load {load_ff / 1000} [all_outputs]
report_checks -path_delay max -digits 4
"""


def frequency(top: str, buffer: str, load_ff: float, folder: Path) -> float:
    """Time ``netlist.v`` with ``cells.lib`` in ``folder``; return MHz."""
    (folder / "sta.tcl").write_text(script(top, buffer, load_ff))
    program = tools.find(PROGRAM, "opensta")
    report = tools.run([program, "-exit", "-no_splash", "sta.tcl"], cwd=folder,
                       log=folder / "sta.log")  # fmt: skip
    return parse(report)


def parse(report: str) -> float:
    """Return the frequency in MHz from the worst slack of a report (times in nanoseconds)."""
    found = re.findall(r"^\s*(-?[\d.]+)\s+slack \((?:MET|VIOLATED)\)", report, re.MULTILINE)
    if not found or "Error" in report:
        raise CryptileError(f"OpenSTA found no path:\n{report[-500:]}")
    return round(1000 / (PERIOD_NS - min(float(slack) for slack in found)), 1)
