"""``cryptile linux boot``: a driver that was built for its kernel, and what the documents show."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cryptile import cli
from cryptile.commands import linux
from cryptile.linux.boot import Result
from cryptile.linux.kernels import Kernel
from cryptile.project import ROOT

PAGES = [*(ROOT / "sw/linux").rglob("README.md"), ROOT / "docs/start.md"]
SHOWN = [
    line
    for page in PAGES
    for line in re.findall(r"^(?:\.venv/bin/)?cryptile (linux boot.*)", page.read_text(), re.M)
]


@pytest.fixture
def loaded(monkeypatch):
    """Return the modules that the guest loads; nothing is built, and nothing boots.

    In place of a driver there is a path that tells its kernel.
    """
    modules = []

    def booted(*_, **words):
        modules.extend(words["modules"])
        return Result(0, b"", "")

    def ran(*_, **words):
        modules.extend(words["own_modules"])
        return Result(0, b"", ""), 1

    monkeypatch.setattr(linux.booting, "boot", booted)
    monkeypatch.setattr(linux.booting, "shell", booted)
    monkeypatch.setattr(linux.rtl, "run", ran)
    monkeypatch.setattr(linux.kbuild, "driver", lambda tree: tree / "cryptile.ko")
    monkeypatch.setattr(linux.lean, "kernel", lambda: Path("/lean"))
    monkeypatch.setattr(Kernel, "tree", property(lambda kernel: Path(f"/{kernel}")))
    return modules


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["true"], []),
        (["true", "--driver"], ["/debian/cryptile.ko"]),
        (["true", "--driver", "--module", "af_alg"], ["/debian/cryptile.ko", "af_alg"]),
        (["true", "--driver", "--kernel", "checked"], ["/checked/cryptile.ko"]),
        (["true", "--driver", "--system", "rtl"], ["/lean/cryptile.ko"]),
        (["--driver"], ["/debian/cryptile.ko"]),
    ],
)
def test_driver(loaded, words, expected):
    result = CliRunner().invoke(cli.app, ["linux", "boot", *words])
    assert result.exit_code == 0, result.output
    assert loaded == expected


def test_options_that_documents_show(loaded):
    assert len(SHOWN) > 8
    for line in SHOWN:
        result = CliRunner().invoke(cli.app, shlex.split(line, comments=True))
        assert result.exit_code == 0, (line, result.output)
