"""The control side of the tile: queues, key slots, registers."""

from pathlib import Path

from support import cocotb_runner

FOLDER = Path(__file__).parent


def test_tile_queues():
    cocotb_runner.run(
        "cryptile:shell:tile_queues",
        "tile_queues_probe",
        "tb_tile_queues",
        test_dir=FOLDER,
        extra_sources=[FOLDER / "tile_queues_probe.sv"],
        see=[],
    )
