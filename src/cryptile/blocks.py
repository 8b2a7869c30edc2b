"""Draws block diagrams in SVG from ``docs/blocks``: boxes on a grid, and wires between them.

The colours follow the reader's choice of light or dark.
"""

from html import escape
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cryptile.project import ROOT

SOURCES = Path("docs/blocks")
TARGETS = Path("docs/images")

_UNIT, _LINE, _EDGE = 20, 17, 10
"""Pixels: of the grid, from one line of text to the next, around the drawing."""

_TEXT = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
  <title>{title}</title>
  <style>
    rect {{ stroke: #55606e; stroke-width: 1.2; }}
    .engine {{ fill: #dbe9f9; }} .core {{ fill: #e4f2df; }} .part {{ fill: #f3f4f6; }}
    .port {{ fill: #fbe6c8; }} .frame {{ fill: none; stroke-dasharray: 5 4; }}
    .w {{ stroke: #55606e; stroke-width: 1.5; fill: none; }} .h {{ fill: #55606e; }}
    text {{ font: 12.5px system-ui, sans-serif; fill: #17202b; text-anchor: middle; }}
    .t {{ font-weight: 600; }} .f {{ text-anchor: start; font-weight: 600; }}
    .l {{ font-size: 11.5px; paint-order: stroke; stroke: #fff; stroke-width: 4px; }}
    @media (prefers-color-scheme: dark) {{
      rect, .w {{ stroke: #97a4b5; }} .h {{ fill: #97a4b5; }}
      .engine {{ fill: #1f3a57; }} .core {{ fill: #24402a; }} .part {{ fill: #2a313b; }}
      .port {{ fill: #55401f; }} text {{ fill: #eef2f7; }} .l {{ stroke: #1e2129; }}
    }}
  </style>
  <defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
    orient="auto-start-reverse"><path class="h" d="M0 0L8 4L0 8Z"/></marker></defs>
{drawn}
</svg>
"""

Pair = tuple[float, float]


class Box(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A block, in units of the grid; the first line of its text is its name."""

    at: Pair
    size: Pair
    text: Annotated[str, Meta(min_length=1)]
    kind: Literal["engine", "core", "part", "port", "frame"] = "part"

    @property
    def end(self) -> Pair:
        """Its lower right corner."""
        return self.at[0] + self.size[0], self.at[1] + self.size[1]


class Wire(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What connects two blocks.

    It is straight if they face each other and no ``bend`` is said; else it leaves the first one
    sideways, or up or down, and has one bend. ``place`` is the coordinate of its first straight
    part, if not in the middle.
    """

    start: str
    end: str
    label: str = ""
    heads: Literal["end", "both", "none"] = "end"
    place: float | None = None
    bend: Literal["", "sideways", "down"] = ""


class Diagram(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A drawing."""

    title: str
    boxes: dict[str, Box]
    wires: list[Wire] = []


def files() -> dict[Path, str]:
    """Return the text of every drawing by its path below the checkout."""
    return {
        TARGETS / f"{source.stem}_blocks.svg": draw(source.read_bytes())
        for source in sorted((ROOT / SOURCES).glob("*.yaml"))
    }


def draw(text: bytes) -> str:
    """Return the drawing of a diagram."""
    diagram = msgspec.yaml.decode(text, type=Diagram)
    boxes = diagram.boxes
    # Frames are behind what they hold.
    ordered = sorted(boxes.values(), key=lambda box: box.kind != "frame")
    drawn = [line for box in ordered for line in _box(box)]
    lines, labels = [], []
    for wire in diagram.wires:
        points = _points(boxes[wire.start], boxes[wire.end], wire)
        lines.append(_line(points, wire))
        labels += _label(points, wire.label)
    width, height = (max(box.end[axis] for box in ordered) * _UNIT + 2 * _EDGE for axis in (0, 1))
    return _TEXT.format(
        width=f"{width:g}",
        height=f"{height:g}",
        title=escape(diagram.title),
        drawn="\n".join(f"  {line}" for line in (*drawn, *lines, *labels)),
    )


def _pixels(units: float) -> str:
    return f"{units * _UNIT + _EDGE:g}"


def _box(box: Box) -> list[str]:
    (x, y), (width, height) = box.at, box.size
    found = [
        f'<rect class="{box.kind}" x="{_pixels(x)}" y="{_pixels(y)}" '
        f'width="{width * _UNIT:g}" height="{height * _UNIT:g}" rx="5"/>'
    ]
    lines = box.text.splitlines()
    if box.kind == "frame":
        return [
            *found,
            f'<text class="f" x="{_pixels(x + 0.4)}" y="{_pixels(y + 0.9)}">'
            f"{escape(lines[0])}</text>",
        ]
    middle = (y + height / 2) * _UNIT + _EDGE - (len(lines) - 1) * _LINE / 2 + 4.5
    for number, line in enumerate(lines):
        name = "" if number else ' class="t"'
        found.append(
            f'<text{name} x="{_pixels(x + width / 2)}" y="{middle + number * _LINE:g}">'
            f"{escape(line)}</text>"
        )
    return found


def _points(start: Box, end: Box, wire: Wire) -> list[Pair]:
    """Return the corners of a wire."""
    for axis in (0, 1):
        low = max(start.at[axis], end.at[axis])
        high = min(start.end[axis], end.end[axis])
        if low < high and not wire.bend:
            across = (low + high) / 2 if wire.place is None else wire.place
            along = (
                _facing(start, end.at[1 - axis], 1 - axis),
                _facing(end, start.at[1 - axis], 1 - axis),
            )
            return [_point(axis, across, value) for value in along]
    axis = 0 if wire.bend == "down" else 1
    across = _middle(start, axis) if wire.place is None else wire.place
    along_end = _middle(end, 1 - axis)
    return [
        _point(axis, across, _facing(start, along_end, 1 - axis)),
        _point(axis, across, along_end),
        _point(axis, _facing(end, across, axis), along_end),
    ]


def _point(axis: int, value: float, other: float) -> Pair:
    """Return a point by a coordinate and the one of the other axis."""
    return (value, other) if axis == 0 else (other, value)


def _middle(box: Box, axis: int) -> float:
    return box.at[axis] + box.size[axis] / 2


def _facing(box: Box, towards: float, axis: int) -> float:
    """Return the edge of a box that looks towards a coordinate."""
    return box.end[axis] if towards >= box.end[axis] else box.at[axis]


def _line(points: list[Pair], wire: Wire) -> str:
    path = "L".join(f"{_pixels(x)} {_pixels(y)}" for x, y in points)
    heads = {"end": ("end",), "both": ("start", "end"), "none": ()}[wire.heads]
    markers = "".join(f' marker-{head}="url(#a)"' for head in heads)
    return f'<path class="w" d="M{path}"{markers}/>'


def _label(points: list[Pair], label: str) -> list[str]:
    """Return the text at the first part of a wire."""
    if not label:
        return []
    (x, y), (to_x, to_y) = points[:2]
    lines = label.splitlines()
    top = (y + to_y) / 2 * _UNIT + _EDGE + 4 - (len(lines) - 1) * _LINE / 2
    if y == to_y:
        top -= _LINE / 2 + 2 + (len(lines) - 1) * _LINE / 2
    return [
        f'<text class="l" x="{_pixels((x + to_x) / 2)}" y="{top + number * _LINE:g}">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    ]
