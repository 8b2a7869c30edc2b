"""The whole tile, with all engines: one model, several benches."""

from pathlib import Path

import pytest
from support import cocotb_runner

ALGORITHMS = (
    "nop,copy,ecb,cbc,ctr,gcm,ccm,cmac,xts,sha2,hmac,sha3,cshake,kmac,"
    "chacha20,poly1305,chacha20-poly1305"
)


@pytest.mark.parametrize(
    ("bench", "jobs"),
    [("tile", 3), ("tile_isolation", 4), ("tile_speed", 0), ("tile_aes_lanes", 0)],
)
def test_tile(bench, jobs):
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        f"tb_{bench}",
        test_dir=Path(__file__).parent,
        env={"CRYPTILE_ALGORITHMS": ALGORITHMS, "CRYPTILE_JOBS": str(jobs)},
        light=True,
        see=["cry_tile_lane_times"],
    )


def test_upsets_change_nothing():
    """Two queues and one lane, so that the model is small."""
    cocotb_runner.run(
        "cryptile:shell:tile",
        "cry_tile",
        "tb_tile_upsets",
        test_dir=Path(__file__).parent,
        parameters={
            "Protect": "2'd2", "NumQueues": 2, "NumSlots": 1, "NumWindows": 1, "Opcodes": "16'd3",
        },
        env={"CRYPTILE_ALGORITHMS": "nop,copy", "CRYPTILE_JOBS": "15"},
        light=True,
    )  # fmt: skip
