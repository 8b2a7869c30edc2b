"""The round-robin arbiter alone: of one, of as many as a tile's bus has readers, protected."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(("number", "protect"), [(1, 0), (40, 0), (5, 1), (5, 2)])
def test_arbiter(number, protect):
    cocotb_runner.run(
        "cryptile:common:all",
        "cry_arbiter",
        "tb_arbiter",
        test_dir=Path(__file__).parent,
        parameters={"Number": number, "Protect": f"2'd{protect}"},
        env={"CRYPTILE_NUMBER": str(number), "CRYPTILE_PROTECT": str(protect)},
        upset=True,
    )
