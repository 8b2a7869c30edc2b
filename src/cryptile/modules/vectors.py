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

_NUMBER = re.compile(
    r"(?:(?P<size>\d+)?'(?P<base>[bdho])|0(?P<prefix>[xbo]))?(?P<digits>[\da-f]+)", re.A | re.I
)
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16, "x": 16}
_DIGITS = "0123456789abcdef"


@dataclass(frozen=True)
class Vectors:
    """What a module is given in each cycle, and what it was seen to answer.

    Attributes:
        inputs: by port, a number for each cycle, without the clock.
        expected: by output, in each cycle its bits, the highest first, x for what is not known.
        watched: of each cycle, if outputs are looked at: they are not before the first reset, as
            nobody knows what registers hold, nor while it is reset, as an asynchronous reset acts
            at the next clock edge in the machine.
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
        watched = _watched(what, [row[reset.port] for row in rows], end)
    first = int(np.argmax(watched))
    seen = {
        name: [row.get(name, "x" * outputs[name]) for row in rows]
        for name in outputs
        if any(name in row for row in rows)
    }
    return Vectors(driven, seen, watched, first, end, given, unknown)


def _watched(what: Description, driven: list[str], end: int) -> NDArray[np.uint8]:
    """Return in which cycles outputs are looked at: behind the first reset, and in no other."""
    reset = what.module.reset
    assert reset, "asked of modules with one only"
    resetting = "0" if reset.active == "low" else "1"
    resets = np.array([bit == resetting for bit in driven], bool)
    if not resets[:end].any():
        raise UsageError(
            f"{what.vectors}: {reset.port} is never {resetting} at a rise of the clock: "
            "record the reset, too, or leave the port out, and it is given"
        )
    if "x" in driven[int(np.argmax(resets)) :]:
        raise UsageError(f"{what.vectors}: {reset.port} is unknown in a row behind its first reset")
    begun = np.maximum.accumulate(resets)
    watched: NDArray[np.uint8] = (begun & ~resets).astype(np.uint8)
    if not watched[:end].any():
        what_is = "never released behind its reset"
        if resets[:end].all():
            what_is = f"{resetting} all the time"
        raise UsageError(f"{what.vectors}: {reset.port} is {what_is}")
    return watched


def _csv(path: Path, widths: dict[str, int]) -> list[Row]:
    """Read a table: a column for each port, a row for each cycle.

    An empty cell is what stood above it. In a table of one column that would be an empty line,
    which can as well mean nothing: it is refused.
    """
    try:
        with path.open(newline="") as file:
            reader = csv.reader(file)
            lines = [
                (reader.line_num, [cell.strip() for cell in cells])
                for cells in reader
                if not (cells and cells[0].lstrip().startswith("#"))
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from error
    head = next((index for index, (_, cells) in enumerate(lines) if cells), len(lines))
    if not any(cells for _, cells in lines[head + 1 :]):
        raise UsageError(f"{path}: a line of names and a line for each cycle are needed")
    names = lines[head][1]
    for name in names:
        if name not in widths:
            raise UsageError(f"{path}: no port {name!r}: there are {', '.join(widths)}")
    if len(set(names)) < len(names):
        raise UsageError(f"{path}: a port stands twice in the first line")
    rows: list[Row] = []
    for number, cells in lines[head + 1 :]:
        where = f"{path}:{number}: row {len(rows)}"
        if not cells and len(names) > 1:
            continue
        if not cells:
            raise UsageError(f"{where}: {names[0]}: the line is empty: give the value")
        if len(cells) != len(names):
            raise UsageError(f"{where} has {len(cells)} values, not {len(names)}")
        before = rows[-1] if rows else {}
        rows.append(
            {
                name: before[name]
                if not cell and before
                else _bits(cell, widths[name], f"{where}: {name}")
                for name, cell in zip(names, cells, strict=True)
            }
        )
    return rows


def _bits(text: str, width: int, where: str) -> str:
    """Return a number as C or Verilog writes it, as bits."""
    if text.lower() == "x":
        return "x" * width
    found = _NUMBER.fullmatch(text.replace("_", ""))
    written = found and (found["base"] or found["prefix"])
    base = _BASES[(written or "d").lower()]
    if not found or not set(found["digits"].lower()) <= set(_DIGITS[:base]):
        raise UsageError(f"{where}: {text!r} is no number")
    digits = found["digits"]
    value = int(digits, base)
    if not written and value and digits.startswith("0"):
        told = "is octal in C and decimal in Verilog: write it without the zero, or as 0o..."
        raise UsageError(f"{where}: {text} {told}")
    size = int(found["size"] or width)
    if value >> min(size, width):
        raise UsageError(f"{where}: {text} has more than {min(size, width)} bits")
    return f"{value:0{width}b}"
