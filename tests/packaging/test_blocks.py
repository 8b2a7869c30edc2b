"""Block diagrams are drawings: each is used, legible and without a wire that ends nowhere."""

import itertools
import re
import subprocess

import msgspec
import pytest

from cryptile import blocks
from cryptile.project import ROOT

SOURCES = sorted((ROOT / blocks.SOURCES).glob("*.yaml"))
LETTER = 7.2
"""Pixels of a bold letter of 12.5 pixels, on the average."""


EPSILON = 1e-6
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
"""Of a document: the language of a block of code and its text, or an indented one."""


def diagram(source):
    return msgspec.yaml.decode(source.read_bytes(), type=blocks.Diagram)


def documents():
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_each_drawing_stands_in_a_document():
    text = "".join(path.read_text() for path in documents())
    for source in SOURCES:
        assert f"/{source.stem}_blocks.svg)" in text, source


def test_no_document_draws_with_letters():
    drawing = re.compile(r"--+>|<--|\+--|--\+|^ +\|[ |]+$|^ +v *$", re.MULTILINE)
    found = []
    for path in documents():
        for language, fenced, indented in BLOCK.findall(path.read_text()):
            if not language and drawing.search(fenced + indented):
                found.append((str(path.relative_to(ROOT)), (fenced + indented)[:80]))
    assert found == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_blocks_are_apart_and_hold_their_text(source):
    boxes = diagram(source).boxes
    for one, other in itertools.combinations(boxes.values(), 2):
        apart = any(one.end[n] <= other.at[n] or other.end[n] <= one.at[n] for n in (0, 1))
        inside = any(
            outer.kind == "frame"
            and all(outer.at[n] <= inner.at[n] and inner.end[n] <= outer.end[n] for n in (0, 1))
            for outer, inner in ((one, other), (other, one))
        )
        assert apart or inside, (one.text, other.text)
    for box in boxes.values():
        lines = box.text.splitlines()
        assert max(map(len, lines)) * LETTER <= box.size[0] * blocks._UNIT, box.text
        assert len(lines) * blocks._LINE <= box.size[1] * blocks._UNIT, box.text


def touches(point, box):
    inside = all(box.at[n] <= point[n] <= box.end[n] for n in (0, 1))
    return inside and any(point[n] in (box.at[n], box.end[n]) for n in (0, 1))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_wires_run_from_edge_to_edge(source):
    drawn = diagram(source)
    assert drawn.wires
    for wire in drawn.wires:
        start, end = drawn.boxes[wire.start], drawn.boxes[wire.end]
        points = blocks._points(start, end, wire)
        assert touches(points[0], start) and touches(points[-1], end), wire
        for one, other in itertools.pairwise(points):
            assert (one[0] == other[0]) != (one[1] == other[1]), wire
        others = [
            box for box in drawn.boxes.values() if box.kind != "frame" and box not in (start, end)
        ]
        assert not [box.text for box in others if crosses(points, box)], wire


def crosses(points, box):
    """Tell whether a wire runs through a block that it does not connect."""
    return any(
        all(min(one[n], other[n]) < box.end[n] and box.at[n] < max(one[n], other[n]) + EPSILON
            for n in (0, 1))
        for one, other in itertools.pairwise(points)
    )  # fmt: skip


def test_what_a_diagram_says_is_no_markup():
    text = b"title: <b>\nboxes: {a: {at: [0, 0], size: [9, 2], text: 'a < b & c'}}"
    assert "a &lt; b &amp; c" in blocks.draw(text)
    assert "<b>" not in blocks.draw(text)
    with pytest.raises(msgspec.ValidationError):
        blocks.draw(text.replace(b"text", b"words"))
