"""Cycles and energy of an engine at work, from the toggles of its netlist of library cells."""

import math
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.jobs import measured as jobs
from cryptile.synth import activity, cells, electrical, port
from cryptile.synth.liberty import Library
from cryptile.synth.points import Point
from cryptile.synth.stdcells import LOAD_FF
from cryptile.toolchain import yosys

BLOCK = 64
"""Bytes that cycles are counted for."""

_FOLDER = Path(__file__).parent
CODE = [
    *(
        _FOLDER / f"{name}.py"
        for name in ("activity", "cells", "electrical", "energy", "liberty_syntax", "port")
    ),
    *sorted((_FOLDER.parent / "jobs").rglob("*.py")),
]
"""What figures depend on beside netlist and library."""

CONDITIONS = (
    f"Cycles and energy: a job of {jobs.SIZE} random bytes simulated in the netlist of cells, its "
    "output checked; window without beginning and end; energy = toggles x (load + inside of "
    "the cell, from the library) + clock at the flip-flops (no clock tree) + leakage, no wires; "
    "with glitches by inertial cell delays, and (settled) without any; power and MB/s at the Fmax "
    "shown. For ratios."
)

_WARM = 12
"""Beats before the window."""


def measure(point: Point, library: Library, netlist: Path, folder: Path) -> dict[str, float]:
    """Simulate a netlist at work.

    Args:
        point: what it is; it has jobs.
        library: its cells.
        netlist: in Verilog, as OpenSTA reads it.
        folder: for files on the way.

    Returns:
        ``cycles_per_block``, ``joules_per_byte``, ``settled_joules_per_byte`` (without leakage) and
        ``leakage_watts``.

    Raises:
        CryptileError: the netlist gives something wrong.
    """
    data = folder / "netlist.json"
    commands = [f"read_verilog {yosys.relative(netlist)}", f"write_json {yosys.relative(data)}"]
    yosys.run(commands, folder, data)
    known = cells.parse(library.text)
    design = activity.read(data, point.top, known.cells)
    data.unlink()
    simulator = activity.Simulator(design, known.cells)
    if point.jobs is None:
        raise CryptileError(f"no jobs are known for {point.label}")
    job, output, period = jobs.make(point.jobs)
    run = port.run(simulator, job)
    if run.status != 0 or run.output != output:
        raise CryptileError(f"the netlist of {point.label} gives a wrong result")
    first, last = window(len(run.taken), period)
    sources = run.sources[run.taken[first] : run.taken[last] + 1]
    model = electrical.analyse(design, known, library.buffer, LOAD_FF * 1e-15)
    toggles = simulator.toggles(sources, model.delays)
    size = 16 * (last - first)
    return {
        "cycles_per_block": toggles.cycles * BLOCK / size,
        "joules_per_byte": model.energy(toggles.total, toggles.cycles) / size,
        "settled_joules_per_byte": model.energy(toggles.settled, toggles.cycles) / size,
        "leakage_watts": model.leakage,
    }


def window(beats: int, period: int) -> tuple[int, int]:
    """Return the first and the last beat between which is measured: whole periods."""
    first = period * math.ceil(_WARM / period)
    return first, first + (beats - 2 - first) // period * period


def figures(measured: dict[str, float], fmax_mhz: float) -> dict[str, float]:
    """Return what goes into records, at a clock."""
    speed = rate(measured, fmax_mhz)
    still = measured["leakage_watts"] / speed * 1e3
    total = measured["joules_per_byte"] * 1e9 + still
    return {
        "cycles_per_block": round(measured["cycles_per_block"], 1),
        "mb_per_s": round(speed, 2),
        "power_mw": round(total * speed, 3),
        "mj_per_mb": round(total, 5),
        "mj_per_mb_settled": round(measured["settled_joules_per_byte"] * 1e9 + still, 5),
    }


def rate(measured: dict[str, float], fmax_mhz: float) -> float:
    """Return MB/s at a clock."""
    return fmax_mhz * BLOCK / measured["cycles_per_block"]
