"""Reading what the flow needs from a Liberty file: cells, their areas, and what not to use."""

import gzip
import re
import zlib
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from cryptile.errors import UsageError

OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
"""The default library; Debian package qflow-tech-osu018."""

_NAND2 = ("NAND2X1", "sg13g2_nand2_1", "NAND2_X1")
_BUFFER = ("BUFX2", "sg13g2_buf_2", "BUF_X2")
_KNOWN = {"osu018": "osu018", "sg13g2": "sg13g2", "nangate": "nangate45"}

DONT_USE_WORDS = re.compile(
    r"TBUF|LATCH|CLKBUF|DFFNEG|ebufn|einvn|dl[hl]|dlygate|lgcp|sdf|SDFF|DL[HL]_|TINV|TLAT|CLKGATE"
    r"|sighold|fill|decap|antenna|tie|LOGIC",
)
"""Latches, tri-states, scan cells, clock buffers, delay cells and cells without function."""

_CELL = re.compile(r'^\s*cell\s*\(\s*"?([\w.$]+)"?\s*\)', re.MULTILINE)
_AREA = re.compile(r"\barea\s*:\s*([\d.eE+-]+)", re.MULTILINE)
_LIBRARY = re.compile(r'^\s*library\s*\(\s*"?([\w.$-]+)"?\s*\)', re.MULTILINE)


@dataclass(frozen=True)
class Library:
    """A standard-cell library.

    Attributes:
        name: as the file says.
        text: the whole file, unpacked.
        areas: area by cell.
        nand2: the cell that areas are counted in.
        buffer: the cell that is assumed to drive every input.
    """

    name: str
    text: str
    areas: dict[str, float]
    nand2: str
    buffer: str

    @property
    def tech(self) -> str:
        """Short name for records."""
        for word, tech in _KNOWN.items():
            if word in self.name.lower():
                return tech
        return self.name

    @property
    def dont_use(self) -> list[str]:
        """Cells that synthesis must leave alone."""
        return [cell for cell in self.areas if DONT_USE_WORDS.search(cell)]


def read(path: Path, nand2: str | None = None) -> Library:
    """Read a Liberty file, plain or gzipped.

    Raises:
        UsageError: it cannot be read, is no Liberty file, or lacks a 2-input NAND or a buffer.
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("latin-1")
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(f"cannot read liberty file {path}: {error}") from error
    library = _LIBRARY.search(text)
    areas = _areas(text)
    if library is None or not areas:
        raise UsageError(f"{path} is not a liberty file with cells")
    wanted = (nand2,) if nand2 else _NAND2
    gate = next((cell for cell in wanted if cell in areas), None)
    if gate is None:
        raise UsageError(f"{path} has no cell {' or '.join(wanted)}: name its NAND2 by --nand2")
    buffer = next((cell for cell in _BUFFER if cell in areas), None)
    buffer = buffer or next((cell for cell in areas if re.search("buf", cell, re.I)), None)
    if buffer is None:
        raise UsageError(f"{path} has no buffer cell")
    return Library(library.group(1), text, areas, gate, buffer)


def _areas(text: str) -> dict[str, float]:
    starts = list(_CELL.finditer(text))
    areas = {}
    for start, end in zip_longest(starts, starts[1:]):
        area = _AREA.search(text, start.end(), end.start() if end else len(text))
        if area:
            areas[start.group(1)] = float(area.group(1))
    return areas
