"""Writes measured figures into documents, between markers.

In a line::

    takes <!-- figure stream {metric: cycles, impl: opt, bytes: 64} -->407<!-- end --> cycles

A table, whose cells have the words of the table, their row and their column together; of a word in
several of them the last counts::

    <!-- figures mcu
    heading: cycles
    where: {wait: poll}
    columns:
      compact C: {impl: compact}
      pipelined: {impl: pipelined, bold: true}
    rows:
      N = 32 blocks: {metric: cycles, blocks: 32}
      a further block: {metric: further_block}
    -->
    (the table, made anew)
    <!-- end -->

Words are a record's ``metric`` and ``params``. Beside them ``from: published`` takes a figure that
others printed, ``from: public code`` one of their code that was measured here, ``over`` has words
of another figure that it is divided by, ``as`` is a Python format, ``bold`` makes it bold, ``mark``
is put behind what is extrapolated, and ``blank`` of a row lists the columns that have no figure
there. A word with several values gives several figures; one that is null is not asked for.
"""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from cryptile.catalog.read import UniqueLoader
from cryptile.errors import CryptileError, UsageError
from cryptile.figures.select import Figures, text
from cryptile.project import ROOT

_LINE = re.compile(r"(<!-- figure (\w+) (\{.*?\}) -->)(.*?)(<!-- end -->)")
_TABLE = re.compile(r"(<!-- figures (\w+)\n(.*?)\n-->\n)(.*?)(<!-- end -->)", re.DOTALL)
_OPENING = re.compile(r"<!-- figures? ")


class _Table(msgspec.Struct, forbid_unknown_fields=True):
    columns: dict[str, dict[str, Any]]
    rows: dict[str, dict[str, Any]]
    heading: str = ""
    where: dict[str, Any] = {}


def documents(root: Path = ROOT) -> list[Path]:
    """Return the Markdown files of the checkout that state figures."""
    listed = subprocess.run(
        ["git", "-C", root, "grep", "-lE", "<!-- figures? ", "--", "*.md"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode > 1:  # 1: there are none
        raise UsageError(f"cannot search the documents: {listed.stderr.strip()}")
    return [root / name for name in listed.stdout.split()]


def stale(paths: Iterable[Path], figures: Figures) -> dict[Path, str]:
    """Return the documents that state other figures than the records, and what they should be."""
    made = {path: write(path, figures) for path in paths}
    return {path: text for path, text in made.items() if text != path.read_text()}


def write(path: Path, figures: Figures) -> str:
    """Return a document with its figures as the records have them.

    Raises:
        UsageError: a marker is not closed, is no YAML, or names no figure; says which.
    """
    whole = path.read_text()

    def fill(match: re.Match[str]) -> str:
        try:
            made = _filled(figures, *match.group(2, 3), table=match.re is _TABLE)
        except (CryptileError, msgspec.ValidationError, yaml.YAMLError) as error:
            line = whole[: match.start()].count("\n") + 1
            reason = " ".join(str(error).split())
            raise UsageError(f"{path}, near line {line}: {reason}") from error
        return match.group(1) + made + match.group(5)

    matched = len(_LINE.findall(whole)) + len(_TABLE.findall(whole))
    if matched != len(_OPENING.findall(whole)):
        raise UsageError(f"{path}: a marker of figures is not as it should be, or has no end")
    return _TABLE.sub(fill, _LINE.sub(fill, whole))


def _filled(figures: Figures, suite: str, words: str, *, table: bool) -> str:
    asked = yaml.load(words, UniqueLoader)
    if not table:
        return text(figures, suite, asked)
    spec = msgspec.convert(asked, _Table)
    depth = spec.heading.count("|") + 1
    heads = [spec.heading, *spec.columns]
    lines = [
        f"| {' | '.join(heads)} |",
        f"|{'|'.join(['---'] * depth + ['---:'] * len(spec.columns))}|",
    ]
    for name, row in spec.rows.items():
        blank = row.get("blank", [])
        if unknown := set(blank) - spec.columns.keys():
            raise UsageError(f"blank: no column is named {', '.join(sorted(unknown))}")
        row = {word: value for word, value in row.items() if word != "blank"}
        cells = [
            "" if column in blank else text(figures, suite, {**spec.where, **row, **words})
            for column, words in spec.columns.items()
        ]
        lines.append(f"| {' | '.join([name, *cells])} |")
    return "\n".join(lines) + "\n"
