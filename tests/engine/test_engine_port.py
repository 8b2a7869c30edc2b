"""The rules of the engine port, on every engine of the catalogue."""

from pathlib import Path

import pytest
from support.cocotb_runner import run
from support.engine_points import chosen, points, run_point

from cryptile import catalog

HERE = Path(__file__).parent
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
        test_dir=HERE,
        env={"CRYPTILE_ENGINE_NAME": point.engine, "CRYPTILE_PROTECT": point.level},
    )


def in_step():
    """Engines of which three in step are no design; those that take longest are for a soak."""
    for name in ENGINES:
        if catalog.engines()[name].select and not catalog.designs()[name].tmr:
            yield pytest.param(name, marks=pytest.mark.soak if name == "aes_modes" else [])


@pytest.mark.parametrize("name", list(in_step()))
def test_port_of_three_in_step(name):
    run(
        "cryptile:engine:select",
        "cry_engine_select",
        "tb_port",
        test_dir=HERE,
        parameters={
            "Engine": catalog.variant_name(name), "Protect": "cry_protect_pkg::ProtectTmr",
        },
        env={"CRYPTILE_ENGINE_NAME": name, "CRYPTILE_PROTECT": "tmr"},
        light=True,
        see=[],
    )  # fmt: skip
