"""Benches around the tile or its parts, whose module headers include its ports."""

from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "shell/tile"

AXI_PORTS = _FOLDER / "tile_axi_ports.svh"
AXIL_PORTS = _FOLDER / "tile_axil_ports.svh"


def around(bench: str) -> list[Path]:
    """Return the files of a bench around the tile, by the name of its module."""
    return [_FOLDER / f"{bench}.sv", AXIL_PORTS, AXI_PORTS]
