"""The vectors that drive a module: from CSV, or from a waveform of any simulator."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cryptile.errors import UsageError
from cryptile.modules import vcd
from cryptile.modules.description import Description
from cryptile.modules.vcd import Row

_NUMBER = re.compile(r"(?:\d*'[sS]?(?P<base>[bBdDhHoO])|0(?P<prefix>[xXbBoO]))?(?P<digits>\w+)")
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16, "x": 16}


@dataclass(frozen=True)
class Vectors:
    """What a module is given in each cycle, and what it was seen to answer.

    Attributes:
        inputs: by port, a number for each cycle, without the clock.
        expected: by output, in each cycle its bits, the highest first, x for what is not known.
        watched: of each cycle, if outputs are looked at: they are not while it is reset, as an
            asynchronous reset acts at the next clock edge in the machine.
        first: the first cycle in which faults can be.
        end: the cycle behind the last one in which faults can be.
        given: the cycle of the first row of the file.
        unknown: bits of inputs that are not known in the file, and are zero.
    """

    inputs: dict[str, list[int]]
    expected: dict[str, list[str]]
    watched: NDArray[np.uint8]
    first: int
    end: int
    given: int
    unknown: int = field(default=0)

    @property
    def cycles(self) -> int:
        """How long all of it is."""
        return len(next(iter(self.inputs.values()), []))


def read(what: Description, inputs: dict[str, int], outputs: dict[str, int]) -> Vectors:
    """Read the vectors of a module.

    Args:
        what: the module's file.
        inputs: widths of the inputs without the clock.
        outputs: widths of the outputs.

    Raises:
        UsageError: the vectors do not fit the module.
    """
    path, reset = what.vectors, what.module.reset
    if not inputs:
        raise UsageError(f"{what.module.top}: no input but its clock: give it a reset")
    if reset and inputs.get(reset.port) != 1:
        raise UsageError(f"{what.path}: there is no input {reset.port} of one bit to reset with")
    needed = [name for name in inputs if not reset or name != reset.port]
    others = [*([reset.port] if reset else []), *outputs]
    if path.suffix == ".csv":
        rows = _csv(path, inputs | outputs)
    else:
        rows = vcd.samples(path, what.module.clock, needed, others, what.stimuli.scope)
    for name in needed:
        if name not in rows[0]:
            raise UsageError(f"{path} has no input {name}")
    for name, bits in rows[0].items():
        if len(bits) != (inputs | outputs)[name]:
            raise UsageError(f"{path}: {name} has {len(bits)} bits, not {(inputs | outputs)[name]}")
    return _whole(what, rows, inputs, outputs)


def _whole(
    what: Description, rows: list[Row], inputs: dict[str, int], outputs: dict[str, int]
) -> Vectors:
    """Add the reset, if the file has none, and the tail."""
    reset, given = what.module.reset, 0
    unknown = sum(row[name].count("x") for row in rows for name in inputs if name in row)
    if reset and reset.port not in rows[0]:
        given = reset.cycles
        on, off = ("0", "1") if reset.active == "low" else ("1", "0")
        before = {**{n: b for n, b in rows[0].items() if n in inputs}, reset.port: on}
        rows = [dict(before) for _ in range(given)] + [{**row, reset.port: off} for row in rows]
    end = len(rows)
    last = {name: bits for name, bits in rows[-1].items() if name in inputs}
    rows += [last] * what.stimuli.tail
    driven = {name: [int(row[name].replace("x", "0"), 2) for row in rows] for name in inputs}
    watched = np.ones(len(rows), np.uint8)
    if reset:
        resetting = 0 if reset.active == "low" else 1
        watched = np.array([bit != resetting for bit in driven[reset.port]], np.uint8)
        if not watched[:end].any():
            raise UsageError(f"{what.vectors}: {reset.port} is {resetting} all the time")
    first = int(np.argmax(watched))
    seen = {
        name: [row.get(name, "x" * outputs[name]) for row in rows]
        for name in outputs
        if any(name in row for row in rows)
    }
    return Vectors(driven, seen, watched, first, end, given, unknown)


def _csv(path: Path, widths: dict[str, int]) -> list[Row]:
    """Read a table: a column for each port, a row for each cycle."""
    try:
        with path.open(newline="") as file:
            lines = [
                [cell.strip() for cell in line]
                for line in csv.reader(file)
                if line and not line[0].lstrip().startswith("#")
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from error
    if len(lines) < 2:
        raise UsageError(f"{path}: a line of names and a line for each cycle are needed")
    names = lines[0]
    for name in names:
        if name not in widths:
            raise UsageError(f"{path}: no port {name!r}: there are {', '.join(widths)}")
    if len(set(names)) < len(names):
        raise UsageError(f"{path}: a port stands twice in the first line")
    rows: list[Row] = []
    for number, cells in enumerate(lines[1:]):
        if len(cells) != len(names):
            raise UsageError(f"{path}: row {number} has {len(cells)} values, not {len(names)}")
        before = rows[-1] if rows else {}
        rows.append({
            name: before[name] if not cell and before else _bits(
                cell, widths[name], f"{path}: row {number}: {name}")
            for name, cell in zip(names, cells, strict=True)
        })  # fmt: skip
    return rows


def _bits(text: str, width: int, where: str) -> str:
    """Return a number as C or Verilog writes it, as bits."""
    if text.lower() == "x":
        return "x" * width
    found = _NUMBER.fullmatch(text.replace("_", ""))
    base = _BASES[(found["base"] or found["prefix"] or "d").lower()] if found else 0
    try:
        value = int(found["digits"], base) if found else -1
    except ValueError:
        value = -1
    if value < 0:
        raise UsageError(f"{where}: {text!r} is no number")
    if value >> width:
        raise UsageError(f"{where}: {text} has more than {width} bits")
    return f"{value:0{width}b}"
