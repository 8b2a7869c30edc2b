"""The lane and the bus of the tile, with the data mover, a cipher, and one with tags."""

from pathlib import Path

import pytest
from support import cocotb_runner
from support.tile_ports import AXI_PORTS

from cryptile.toolchain import rtl

HERE = Path(__file__).parent
CORE = "cryptile:shell:tile_lane"
AROUND = (
    "cryptile:shell:tile_bus",
    "cryptile:engine:copy",
    "cryptile:engine:aes",
    "cryptile:engine:chacha20poly1305",
)
UNANSWERED = (
    "cry_tile_lane.sv",
    "!write_busy_q[oldest_q] && !read_busy[oldest_q] && !answer_busy[oldest_q]",
    "!write_busy_q[oldest_q] && !read_busy[oldest_q]",
)


def lane(engine, beats=4, **options):
    own = rtl.resolve(CORE).files
    beside = [file for file in rtl.resolve(*AROUND).files if file not in own]
    cocotb_runner.run(
        CORE,
        "lane_bench",
        "tb_tile_lane",
        test_dir=HERE,
        extra_sources=[*beside, HERE / "lane_bench.sv", AXI_PORTS],
        parameters={"Beats": beats},
        env={"CRYPTILE_ENGINE": engine, "CRYPTILE_JOBS": "120", "CRYPTILE_BEATS": str(beats)},
        **options,
    )


@pytest.mark.parametrize("engine", ["copy", "aes", "chacha"])
def test_tile_lane(engine):
    lane(engine)


@pytest.mark.soak
def test_long_keys():
    """With room for keys of 80 bytes."""
    lane("chacha", 5, light=True)


@pytest.mark.soak
def test_a_job_that_does_not_wait_for_its_answers_is_seen():
    """Rule 1 of coherence (soc/tile/README.md) needs it: the record of a job comes behind them."""
    lane("copy", testcase="errors", light=True, change=UNANSWERED)
