"""Layouts, opcodes and statuses as tables of a README, between markers."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from cryptile.catalog import Ended, Engine
from cryptile.errors import UsageError
from cryptile.layout.read import Field, Layout

_PLACE = re.compile(r"(<!-- layout (\w+) -->\n).*?(<!-- end -->)", re.S)

_WORDS = {"tile_descriptor": "w", "tile_extension": "e"}
"""What words are called in the text, by type."""


def tables(
    layouts: Iterable[Layout], engines: Mapping[str, Engine], jobs: Mapping[str, Ended]
) -> dict[str, str]:
    """Return a table of every layout by the name of its type, of the opcodes and the statuses."""
    return {
        **{layout.name: _table(layout) for layout in layouts},
        "opcodes": _opcodes(engines),
        "statuses": _statuses(jobs),
    }


def filled(path: Path, made: Mapping[str, str]) -> str:
    """Return a text with every table in the place that has its name.

    Raises:
        UsageError: it names what there is not, or a table has no place.
    """
    text = path.read_text()
    names = [found[2] for found in _PLACE.finditer(text)]
    if sorted(names) != sorted(made):
        wanted = ", ".join(made)
        raise UsageError(f"{path}: places for tables of {', '.join(names)}, not {wanted}")
    return _PLACE.sub(lambda found: f"{found[1]}{made[found[2]]}{found[3]}", text)


def _opcodes(engines: Mapping[str, Engine]) -> str:
    rows = "".join(
        f"| {engine.opcode.number} | `{name}` | "
        + ", ".join(f"{mode.number} {word}" for word, mode in engine.modes.items())
        + " |\n"
        for name, engine in engines.items()
        if engine.opcode
    )
    return f"| opcode | engine | modes |\n|---|---|---|\n{rows}"


def _statuses(jobs: Mapping[str, Ended]) -> str:
    rows = "".join(f"| {end.number} | `{name}` | {end.about} |\n" for name, end in jobs.items())
    return f"| status | name | |\n|---|---|---|\n{rows}"


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
