"""An engine that is fed by stores and loads of registers alone."""

from pathlib import Path

from support import cocotb_runner

from cryptile.catalog import variant_name

HERE = Path(__file__).parent


def test_window_engine():
    cocotb_runner.run(
        "cryptile:shell:window_engine",
        "cry_window_engine",
        "tb_window_engine",
        test_dir=HERE,
        parameters={"Engine": variant_name("aes_modes", "pipelined"), "Depth": 4},
        light=True,
        cover=["cry_axis_window", "cry_window_engine"],
        see=[],
    )
