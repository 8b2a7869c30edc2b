"""The whole tile, with all engines: one model, several benches."""

from pathlib import Path

import pytest
from support import cocotb_runner

ALGORITHMS = (
    "nop,copy,ecb,cbc,ctr,gcm,ccm,cmac,xts,sha2,hmac,sha3,cshake,kmac,"
    "chacha20,poly1305,chacha20-poly1305"
)


@pytest.mark.parametrize(("bench", "jobs"), [("tile", 3), ("tile_isolation", 4), ("tile_speed", 0)])
def test_tile(bench, jobs):
    cocotb_runner.run(
        "cryptile:shell:tile",
        "tile",
        f"bench_{bench}",
        test_dir=Path(__file__).parent,
        env={"CRYPTILE_ALGORITHMS": ALGORITHMS, "CRYPTILE_JOBS": str(jobs)},
        light=True,
    )
