"""The systems of examples/rtl: their test benches by the commands of the README, their synthesis.

Lint is that of all designs of the catalogue (test_lint.py).
"""

import re
import subprocess

import pytest

from cryptile import catalog
from cryptile.catalog import Level
from cryptile.project import BUILD, ROOT
from cryptile.synth import flow, liberty
from cryptile.synth.points import Point
from cryptile.toolchain import tools

FOLDER = ROOT / "examples/rtl"
SYSTEMS = ("pulp", "dma", "tile")


def simulate(command, work):
    line = command.replace("run ", f"run --build-root {work} ", 1)
    return subprocess.run(
        line,
        shell=True,
        cwd=ROOT,
        env=tools.environment(),
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )


def commands():
    (block,) = re.findall(r"```sh\n(.*?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    return [line for line in block.splitlines() if line.startswith("fusesoc")]


def test_the_readme_has_a_command_for_each_system():
    assert [line.rpartition(":")[2] for line in commands()] == list(SYSTEMS)
    assert {f"example_{name}" for name in SYSTEMS} <= catalog.designs().keys()
    for name in SYSTEMS:
        core = (FOLDER / f"{name}.core").read_text()
        assert f"toplevel: tb_example_{name}" in core and f"name: cryptile:example:{name}:" in core


@pytest.mark.soak
@pytest.mark.parametrize("command", commands())
def test_bench(command):
    ended = simulate(command, BUILD / "rtl-examples" / command.rpartition(":")[2])
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "passed" in ended.stdout.splitlines()


@pytest.mark.soak
@pytest.mark.parametrize("name", SYSTEMS)
def test_synthesis(name):
    """The tile for an FPGA: its memories would be 77,000 flip-flops of standard cells."""
    design = catalog.designs()[f"example_{name}"]
    (variant,) = design.variants
    trouble = []
    point = Point(f"example_{name}", variant, "all", Level.none)
    fpga = name == "tile"
    libraries = [] if fpga else [liberty.read(liberty.OSU018)]
    plan = flow.Plan([point], [flow.Fpga.xc7] if fpga else [], libraries, 0)
    records = flow.run(plan, lambda _: None, trouble.append)
    assert trouble == []
    found = {record.metric: record.value for record in records}
    assert found.keys() == ({"lut", "ff", "bram"} if fpga else {"kge", "fmax_mhz"})
    assert all(value > 10 for metric, value in found.items() if metric != "bram")
