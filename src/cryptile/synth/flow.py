"""Runs every wanted synthesis on all processors, cached by content."""

import json
import os
import statistics
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from functools import partial
from pathlib import Path

from cryptile.errors import CryptileError
from cryptile.project import ROOT
from cryptile.records import Record
from cryptile.synth import ecp5, energy, stdcells, xc7
from cryptile.synth.liberty import Library
from cryptile.synth.points import Point
from cryptile.toolchain import cache, nextpnr, opensta, yosys

Figures = dict[str, float]
UNITS = {
    "lut": "LUT",
    "ff": "flip-flops",
    "bram": "BRAM",
    "kge": "kGE",
    "fmax_mhz": "MHz",
    "cycles_per_block": "cycles",
    "mb_per_s": "MB/s",
    "power_mw": "mW",
    "mj_per_mb": "mJ/MB",
    "mj_per_mb_settled": "mJ/MB",
}
"""Unit by metric. A block is 64 bytes, a megabyte 1,000,000 bytes."""

_RESULT = "result.json"


class Fpga(StrEnum):
    """The FPGA families."""

    xc7 = "xc7"
    ecp5 = "ecp5"


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes:
        points: the designs.
        fpgas: for these FPGA families.
        libraries: and these standard-cell libraries.
        seeds: number of nextpnr runs per design; 0 for none.
        routed: designs to place and route.
        energy: simulate those with jobs in their netlists of standard cells.
    """

    points: list[Point]
    fpgas: list[Fpga]
    libraries: list[Library]
    seeds: int
    routed: list[Point] = field(default_factory=list)
    energy: bool = False

    @property
    def steps(self) -> int:
        """Number of tool runs when nothing is cached."""
        routes = len(self.routed) * self.seeds if Fpga.ecp5 in self.fpgas else 0
        jobs = sum(point.jobs is not None for point in self.points) if self.energy else 0
        each = len(self.fpgas) + len(self.libraries)
        each += len(self.libraries)  # whose netlists are timed
        return len(self.points) * each + routes + jobs * len(self.libraries)

    def conditions(self) -> dict[str, str]:
        """Return the conditions by technology."""
        texts = {Fpga.xc7: xc7.CONDITIONS, Fpga.ecp5: ecp5.CONDITIONS}
        return {
            **{str(fpga): texts[fpga] for fpga in self.fpgas},
            **{library.tech: stdcells.conditions(library) for library in self.libraries},
            **({"energy": energy.CONDITIONS} if self.energy else {}),
        }

    def tools(self) -> dict[str, str]:
        """Return the versions of the tools that take part; a missing one fails here."""
        versions = {"yosys": yosys.version()}
        if self.libraries:
            versions["opensta"] = opensta.version()
        if Fpga.ecp5 in self.fpgas and self.seeds:
            versions["nextpnr"] = nextpnr.version()
        return versions


class _Step(Enum):
    """What a running job finds out."""

    AREA = auto()
    CLOCK = auto()
    ROUTE = auto()
    ENERGY = auto()


def run(
    plan: Plan,
    on_done: Callable[[str], None],
    on_trouble: Callable[[str], None],
    workers: int | None = None,
) -> list[Record]:
    """Carry a plan out and return its records; ``on_done`` hears of every finished step.

    A netlist that cannot be timed keeps its area; ``on_trouble`` hears why it has no clock.
    """
    versions = plan.tools()
    routes: dict[tuple[Point, str], list[float]] = {}
    figures: dict[tuple[Point, str], Figures] = {}
    measured: dict[tuple[Point, str], Figures] = {}
    libraries = {library.tech: library for library in plan.libraries}
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        waiting: dict[Future[Figures], tuple[Point, str, _Step]] = {}

        def start(point: Point, tech: str, job: Callable[[], Figures], step: _Step) -> None:
            waiting[pool.submit(job)] = (point, tech, step)

        try:
            # The netlists that place and route waits for come first.
            for point in plan.points:
                if Fpga.ecp5 in plan.fpgas:
                    start(point, "ecp5", partial(_fpga, Fpga.ecp5, point, versions), _Step.AREA)
            for point in plan.points:
                if Fpga.xc7 in plan.fpgas:
                    start(point, "xc7", partial(_fpga, Fpga.xc7, point, versions), _Step.AREA)
                for library in plan.libraries:
                    job = partial(_cells, point, library, versions)
                    start(point, library.tech, job, _Step.AREA)
            while waiting:
                future = next(as_completed(waiting))
                point, tech, step = waiting.pop(future)
                try:
                    result = future.result()
                except CryptileError as error:
                    if step is not _Step.CLOCK:
                        raise
                    on_trouble(f"{point.label} {tech} has no clock: {error}")
                    result = {}
                on_done(f"{point.label} {tech}")
                if step is _Step.ROUTE:
                    routes.setdefault((point, tech), []).append(result["fmax_mhz"])
                    continue
                if step is _Step.ENERGY:
                    measured[point, tech] = result
                    continue
                figures.setdefault((point, tech), {}).update(result)
                if step is _Step.CLOCK:
                    continue
                if tech in libraries:
                    start(
                        point, tech, partial(_clock, point, libraries[tech], versions), _Step.CLOCK
                    )
                if tech == "ecp5" and point in plan.routed:
                    for seed in range(1, plan.seeds + 1):
                        start(point, tech, partial(_route, point, seed, versions), _Step.ROUTE)
                if plan.energy and tech in libraries and point.jobs:
                    job = partial(_energy, point, libraries[tech], versions)
                    start(point, tech, job, _Step.ENERGY)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for key, values in routes.items():
        figures[key]["fmax_mhz"] = round(statistics.median(values), 1)
    _add_energy(figures, measured)
    order = [*map(str, plan.fpgas), *libraries]
    return [
        Record("synth", metric, value, UNITS[metric], _params(point, tech, plan.seeds, metric))
        for point in plan.points
        for tech in order
        for metric, value in figures[point, tech].items()
    ]


def _add_energy(
    figures: dict[tuple[Point, str], Figures], measured: dict[tuple[Point, str], Figures]
) -> None:
    for (point, tech), result in measured.items():
        if "fmax_mhz" not in figures[point, tech]:
            continue
        figures[point, tech] |= energy.figures(result, figures[point, tech]["fmax_mhz"])
        fpga = figures.get((point, "ecp5"), {})
        if "fmax_mhz" in fpga:
            # Cycles are the design's, not the technology's.
            fpga["cycles_per_block"] = figures[point, tech]["cycles_per_block"]
            fpga["mb_per_s"] = round(energy.rate(result, fpga["fmax_mhz"]), 2)


def _params(point: Point, tech: str, seeds: int, metric: str) -> dict[str, object]:
    params: dict[str, object] = {
        "design": point.design,
        "impl": point.variant,
        "config": point.config,
        "protect": point.protect,
        "tech": tech,
    }
    if tech == "ecp5" and metric == "fmax_mhz":
        params["seeds"] = seeds
    return params


def _cached(
    tech: str, point: Point, settings: tuple[object, ...], make: Callable[[Path], Figures]
) -> tuple[Path, Figures]:
    def build(folder: Path) -> None:
        (folder / _RESULT).write_text(json.dumps(make(folder)))

    sources = point.sources
    key = cache.digest(sources.inputs, point.label, settings)
    what = f"{point.label} for {tech}"
    folder = cache.build(f"synth/{tech}", key, build, what=what)
    return folder, json.loads((folder / _RESULT).read_text())


def _commands(script: Callable[[Path], list[str]]) -> tuple[str, ...]:
    """Return a script as part of a cache key: for a folder that is always the same."""
    return tuple(script(ROOT))


def _fpga_folder(fpga: Fpga, point: Point, versions: dict[str, str]) -> tuple[Path, Figures]:
    module = {Fpga.xc7: xc7, Fpga.ecp5: ecp5}[fpga]
    settings = (_commands(partial(module.script, point)), versions["yosys"])
    return _cached(fpga, point, settings, partial(module.synthesise, point))


def _fpga(fpga: Fpga, point: Point, versions: dict[str, str]) -> Figures:
    return _fpga_folder(fpga, point, versions)[1]


def _cells(point: Point, library: Library, versions: dict[str, str]) -> Figures:
    return _cells_folder(point, library, versions)[1]


def _energy(point: Point, library: Library, versions: dict[str, str]) -> Figures:
    netlist = _cells_folder(point, library, versions)[0] / stdcells.NETLIST

    def build(folder: Path) -> None:
        result = energy.measure(point, library, netlist, folder)
        (folder / _RESULT).write_text(json.dumps(result))

    key = cache.digest([netlist, *energy.CODE], library.text, point.label)
    result: Figures = json.loads((cache.build("synth/energy", key, build) / _RESULT).read_text())
    return result


def _cells_folder(point: Point, library: Library, versions: dict[str, str]) -> tuple[Path, Figures]:
    settings = (
        _commands(partial(stdcells.script, point, library)),
        library.text,
        library.nand2,
        stdcells.LOAD_FF,
        versions["yosys"],
    )
    make = partial(stdcells.area, point, library)
    return _cached(library.tech, point, settings, make)


def _clock(point: Point, library: Library, versions: dict[str, str]) -> Figures:
    netlist = _cells_folder(point, library, versions)[0] / stdcells.NETLIST
    settings = (stdcells.timing(point, library), library.text, versions)
    make = partial(stdcells.clock, point, library, netlist)
    return _cached(f"{library.tech}-clock", point, settings, make)[1]


def _route(point: Point, seed: int, versions: dict[str, str]) -> Figures:
    netlist = _fpga_folder(Fpga.ecp5, point, versions)[0] / ecp5.NETLIST
    settings = (
        nextpnr.OPTIONS,
        seed,
        versions,
        _commands(partial(ecp5.script, point)),
    )
    make = partial(nextpnr.place_and_route, netlist, point.clock, seed)
    return _cached("nextpnr", point, settings, make)[1]
