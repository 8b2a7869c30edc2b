"""Kernels measured on the processors' RTL and in the simulator's timing models."""

import re
from functools import cache
from pathlib import Path

from support.iss_builds import program

from cryptile.project import ROOT
from cryptile.sim.iss import Machine
from cryptile.sim.timing import Timing
from cryptile.systems import mcu

FIRMWARE = Path(__file__).parent / "firmware"
MCU_FIRMWARE = ROOT / "tests/soc/mcu/firmware"
ROUTINES = ("aes_table_key", "aes_table", "aes_compact", "quarter_rounds", "bubble_sort")


def kernels(bits: bool) -> list[str]:
    """Names of the kernels, in the order they run in."""
    text = (FIRMWARE / "timing_kernels.S").read_text()
    if bits:
        text += (FIRMWARE / "timing_bits.S").read_text()
    return [*re.findall(r"^  kernel (\w+)$", text, re.MULTILINE), *ROUTINES]


def isa(bits: bool) -> str:
    """The instruction set of the firmware, with or without bit manipulation."""
    return "rv32imc_zicsr" + ("_zba_zbb_zbc_zbs_zbkb_zbkx" if bits else "")


def firmware(text: str, main: str, bits: bool, *flags: str, sources: tuple[Path, ...] = ()) -> Path:
    """Build a program for the microcontroller."""
    return program(
        text,
        march=isa(bits),
        sources=(
            MCU_FIRMWARE / "start.S",
            MCU_FIRMWARE / "common/finish.c",
            FIRMWARE / "measure.S",
            FIRMWARE / main,
            *sources,
        ),
        flags=(
            "-O2", "-nostartfiles", "-fno-tree-loop-distribute-patterns", "-ffunction-sections",
            "-fdata-sections", "-Wl,--gc-sections", f"-I{ROOT / 'sw/include'}",
            f"-I{MCU_FIRMWARE}", f"-I{ROOT / 'sw/hal/gen'}", f"-I{ROOT / 'sw/lib'}",
            "-T", str(MCU_FIRMWARE / "link.ld"), *flags,
        ),
        headers=(
            *sorted((ROOT / "sw").rglob("*.h")),
            *sorted(path for path in MCU_FIRMWARE.rglob("*") if path.is_file()),
            FIRMWARE / "measure.h",
        ),
    )  # fmt: skip


@cache
def kernel_firmware(bits: bool) -> Path:
    """The program that measures the kernels on the microcontroller."""
    names = kernels(bits)
    table = "".join(f"void kernel_{name}(void);\n" for name in names)
    table += "void (*const kernels[])(void) = {"
    table += "".join(f"kernel_{name}, " for name in names) + "0};\n"
    return firmware(
        "// Generated.\n" + table,
        "timing_main.c",
        bits,
        sources=(
            FIRMWARE / "timing_kernels.S",
            *([FIRMWARE / "timing_bits.S"] if bits else []),
            FIRMWARE / "timing_routines.c",
            ROOT / "sw/lib/aes/aes_table.c",
            ROOT / "sw/lib/aes/aes_compact.c",
            ROOT / "sw/hal/mem.c",
        ),
    )


def _net(names: list[str], cycles: list[int]) -> dict[str, int]:
    """Without what measuring itself takes: what the empty kernel does."""
    assert names[0] == "empty"
    return {name: count - cycles[0] for name, count in zip(names[1:], cycles[1:], strict=True)}


def on_rtl(core: str, bits: bool = False) -> dict[str, int]:
    """Cycles of every kernel on a core's RTL."""
    model = mcu.build(core, rv32b="full" if bits else "none")
    result = mcu.run(model, kernel_firmware(bits), max_cycles=2_000_000)
    assert result.exit_code == 0
    return _net(kernels(bits), [int(line, 16) for line in result.console.split()])


def in_model(timing: str | Timing, bits: bool = False) -> dict[str, int]:
    """Cycles of every kernel in a timing model."""
    machine = Machine(kernel_firmware(bits), isa(bits), timing, checked=False)
    names = kernels(bits)
    counts = [machine.call("measure", machine.symbols[f"kernel_{name}"]).value for name in names]
    return _net(names, counts)
