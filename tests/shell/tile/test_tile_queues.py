"""The control side of the tile: queues, key slots, registers."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.tile_ports import around

FOLDER = Path(__file__).parent
STRIDES = (4096, 65536)
"""From one user page to the next."""


@pytest.mark.parametrize("bench", ["tb_tile_queues", "tb_tile_key_slots", "tb_tile_made_keys"])
def test_tile_queues(bench):
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "tile_queues_probe",
        bench,
        test_dir=FOLDER,
        extra_sources=around("tile_queues_probe"),
        see=[],
    )


@pytest.mark.parametrize("stride", STRIDES)
def test_pages(stride):
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "cry_tile_control",
        "tb_tile_control",
        test_dir=FOLDER,
        parameters={"PageStride": stride},
        env={"CRYPTILE_PAGE_STRIDE": str(stride)},
    )
