"""The SHA-2 engine: every kind of build and every level of protection, in few builds."""

from pathlib import Path

import pytest
from support.engine_points import Point, run_point

HERE = Path(__file__).parent
BUILDS = {"full": (1, 1, "correct"), "fast": (2, 1, "none"), "small": (1, 0, "detect")}


def run_engine(module, build):
    rounds, wide, level = BUILDS[build]
    env = {
        "SHA2_ROUNDS": str(rounds),
        "SHA2_HASHES": "6" if wide else "2",
        "SHA2_PROTECT": level,
    }
    config = "full" if wide else "hmac-sha-256"
    run_point(Point("sha2", f"r{rounds}", level), module, test_dir=HERE, config=config, env=env)


@pytest.mark.parametrize("build", BUILDS)
def test_engine(build):
    run_engine("tb_sha2_engine", build)


@pytest.mark.parametrize("build", ["full", "small"])
def test_upsets(build):
    run_engine("tb_sha2_upsets", build)
