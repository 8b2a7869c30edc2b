"""The LiteX example: its commands run as they stand in its README, and what is wrong is found."""

import re
import subprocess

import pytest

from cryptile.project import BUILD, ROOT
from cryptile.toolchain import tools

README = ROOT / "examples/litex/README.md"


def commands():
    """The shell commands of the README, in the folder of builds that this run has."""
    (block,) = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    return [line.replace("build/litex", str(BUILD / "litex")) for line in block.splitlines()]


def run(command):
    return subprocess.run(
        command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )


@pytest.mark.soak
def test_the_commands_of_the_readme_encrypt_in_a_litex_soc():
    assert len(commands()) <= 5
    *prepare, last, _ = commands()
    for command in prepare:
        result = run(command)
        assert result.returncode == 0, result.stderr
    (other,) = re.findall(r"--engine \w+", README.read_text())
    for options in ("", f"--length 77 --seed 3 {other}"):
        result = run(f"{last} {options} -o {BUILD / 'litex'}")
        assert result.returncode == 0, result.stdout + result.stderr
        assert "equal to what cryptography says; decrypted; a wrong tag was found" in result.stdout
    result = run(f"{last} --engine Rsa")
    assert result.returncode == 2
    assert "no engine 'Rsa': there are Copy, " in result.stderr


@pytest.mark.soak
def test_the_tile_hashes_in_a_litex_soc():
    *_, command = commands()
    assert "--tile" in command
    for options in ("", "--length 77 --seed 3"):
        result = run(f"{command} {options}")
        assert result.returncode == 0, result.stdout + result.stderr
        assert (
            "equal to what hashlib says; a source outside the window was refused" in result.stdout
        )


OTHERS = """
import sys
sys.path.insert(0, sys.argv[1])
from cryptile_litex import CryptileStream, CryptileTile
from litex.build.io import CRG
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from soc import _IO, SimPlatform

platform = SimPlatform("SIM", list(_IO))
system = SoCCore(platform, 1000000, cpu_type="vexriscv", uart_name="sim",
                 integrated_rom_size=4096, integrated_main_ram_size=4096)
system.crg = CRG(platform.request("sys_clk"), platform.request("sys_rst"))
system.stream, system.tile = CryptileStream(platform), CryptileTile(platform)
system.comb += system.stream.source.connect(system.stream.sink)
system.bus.add_slave("stream", system.stream.registers, SoCRegion(size=0x1000, cached=False))
system.tile.add_to(system)
system.finalize()
platform.get_verilog(system, name="sim", regular_comb=False).write("sim.v")
print(*(f"+incdir+{path}" for path in platform.verilog_include_paths))
print(*(source[0] for source in platform.sources))
"""
"""Makes a SoC of the modules that the example has not."""


@pytest.mark.soak
def test_pins_of_the_other_modules_fit(tmp_path):
    """No pin is missing, and none has another width, where LiteX' Verilog meets the wrappers."""
    python = BUILD / "litex/venv/bin/python"
    made = subprocess.run(
        [python, "-c", OTHERS, README.parent],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    linted = subprocess.run(
        [
            tools.find("verilator"),
            *tools.words("--lint-only --top-module sim -Wno-fatal"),
            *made.stdout.split(),
            "sim.v",
        ],
        cwd=tmp_path,
        env=tools.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    pins = r"%(?:Error|Warning-(?:PINMISSING|PINNOTFOUND|WIDTH)).*(?:[Pp]in|[Pp]ort).*"
    assert [line for line in re.findall(pins, linted.stderr) if "VexRiscv" not in line] == []
