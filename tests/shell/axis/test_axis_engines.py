"""The stream shell with each engine of the catalogue."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.shell_jobs import SELECTABLE, apart

from cryptile.catalog import variant_name

QUICK = apart()


@pytest.mark.parametrize(
    "engine",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.soak) for name in SELECTABLE],
)
def test_axis_engine(engine):
    cocotb_runner.run(
        "cryptile:shell:axis_engine",
        "cry_axis_engine",
        "tb_axis_engines",
        test_dir=Path(__file__).parent,
        parameters={"Engine": variant_name(engine)},
        env={"CRYPTILE_ENGINE_NAME": engine},
        light=True,
        see=[],
    )
