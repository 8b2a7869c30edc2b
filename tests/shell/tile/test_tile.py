"""The whole tile."""

from pathlib import Path

from support import cocotb_runner

ALGORITHMS = "nop,copy,ecb,cbc,ctr,gcm,ccm,cmac,xts,chacha20,poly1305,chacha20-poly1305"


def test_tile():
    cocotb_runner.run(
        "cryptile:shell:tile",
        "tile",
        "bench_tile",
        test_dir=Path(__file__).parent,
        parameters={"AesImpl": 1},
        env={"CRYPTILE_ALGORITHMS": ALGORITHMS, "CRYPTILE_JOBS": "12"},
    )
