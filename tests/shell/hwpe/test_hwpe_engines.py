"""The HWPE shell with each engine of the catalogue."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.shell_jobs import SELECTABLE, steps

from cryptile.catalog import variant_name

# Slow engines are for ``make soak``.
ENGINES = [pytest.param(name, marks=pytest.mark.soak if steps(name) else ()) for name in SELECTABLE]


@pytest.mark.parametrize("engine", ENGINES)
def test_hwpe_engine(engine):
    cocotb_runner.run(
        "cryptile:shell:hwpe_engine",
        "cry_hwpe_engine",
        "tb_hwpe_engines",
        test_dir=Path(__file__).parent,
        parameters={"Engine": variant_name(engine)},
        env={"CRYPTILE_ENGINE_NAME": engine},
        light=True,
        see=[],
    )
