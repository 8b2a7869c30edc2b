"""The heat map of a campaign: registers by time, as SVG."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cryptile.faults.campaign import Campaign
from cryptile.faults.shard import BAD, CLASSES, Verdict
from cryptile.faults.store import Summary

Cells = NDArray[np.float64]

_ROWS = 80
_CELL, _ROW, _LEFT = 7, 14, 330


def svg(what: Campaign, summary: Summary, register: Callable[[str], str]) -> str:
    """Return a picture with a row per register and a column per time bin.

    Registers beyond the first 80, ordered by how much went wrong, share the last row.
    """
    groups: dict[str, int] = {}
    group = np.array([groups.setdefault(register(name), len(groups)) for name in what.sites.names])
    bins = -(-(what.end - what.first) // what.bin_cycles)
    counts = np.zeros((len(groups), bins, CLASSES))
    rows = summary.by_bin
    np.add.at(counts, (group[rows[:, 0]], rows[:, 1], rows[:, 2]), rows[:, 3])
    names = list(groups)
    bad = counts[:, :, list(BAD)].sum(axis=(1, 2))
    order = sorted(range(len(names)), key=lambda index: (-bad[index], names[index]))
    shown, rest = order[: _ROWS - 1], order[_ROWS - 1 :]
    lines = [(names[index], counts[index]) for index in shown]
    if rest:
        lines.append((f"{len(rest)} more", counts[rest].sum(axis=0)))
    width, height = _LEFT + _CELL * bins, _ROW * (len(lines) + 1)
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" font-size="10" '
        'font-family="ui-monospace,monospace">'
    ]
    for row, (name, cells) in enumerate(lines):
        text = name if len(name) <= 52 else "..." + name[-49:]
        parts.append(f'<text x="0" y="{_ROW * row + 10}">{text.replace("&", "&amp;")}</text>')
        parts += _cells(cells, _ROW * row)
    low, high = what.first, what.end - 1
    y = height - 3
    parts.append(f'<text x="{_LEFT}" y="{y}">{low}</text>')
    parts.append(f'<text x="{width}" y="{y}" text-anchor="end">cycle {high}</text></svg>')
    return "".join(parts)


def _cells(cells: Cells, y: int) -> list[str]:
    """Draw one row; neighbours of one colour are one rectangle."""
    colors = [_color(cell) for cell in cells]
    parts, start = [], 0
    for index in range(1, len(colors) + 1):
        if index == len(colors) or colors[index] != colors[start]:
            x, width = _LEFT + _CELL * start, _CELL * (index - start)
            box = f'x="{x}" y="{y}" width="{width}" height="{_ROW - 1}"'
            parts.append(f'<rect {box} fill="{colors[start]}"/>')
            start = index
    return parts


def _color(cell: Cells) -> str:
    """Mix the colour of a cell from the shares of its classes, in sixteen steps."""
    total = cell.sum()
    if not total:
        return "#fff"
    shades = (
        (cell[list(BAD)].sum(), (192, 57, 43)),
        (cell[Verdict.corrected], (46, 139, 87)),
        (cell[Verdict.detected] + cell[Verdict.false_alarm], (47, 111, 176)),
        (cell[Verdict.latent], (224, 176, 64)),
    )
    mixed = [238.0, 238.0, 238.0]
    for count, shade in shades:
        # The least share must be seen.
        share = max(np.ceil(16 * count / total) / 16, 0.2) if count else 0.0
        mixed = [old + (new - old) * share for old, new in zip(mixed, shade, strict=True)]
    return "#" + "".join(f"{round(value):02x}" for value in mixed)
