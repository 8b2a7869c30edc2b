"""Merges the coverage of every simulation of a test session and sums it up by RTL file."""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from cryptile.project import ROOT

FIELD = re.compile("\x01([a-zA-Z]+)\x02([^\x01\x02']*)")
EXCLUDED = ("/gen/",)
"""Generated register blocks: their generator has its own tests."""


@dataclass
class Tally:
    """Coverage points of one file."""

    hit: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """Share of points that were reached."""
        return self.hit / self.total if self.total else 1.0


def summarise(folder: Path) -> dict[str, Tally]:
    """Return a tally per file of our own RTL, over line and toggle points of all instances.

    A point is one line branch, or one direction of one bit of one signal, of one file; it is hit
    when any simulation, any instance and any parameter set reached it.
    """
    points: dict[tuple[str, ...], int] = defaultdict(int)
    for data in sorted(folder.glob("*.dat")):
        for line in data.read_text(errors="replace").splitlines():
            if not line.startswith("C '"):
                continue
            fields = dict(FIELD.findall(line))
            path = Path(fields.get("f", ""))
            if not path.is_relative_to(ROOT / "rtl") and not path.is_relative_to(ROOT / "soc"):
                continue
            name = str(path.relative_to(ROOT))
            if any(part in name for part in EXCLUDED):
                continue
            kind = fields.get("page", "").split("/")[0]
            key = (name, kind, fields.get("l", ""), fields.get("n", ""), fields.get("o", ""))
            points[key] += int(line.rsplit(" ", 1)[1])
    tallies: dict[str, Tally] = defaultdict(Tally)
    for (name, *_), count in points.items():
        tallies[name].total += 1
        tallies[name].hit += count > 0
    return dict(sorted(tallies.items()))


def total(tallies: dict[str, Tally]) -> Tally:
    """Sum tallies up."""
    return Tally(sum(t.hit for t in tallies.values()), sum(t.total for t in tallies.values()))
