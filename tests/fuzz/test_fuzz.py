"""A part of the fuzz: long enough to find what is broken, short enough for every run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("isa", "calls", "seed"),
    [
        ("native", 20_500, 1),
        ("rv32im", 1000, 1),
        ("rv64im_zba_zbb", 1000, 1),
        # The same C, whose routines with these instructions have tests of their own (tests/sw/lib).
        pytest.param("rv32im_zkn", 1000, 1, marks=pytest.mark.soak),
        # A million calls together, in halves for two cores.
        pytest.param("native", 500_000, 10_001, marks=pytest.mark.soak),
        pytest.param("native", 500_000, 20_001, marks=pytest.mark.soak),
    ],
)
def test_library_does_what_the_model_does(isa: str, calls: int, seed: int) -> None:
    """No difference in status, outputs, bytes around them or what is left in contexts."""
    result = subprocess.run(
        [sys.executable, HERE, "--isa", isa, "--calls", str(calls), "--seed", str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:]
    assert re.search(rf"{calls} calls, .* 0 differences", result.stdout)
    if isa == "native":  # what is seldom has its turn only in many calls
        assert "never with success: none" in result.stdout
