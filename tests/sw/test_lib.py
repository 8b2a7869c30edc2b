"""Runs the tests of the C library in a process of its own, with the address sanitizer preloaded."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cryptile.toolchain import tools

HERE = Path(__file__).parent


MODULES = [
    "cavp", "modes", "nistp", "errors", "overlap", "psa", "psa_asymmetric", "psa_copy",
    "psa_derivation", "psa_engine", "psa_rules", "psa_sizes", "psa_vectors",
]  # fmt: skip


@pytest.mark.parametrize(
    "module",
    [
        *(f"native_{name}" for name in MODULES),
        pytest.param("native_mbedtls", marks=pytest.mark.soak),  # wants a file of Debian's
    ],
)
def test_native(module: str) -> None:
    runtime = tools.run([tools.find("gcc"), "-print-file-name=libasan.so"]).strip()
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / f"{module}.py"],
        env={
            **os.environ,
            "LD_PRELOAD": runtime,
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
            "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:]
    assert " passed" in result.stdout
