"""Merges the coverage of every simulation of a test session, and holds each RTL file to a floor.

A file is held to 90 % of its points, or to what stands in ``coverage_floors.yaml``, with what its
tests do not reach. Such a floor only rises; a file that is more than two points above it is named.
Points that nothing can reach are named in ``coverage_unreachable.yaml``, and do not count; one
that is reached all the same is a complaint, and so is a name that no point has.
As a program this says the same of the last session, and raises the floors that are to rise.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import yaml

from cryptile.project import BUILD, ROOT

FOLDER = BUILD / "coverage"
"""Data of every simulation."""

WANTED = 90
"""Percent of the points of a file."""

FLOORS = Path(__file__).parents[1] / "coverage_floors.yaml"
UNREACHABLE = Path(__file__).parents[1] / "coverage_unreachable.yaml"
_ROOM = 2.0

_MODULE = re.compile(r"^module ", re.M)
FIELD = re.compile("\x01([a-zA-Z]+)\x02([^\x01\x02']*)")
INSTANCE = "\x01h\x02"
"""What follows names the instance, and is last."""

EXCLUDED = ("/gen/", "_pkg.sv")
"""Generated register blocks, whose generator has its own tests, and functions of packages, most of
which run when a model is built."""


@dataclass
class Tally:
    """Coverage points of one file."""

    hit: int = 0
    total: int = 0

    @property
    def share(self) -> float:
        """Share of points that were reached."""
        return self.hit / self.total if self.total else 1.0


NOTHING = Tally(0, 1)
"""Of a file that no simulation had."""


@dataclass(frozen=True)
class Unreachable:
    """Bits of signals that cannot change; both are regular expressions for whole names."""

    files: re.Pattern[str]
    signals: re.Pattern[str]


class Point(NamedTuple):
    """One line branch, or one direction of one bit of one signal, of one file."""

    file: str
    kind: str
    line: str
    column: str
    comment: str

    @property
    def signal(self) -> str | None:
        """The bit that changes; None: it is no such point."""
        return self.comment.rpartition(":")[0] if self.kind == "v_toggle" else None


def points(folder: Path = FOLDER) -> dict[Point, bool]:
    """Return the line and toggle points of our own RTL, and whether they were reached.

    A point is reached when any simulation, any instance and any parameter set reached it.
    """
    reached: dict[str, bool] = defaultdict(bool)
    for data in folder.glob("*.dat"):
        with data.open(errors="replace") as lines:
            for line in lines:
                if line.startswith("C '"):
                    reached[line.partition(INSTANCE)[0]] |= not line.endswith(("' 0\n", "' 0"))
    found: dict[Point, bool] = defaultdict(bool)
    for place, hit in reached.items():
        fields = dict(FIELD.findall(place))
        name = fields.get("f", "").removeprefix(f"{ROOT}/")
        if not name.startswith(("rtl/", "soc/")) or any(part in name for part in EXCLUDED):
            continue
        kind = fields.get("page", "").split("/")[0]
        found[Point(name, kind, *(fields.get(key, "") for key in "lno"))] |= hit
    return found


def summarise(
    reached: Mapping[Point, bool], unreachable: Sequence[Unreachable] = ()
) -> dict[str, Tally]:
    """Return a tally per file, without what is unreachable.

    A file of ``modules`` that no simulation had is there, with nothing reached.
    """
    named = {point for _, found in _named(reached, unreachable) for point in found}
    tallies: dict[str, Tally] = defaultdict(Tally)
    for point in reached.keys() - named:
        tallies[point.file].total += 1
        tallies[point.file].hit += reached[point]
    for name in modules() - tallies.keys():
        tallies[name] = NOTHING
    return dict(sorted(tallies.items()))


def contradictions(reached: Mapping[Point, bool], unreachable: Sequence[Unreachable]) -> list[str]:
    """Return what is named unreachable and was reached, or is not there, a line each."""
    found = []
    for rule, named in _named(reached, unreachable):
        hit = sorted({f"{point.file}: {point.signal}" for point in named if reached[point]})
        found += [f"{name} is reached, though named unreachable" for name in hit]
        if not named:
            found.append(f"{rule.files.pattern}: no such signal as {rule.signals.pattern}")
    return found


def _named(
    reached: Iterable[Point], unreachable: Sequence[Unreachable]
) -> list[tuple[Unreachable, list[Point]]]:
    """Return each of these with the points that it names."""
    files: dict[str, list[Point]] = defaultdict(list)
    for point in reached:
        files[point.file].append(point)
    return [
        (
            rule,
            [
                point
                for file, all_of_it in files.items()
                if rule.files.fullmatch(file)
                for point in all_of_it
                if point.signal and rule.signals.fullmatch(point.signal)
            ],
        )
        for rule in unreachable
    ]


def unreachable() -> list[Unreachable]:
    """Return what no test can reach."""
    return [
        Unreachable(re.compile(entry["files"]), re.compile(signals))
        for entry in yaml.safe_load(UNREACHABLE.read_text())
        for signals in entry["signals"]
    ]


def floors() -> dict[str, int]:
    """Return the floor of each file that is not held to ``WANTED``, in percent."""
    return {name: entry["floor"] for name, entry in yaml.safe_load(FLOORS.read_text()).items()}


def modules() -> set[str]:
    """Return the files that are to be measured: those of ``rtl`` with a module."""
    files = {str(path.relative_to(ROOT)): path for path in (ROOT / "rtl").rglob("*.sv")}
    return {
        name
        for name, path in files.items()
        if not any(part in name for part in EXCLUDED) and _MODULE.search(path.read_text())
    }


def complaints(tallies: Mapping[str, Tally], floors: Mapping[str, int]) -> list[str]:
    """Return which files are below their floors, a line each."""
    found = []
    for name in sorted(tallies.keys() | floors.keys()):
        percent, floor = 100 * tallies.get(name, NOTHING).share, floors.get(name, WANTED)
        if percent < floor:
            found.append(f"{name}: {percent:.1f} %, below {floor} %")
    return found


def risen(tallies: Mapping[str, Tally], floors: Mapping[str, int]) -> list[str]:
    """Return which files are so far above their floors that these should rise, a line each."""
    shares = {name: 100 * tallies.get(name, NOTHING).share for name in floors}
    return [
        f"{name}: {shares[name]:.1f} %, so that its floor of {floor} % is to rise"
        for name, floor in sorted(floors.items())
        if shares[name] > floor + _ROOM or shares[name] >= WANTED
    ]


def total(tallies: Mapping[str, Tally]) -> Tally:
    """Sum tallies up."""
    return Tally(sum(t.hit for t in tallies.values()), sum(t.total for t in tallies.values()))


def report(tallies: Mapping[str, Tally]) -> list[str]:
    """Return a line for each file, and one for all."""
    lines = {**tallies, "all": total(tallies)}.items()
    return [f"{tally.share:7.1%} {tally.hit:7}/{tally.total:<7} {name}" for name, tally in lines]


def raised(text: str, tallies: Mapping[str, Tally]) -> str:
    """Return the text of the floors with those raised that files are above; none is lowered."""
    for name, floor in floors().items():
        percent = int(100 * tallies.get(name, NOTHING).share)
        if floor < percent < WANTED:
            text = text.replace(f"{name}:\n  floor: {floor}\n", f"{name}:\n  floor: {percent}\n")
        elif percent >= WANTED:
            text = re.sub(rf"^{re.escape(name)}:\n(  .*\n)+", "", text, flags=re.M)
    return text


if __name__ == "__main__":
    reached, never = points(), unreachable()
    tallies = summarise(reached, never)
    print(*report(tallies), *complaints(tallies, floors()), sep="\n")
    print(*contradictions(reached, never), *risen(tallies, floors()), sep="\n")
    FLOORS.write_text(raised(FLOORS.read_text(), tallies))
