"""The rules of the engine port, on every engine of the catalogue."""

from pathlib import Path

import pytest
from support.engine_points import chosen, points, run_point
from support.shell_jobs import steps

from cryptile import catalog
from cryptile.catalog import Level

ENGINES = [name for name, engine in catalog.engines().items() if engine.rtl]
IN_STEP = ENGINES[:2]
"""Engines of which three in step are looked at here. The wrapper, the same around all, is what that
is about: the others are for ``make soak``."""


def cases():
    for engine in ENGINES:
        few = chosen(engine)
        for point in points(engine):
            step = point.level == Level.tmr and engine not in IN_STEP
            quick = point in few and not step and not steps(engine)
            marks = [] if quick else [pytest.mark.soak]
            yield pytest.param(point, id="-".join(point), marks=marks)


@pytest.mark.parametrize("point", list(cases()))
def test_port(point):
    run_point(
        point,
        "tb_port",
        test_dir=Path(__file__).parent,
        env={"CRYPTILE_ENGINE_NAME": point.engine, "CRYPTILE_PROTECT": point.level},
    )
