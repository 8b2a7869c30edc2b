"""Layouts as tables of a README, between markers."""

import re
from collections.abc import Mapping
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.layout.read import Field, Layout

_PLACE = re.compile(r"(<!-- layout (\w+) -->\n).*?(<!-- end -->)", re.S)

_WORDS = {"tile_descriptor": "w", "tile_extension": "e"}
"""What words are called in the text, by type."""


def filled(path: Path, layouts: Mapping[str, Layout]) -> str:
    """Return a text with a table of every layout in the place that has its name.

    Raises:
        CryptileError: it names what there is not, or a layout has no place.
    """
    text = path.read_text()
    names = [found[2] for found in _PLACE.finditer(text)]
    if sorted(names) != sorted(layouts):
        wanted = ", ".join(layouts)
        raise CryptileError(f"{path}: places for tables of {', '.join(names)}, not {wanted}")
    return _PLACE.sub(lambda found: f"{found[1]}{_table(layouts[found[2]])}{found[3]}", text)


def _table(layout: Layout) -> str:
    rows = "".join(_row(layout, field) for field in layout.fields.values())
    word = "word | " if layout.name in _WORDS else ""
    rule = "|---" * (4 if word else 3)
    return f"| {word}bits | field | |\n{rule}|\n{rows}"


def _row(layout: Layout, field: Field) -> str:
    prefix, low = _WORDS.get(layout.name), field.low
    first = ""
    if prefix:
        word, low = divmod(low, 64)
        last = field.high // 64
        first = f"{prefix}{word} | " if word == last else f"{prefix}{word}, {prefix}{last} | "
    high = low + field.width - 1
    bits = str(low) if high == low else f"{high}:{low}"
    return f"| {first}{bits} | `{field.name}` | {field.about} |\n"
