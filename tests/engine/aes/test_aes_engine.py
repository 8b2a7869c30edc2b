"""The AES engine with each datapath, complete and cut down, and its S-boxes."""

from pathlib import Path

import pytest
from support.cocotb_runner import run
from support.engine_points import Point, run_point

HERE = Path(__file__).parent
IMPLS = {
    name: f"cry_aes_pkg::Impl{name.capitalize()}" for name in ("serial", "iterative", "pipelined")
}
REDUCED = {"EnDecrypt": "0", "EnKey192": "0", "EnKey256": "0", "EnCbc": "0"}


@pytest.mark.parametrize(
    ("impl", "level"), [("serial", "none"), ("iterative", "correct"), ("pipelined", "none")]
)
def test_engine(impl, level):
    """Three copies of everything are to the cycle what one is: one build stands for both."""
    run_point(Point("aes", impl, level), "tb_aes_engine", test_dir=HERE, env={"AES_IMPL": impl})


def test_three_engines_in_step():
    run_point(
        Point("aes", "iterative", "tmr"),
        "tb_aes_engine",
        test_dir=HERE,
        env={"AES_IMPL": "iterative", "AES_LOCKSTEP": "1"},
        testcase="wiped_when_aborted,cycles_per_block,lane_that_differs,lanes_that_all_differ",
    )


@pytest.mark.parametrize(
    ("impl", "module"),
    [
        ("serial", "tb_aes_reduced"),
        ("pipelined", "tb_aes_reduced"),
        ("iterative", "tb_aes_reduced"),
        ("iterative", "tb_aes_upsets"),
    ],
)
def test_engine_reduced(impl, module):
    """The iterative one detects upsets; of the others, coverage is measured with all built in."""
    protect = {"Protect": "cry_protect_pkg::ProtectDetect"} if impl == "iterative" else {}
    run(
        "cryptile:engine:aes",
        "cry_aes_engine",
        module,
        test_dir=HERE,
        parameters={"Impl": IMPLS[impl], **REDUCED, **protect},
        light=impl != "iterative",
        upset=impl == "iterative",
    )


def test_sbox():
    run(
        "cryptile:engine:aes",
        "aes_sbox_bench",
        "tb_aes_sbox",
        test_dir=HERE,
        extra_sources=[HERE / "aes_sbox_bench.sv"],
    )
