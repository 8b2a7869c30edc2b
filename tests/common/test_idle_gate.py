"""The clock of a block that is idle: no cycle is lost, and no upset loses or makes one."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(("linger", "protect"), [(128, 0), (5, 1), (5, 2), (192, 2), (322, 2)])
def test_idle_gate(linger, protect):
    cocotb_runner.run(
        "cryptile:common:all",
        "cry_idle_gate",
        "tb_idle_gate",
        test_dir=Path(__file__).parent,
        parameters={"Linger": linger, "Protect": f"2'd{protect}"},
        env={"CRYPTILE_LINGER": str(linger), "CRYPTILE_PROTECT": str(protect)},
        upset=True,
    )
