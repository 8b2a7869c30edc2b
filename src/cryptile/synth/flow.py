"""Runs every wanted synthesis on all processors, cached by content."""

import json
import os
import statistics
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from pathlib import Path

from cryptile import cache
from cryptile.project import ROOT
from cryptile.records import Record
from cryptile.synth import ecp5, nextpnr, opensta, stdcells, xc7, yosys
from cryptile.synth.designs import Point
from cryptile.synth.liberty import Library

Figures = dict[str, float]
UNITS = {
    "lut": "LUT", "ff": "flip-flops", "bram": "BRAM", "kge": "kGE", "fmax_mhz": "MHz",
    "cycles_per_block": "cycles", "mb_per_s": "MB/s", "power_mw": "mW", "mj_per_mb": "mJ/MB",
}  # fmt: skip
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
    """

    points: list[Point]
    fpgas: list[Fpga]
    libraries: list[Library]
    seeds: int
    routed: list[Point] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """Number of tool runs when nothing is cached."""
        routes = len(self.routed) * self.seeds if Fpga.ecp5 in self.fpgas else 0
        return len(self.points) * (len(self.fpgas) + len(self.libraries)) + routes

    def conditions(self) -> dict[str, str]:
        """Return the conditions by technology."""
        texts = {Fpga.xc7: xc7.CONDITIONS, Fpga.ecp5: ecp5.CONDITIONS}
        return {
            **{str(fpga): texts[fpga] for fpga in self.fpgas},
            **{library.tech: stdcells.conditions(library) for library in self.libraries},
        }

    def tools(self) -> dict[str, str]:
        """Return the versions of the tools that take part; a missing one fails here."""
        versions = {"yosys": yosys.version()}
        if self.libraries:
            versions["opensta"] = opensta.version()
        if Fpga.ecp5 in self.fpgas and self.seeds:
            versions["nextpnr"] = nextpnr.version()
        return versions


def run(plan: Plan, on_done: Callable[[str], None], workers: int | None = None) -> list[Record]:
    """Carry a plan out and return its records; ``on_done`` hears of every finished step."""
    versions = plan.tools()
    routes: dict[tuple[Point, str], list[float]] = {}
    figures: dict[tuple[Point, str], Figures] = {}
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        waiting: dict[Future[Figures], tuple[Point, str, bool]] = {}

        def start(point: Point, tech: str, job: Callable[[], Figures], is_route: bool) -> None:
            waiting[pool.submit(job)] = (point, tech, is_route)

        try:
            # The netlists that place and route waits for come first.
            for point in plan.points:
                if Fpga.ecp5 in plan.fpgas:
                    start(point, "ecp5", partial(_fpga, Fpga.ecp5, point, versions), False)
            for point in plan.points:
                if Fpga.xc7 in plan.fpgas:
                    start(point, "xc7", partial(_fpga, Fpga.xc7, point, versions), False)
                for library in plan.libraries:
                    job = partial(_cells, point, library, versions)
                    start(point, library.tech, job, False)
            while waiting:
                future = next(as_completed(waiting))
                point, tech, is_route = waiting.pop(future)
                result = future.result()
                on_done(f"{point.label} {tech}")
                if is_route:
                    routes.setdefault((point, tech), []).append(result["fmax_mhz"])
                    continue
                figures[point, tech] = result
                if tech == "ecp5" and point in plan.routed:
                    for seed in range(1, plan.seeds + 1):
                        start(point, tech, partial(_route, point, seed, versions), True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for key, values in routes.items():
        figures[key]["fmax_mhz"] = round(statistics.median(values), 1)
    order = [*map(str, plan.fpgas), *(library.tech for library in plan.libraries)]
    return [
        Record("synth", metric, value, UNITS[metric], _params(point, tech, plan.seeds, metric))
        for point in plan.points
        for tech in order
        for metric, value in figures[point, tech].items()
    ]


def _params(point: Point, tech: str, seeds: int, metric: str) -> dict[str, object]:
    params: dict[str, object] = {
        "design": point.design,
        "impl": point.impl,
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
    key = cache.digest(sources.files, point.label, settings)
    folder = cache.build(f"synth/{tech}", key, build)
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
    settings = (
        _commands(partial(stdcells.script, point, library)),
        opensta.script(point.top, library.buffer, stdcells.LOAD_FF),
        library.text,
        library.nand2,
        stdcells.LOAD_FF,
        versions["yosys"],
        versions["opensta"],
    )
    make = partial(stdcells.synthesise, point, library)
    return _cached(library.tech, point, settings, make)[1]


def _route(point: Point, seed: int, versions: dict[str, str]) -> Figures:
    netlist = _fpga_folder(Fpga.ecp5, point, versions)[0] / ecp5.NETLIST
    settings = (
        nextpnr.OPTIONS,
        seed,
        versions,
        _commands(partial(ecp5.script, point)),
    )
    make = partial(nextpnr.place_and_route, netlist, "clk_i", seed)
    return _cached("nextpnr", point, settings, make)[1]
