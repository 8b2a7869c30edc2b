"""Queue, bus and lane keep 16 bytes a cycle, and 64-byte jobs at eight cycles each."""

from pathlib import Path

from support import cocotb_runner


def test_tile_speed():
    cocotb_runner.run(
        "cryptile:shell:tile",
        "tile",
        "bench_tile_speed",
        test_dir=Path(__file__).parent,
        parameters={"Opcodes": "16'd3", "NumQueues": 1},
        env={"CRYPTILE_ALGORITHM": "copy"},
    )
