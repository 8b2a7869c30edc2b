"""The whole tile, with all engines: one model, several benches."""

from pathlib import Path

import pytest
from support import cocotb_runner


@pytest.mark.parametrize(
    ("bench", "jobs"),
    [
        ("tile", 3),
        ("tile_isolation", 4),
        ("tile_service", 0),
        ("tile_hostile", 2000),
        pytest.param("tile_hostile", 100_000, marks=pytest.mark.soak),
        ("tile_speed", 0),
        ("tile_aes_lanes", 0),
        ("tile_rows", 12),
    ],
)
def test_tile(bench, jobs):
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        env={"CRYPTILE_JOBS": str(jobs)},
        light=True,
        see=["cry_tile_lane_times"],
    )


@pytest.mark.parametrize(("bench", "testcase"), [("tile_upsets", None), ("tile", "engines")])
def test_one_lane(bench, testcase):
    """Upsets change nothing; engines that are not built in are refused. The model is small."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        parameters={
            "Protect": "2'd2", "NumQueues": 2, "NumSlots": 1, "NumWindows": 1, "Opcodes": "16'd3",
        },
        env={"CRYPTILE_ALGORITHMS": "nop,copy", "CRYPTILE_JOBS": "15"},
        testcase=testcase,
        light=True,
        see=cocotb_runner.ALL,
    )  # fmt: skip


@pytest.mark.parametrize("bench", ["tile_windows", "tile_reset"])
def test_queues_of_one_lane(bench):
    """What queues may reach, and how they end: the model is small."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        parameters={"NumQueues": 2, "NumSlots": 1, "Opcodes": "16'd3"},
        light=True,
        see=[],
    )
