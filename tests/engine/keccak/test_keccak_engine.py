"""The Keccak engine with one and with two rounds per cycle."""

from pathlib import Path

import pytest
from support.cocotb_runner import run

HERE = Path(__file__).parent


@pytest.mark.parametrize(("rounds", "share"), [(1, 1), (2, 8)])
def test_engine(rounds, share):
    run(
        "cryptile:engine:keccak",
        "keccak_engine",
        "bench_keccak_engine",
        test_dir=HERE,
        parameters={"RoundsPerCycle": rounds},
        extra_sources=[HERE / "keccak_coverage.vlt", HERE / "keccak_engine_bind.sv"],
        env={"KECCAK_ROUNDS": str(rounds), "KECCAK_SHARE": str(share)},
    )
