"""Several AES lanes on one pipelined core."""

from pathlib import Path

from support.cocotb_runner import run

HERE = Path(__file__).parent


def test_lanes():
    run(
        "cryptile:engine:aes_modes",
        "aes_modes_lanes_bench",
        "tb_aes_modes_lanes",
        test_dir=HERE,
        extra_sources=[HERE / "aes_modes_lanes_bench.sv"],
        light=True,
    )
