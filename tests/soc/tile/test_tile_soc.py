"""Programs on the whole tile SoC."""

from functools import cache
from pathlib import Path

import pytest

from cryptile import tools
from cryptile.cache import build as cached
from cryptile.cache import digest
from cryptile.project import ROOT
from cryptile.sim import tile

FIRMWARE = Path(__file__).parent / "firmware"
HAL = ROOT / "sw/hal"

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


@cache
def model() -> Path:
    return tile.build()


@cache
def program(name: str) -> Path:
    sources = [
        FIRMWARE / "start.S",
        FIRMWARE / f"{name}.c",
        *(HAL / f"{part}.c" for part in ("console", "exit", "host", "mem")),
    ]
    flags = [
        "-march=rv64imac_zicsr", "-mabi=lp64", "-mcmodel=medany", "-O2", "-std=gnu11",
        "--specs=picolibc.specs", "-nostdlib", "-nostartfiles",
        "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror",
        "-DMCU_BASE=0x18000000u", f"-I{HAL}", "-T", str(FIRMWARE / "link.ld"),
    ]  # fmt: skip
    inputs = [*sources, FIRMWARE / "test.h", FIRMWARE / "link.ld", *sorted(HAL.rglob("*.h"))]

    def make(folder: Path) -> None:
        gcc = tools.find("riscv64-unknown-elf-gcc", "gcc-riscv64-unknown-elf")
        tools.run([gcc, *flags, *sources, "-o", folder / "program.elf"])

    return cached("tile-test-programs", digest(inputs, flags), make) / "program.elf"


def run(name: str, **options) -> tile.Result:
    options.setdefault("max_cycles", 300_000)
    return tile.run(model(), program(name), **options)


def test_console_uart_and_exit_code():
    result = run("hello")
    assert (result.exit_code, result.console) == (42, "hello from CVA6\nand from its UART\n")
