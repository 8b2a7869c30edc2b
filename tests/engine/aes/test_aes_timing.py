"""The drawing of the engine port shows what the RTL does."""

from pathlib import Path

from support.engine_points import Point, run_point
from support.waves import compare

from cryptile.catalog import Level


def test_the_drawing_is_what_the_rtl_does():
    with compare("engine_port") as recorded:
        run_point(
            Point("aes", "iterative", Level.none),
            "tb_aes_timing",
            test_dir=Path(__file__).parent,
            env={"CRYPTILE_WAVES": str(recorded)},
        )
