"""What the kernel's developers have modules checked with: checkpatch and sparse."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cryptile.linux import lean
from cryptile.project import ROOT
from cryptile.toolchain import tools

pytestmark = pytest.mark.soak

MODULES = ("sw/linux/driver", "sw/linux/cycles", "sw/linux/plain")
USED = ("sw/driver/core", "sw/hal/gen", "sw/include")
IGNORED = (
    "CAMELCASE",  # names of the driver core
    "OPEN_ENDED_LINE",  # as clang-format breaks lines, with the kernel's settings
    "SPLIT_STRING",  # a list of modules
    "COMPLEX_MACRO", "MACRO_ARG_REUSE", "MACRO_ARG_UNUSED",  # lists of names
    "UNCOMMENTED_DEFINITION",  # locks: kernel-doc says what they guard
)  # fmt: skip

CHECKER = """#!/bin/sh
# Without the instruction set, which sparse knows in part.
for word; do
  shift
  case $word in -march=*) ;; *) set -- "$@" "$word" ;; esac
done
exec {sparse} -Wno-non-pointer-null -Wno-context '-D__builtin_assume_aligned(p, n)=(p)' "$@"
"""


def sources(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*") if path.suffix in (".c", ".h"))


@pytest.mark.parametrize("folder", MODULES)
def test_checkpatch(folder, tmp_path):
    script = lean.kernel() / "scripts/checkpatch.pl"
    ended = subprocess.run(
        [
            tools.find("perl", "perl"),
            script,
            "--no-tree",
            "--strict",
            "--terse",
            "--show-types",
            "--ignore",
            ",".join(IGNORED),
            "--no-summary",
            "-f",
            *sources(folder),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ended.stdout == ""


@pytest.mark.parametrize("folder", MODULES)
def test_sparse(folder, tmp_path):
    """Address spaces and byte orders are not confused; and the compiler has no warning (W=1)."""
    for name in {folder, MODULES[0], *USED}:  # the plain driver takes from the other one
        shutil.copytree(ROOT / name, tmp_path / name)
    checker = tmp_path / "checker"
    checker.write_text(CHECKER.format(sparse=tools.find("sparse", "sparse")))
    checker.chmod(0o755)
    ended = subprocess.run(
        [
            "make",
            "-C",
            lean.kernel(),
            f"M={tmp_path / folder}",
            "ARCH=riscv",
            "W=1",
            "C=2",
            "CROSS_COMPILE=riscv64-linux-gnu-",
            f"CHECK={checker}",
            "modules",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "  CHECK   " in ended.stdout
    assert ended.stderr == ""
