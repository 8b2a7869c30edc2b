"""Which checkout a command works on, and where it builds."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cryptile.cli import _COMMANDS
from cryptile.crypt import choice
from cryptile.project import ROOT


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return a folder that holds the package as a wheel puts it there: without a checkout."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "src" / "cryptile", site / "cryptile")
    return site


def run(site, folder, *words, **environment):
    return subprocess.run(
        [sys.executable, "-c", "from cryptile.cli import main; main()", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", [*_COMMANDS, "--help"])
def test_without_a_checkout_one_line_says_so(installed, tmp_path, command):
    ended = run(installed, tmp_path, command)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "run it inside a Cryptile checkout" in ended.stderr


def test_a_version_needs_no_checkout(installed, tmp_path):
    assert run(installed, tmp_path, "--version").stdout.startswith("cryptile ")


def test_an_installed_package_works_on_the_checkout_one_stands_in(installed):
    ended = run(installed, ROOT / "docs", "crypt", "--list")
    assert choice.ALGORITHMS[choice.Soc.tile][0] in ended.stdout, ended.stderr


def test_a_command_in_another_checkout_says_on_which_it_works(tmp_path):
    (tmp_path / "rtl").mkdir()
    (tmp_path / "catalog").mkdir()
    (tmp_path / "catalog" / "engines.yaml").touch()
    ended = run(ROOT / "src", tmp_path / "rtl", "crypt", "--list")
    assert ended.returncode == 0
    assert f"works on {ROOT}, not on {tmp_path}" in ended.stderr
    assert run(ROOT / "src", "/", "crypt", "--list").stderr == ""


def test_a_folder_that_is_gone_is_no_fault(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    program = "import os; os.rmdir(os.getcwd()); from cryptile.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", program, "crypt", "--list"],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def test_the_parts_name_every_command():
    (row,) = [
        line
        for line in (ROOT / "docs/parts.md").read_text().splitlines()
        if line.startswith("| `cryptile` |")
    ]
    assert {word.split()[0] for word in re.findall(r"`([^`]+)`", row)[1:]} == set(_COMMANDS)


@pytest.mark.parametrize("where", ["cache", "{tmp_path}/cache"])
def test_the_cache_moves(tmp_path, where):
    """Relative to the folder one stands in, as a shell's user expects."""
    program = "from cryptile.project import BUILD; print(BUILD)"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "CRYPTILE_BUILD": where.format(tmp_path=tmp_path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(ended.stdout.strip()) == tmp_path / "cache"
