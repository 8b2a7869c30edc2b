"""The SHA-2 engine: one and two rounds per cycle, with and without words of 64 bits."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent
SOURCES = [HERE / "sha2_coverage.vlt", HERE / "sha2_engine_bind.sv"]


def run_engine(module, rounds=1, wide=1, testcase=None, **parameters):
    run(
        "cryptile:engine:sha2",
        "sha2_engine",
        module,
        test_dir=HERE,
        parameters={"RoundsPerCycle": rounds, "EnSha512": wide, **parameters},
        extra_sources=SOURCES,
        env={"SHA2_ROUNDS": str(rounds), "SHA2_HASHES": "6" if wide else "2"},
        testcase=testcase,
    )


@pytest.mark.parametrize(("rounds", "wide"), [(1, 1), (2, 1), (1, 0)])
def test_engine(rounds, wide):
    run_engine("bench_sha2_engine", rounds, wide)
