"""The rules of the engine port, on every engine of the catalogue."""

from pathlib import Path

import pytest
from support.engine_points import chosen, points, run_point

from cryptile import catalog

ENGINES = [name for name, engine in catalog.engines().items() if engine.rtl]


def cases():
    for engine in ENGINES:
        few = chosen(engine)
        for point in points(engine):
            marks = [] if point in few else [pytest.mark.soak]
            yield pytest.param(point, id="-".join(point), marks=marks)


@pytest.mark.parametrize("point", list(cases()))
def test_port(point):
    run_point(
        point,
        "tb_port",
        test_dir=Path(__file__).parent,
        env={"CRYPTILE_ENGINE_NAME": point.engine, "CRYPTILE_PROTECT": point.level},
    )
