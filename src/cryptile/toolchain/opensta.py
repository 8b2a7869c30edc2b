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


def script(top: str, clock: str, reset: str, buffer: str, load_ff: float) -> str:
    """Return the Tcl script; a reset, if there is one, is asynchronous and not a path to time.

    Neither is one of another name: recovery checks are no part of the clock's own path group.
    Paths of each pair of clock edges are reported apart: one of half a cycle has less slack than a
    longer one of a whole cycle, which it would hide.
    """
    return f"""read_liberty cells.lib
read_verilog netlist.v
link_design {top}
if {{[get_ports -quiet {clock}] == ""}} {{ puts "Error: no port {clock} to be the clock" }}
create_clock -name clk -period {PERIOD_NS} [get_ports {clock}]
foreach port [get_ports -quiet {reset}] {{ set_false_path -from $port }}
set inputs {{}}
foreach port [all_inputs] {{
  if {{[get_property $port full_name] != "{clock}"}} {{ lappend inputs $port }}
}}
if {{[llength $inputs] > 0}} {{
  set_driving_cell -lib_cell {buffer} $inputs
  set_input_delay 0 -clock clk $inputs
}}
set_output_delay 0 -clock clk [all_outputs]
set_load {load_ff / 1000} [all_outputs]
foreach from {{rise fall}} {{
  foreach to {{rise fall}} {{
    set edges [list -${{from}}_from [get_clocks clk] -${{to}}_to [get_clocks clk]]
    report_checks -path_delay max -path_group clk -digits 4 {{*}}$edges
  }}
}}
"""


def frequency(folder: Path) -> float:
    """Run ``sta.tcl`` in ``folder``, which has what it reads; return MHz."""
    program = tools.find(PROGRAM, "opensta")
    report = tools.run(
        [program, "-exit", "-no_splash", "sta.tcl"], cwd=folder, log=folder / "sta.log"
    )
    return parse(report)


def parse(report: str) -> float:
    """Return the frequency in MHz that all paths of a report allow (times in nanoseconds).

    Raises:
        CryptileError: OpenSTA said that something is wrong, or found no path; the text says what.
    """
    errors = re.findall(r"^Error: .*", report, re.MULTILINE)
    if errors:
        raise CryptileError("OpenSTA: " + "; ".join(errors))
    periods = [_period(path) for path in report.split("Startpoint:")[1:]]
    if not periods:
        warnings = re.findall(r"^Warning: .*", report, re.MULTILINE)
        raise CryptileError("; ".join(["OpenSTA found no path", *warnings[:5]]))
    return round(1000 / max(periods), 1)


def _period(path: str) -> float:
    """Return the nanoseconds of a clock for a path, which may have less or more than a cycle."""
    launch, capture = map(float, re.findall(_EDGE, path, re.MULTILINE)[:2])
    (slack,) = map(float, re.findall(_SLACK, path, re.MULTILINE))
    return (capture - launch - slack) * PERIOD_NS / (capture - launch)


_EDGE = r"^\s*[\d.]+\s+([\d.]+)\s+clock \S+ \((?:rise|fall) edge\)"
_SLACK = r"^\s*(-?[\d.]+)\s+slack \((?:MET|VIOLATED)\)"
