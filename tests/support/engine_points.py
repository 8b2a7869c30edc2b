"""The engines of the catalogue as they are built for tests on their port."""

from pathlib import Path
from typing import NamedTuple

from cryptile import catalog
from cryptile.catalog import Level
from cryptile.designs.source import source
from support.cocotb_runner import run

ENGINES = Path(__file__).parents[1] / "engine"
ORDER = (Level.correct, Level.detect, Level.tmr, Level.none)


class Point(NamedTuple):
    """An engine of the catalogue, one of its variants, and a level of protection."""

    engine: str
    variant: str
    level: str


def points(engine: str) -> list[Point]:
    """List what can be built of an engine. Three in step are the same again: of one variant."""
    design = catalog.designs()[engine]
    return [
        Point(engine, variant, level)
        for level in ORDER
        for variant in design.variants
        if level in design.levels(variant) and (level != Level.tmr or variant == design.default)
    ]


def chosen(engine: str) -> list[Point]:
    """List points with each variant once, the levels in turn, and with three in step."""
    found: list[Point] = []
    for point in points(engine):
        if not any(point.variant == other.variant or point.level == other.level for other in found):
            found.append(point)
    for point in reversed(points(engine)):
        if point.level == Level.tmr or point.variant not in {other.variant for other in found}:
            found.append(point)
    return found


def run_point(
    point: Point,
    module: str,
    *,
    test_dir: Path,
    config: str | None = None,
    env: dict[str, str] | None = None,
    testcase: str | None = None,
) -> None:
    """Run the cocotb tests of a module on an engine, in one model with all others of the same.

    Everything is built in, if no configuration is named. Three engines in step have no coverage.
    """
    name, variant, level = point
    design = catalog.designs()[name]
    made = design.tmr if level == Level.tmr else design.rtl
    full = [word for word, item in catalog.engines()[name].configs.items() if not item.parameters]
    assert made and made.core
    built = source(design, variant, level, config or full[0])
    run(
        made.core,
        built.top,
        module,
        test_dir=test_dir,
        parameters=dict(built.parameters),
        extra_sources=sorted((ENGINES / name).glob("*_coverage.vlt")) if level != Level.tmr else [],
        env=env,
        testcase=testcase,
        light=level == Level.tmr,
        upset=level != Level.none,
    )
