"""The control side of the tile: queues, key slots, registers."""

from pathlib import Path

import pytest
from support import cocotb_runner

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("bench", ["tb_tile_queues", "tb_tile_key_slots"])
def test_tile_queues(bench):
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "tile_queues_probe",
        bench,
        test_dir=FOLDER,
        extra_sources=[FOLDER / "tile_queues_probe.sv"],
        see=[],
    )
