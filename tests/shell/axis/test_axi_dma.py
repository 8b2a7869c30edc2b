"""The DMA with both bus widths."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize("width", [64, 128])
def test_axi_dma(width):
    cocotb_runner.run(
        "cryptile:dma:axi_dma",
        "cry_axi_dma",
        "tb_axi_dma",
        test_dir=Path(__file__).parent,
        parameters={"DataWidth": width},
        env={"CRYPTILE_WIDTH": str(width), "CRYPTILE_JOBS": "40"},
        see=[],
    )
