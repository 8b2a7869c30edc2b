"""The tile SoC whose core has the floating-point unit: instructions one by one, and programs."""

import math
import random
import struct
from functools import cache
from pathlib import Path

import programs
import pytest
from support import riscv_float
from support.riscv_float import INSTRUCTIONS, ONES, D, Format, Instruction, Number, S

from cryptile.systems import cpus, monitors, tile
from cryptile.toolchain import tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest
from cryptile.toolchain.gcc import compiler

UNIT = Path(__file__).parent / "fpu"
TABLE = 0x8800_0000
ARCH = ("-march=rv64gc", "-mabi=lp64d")

MODES = ("rne", "rtz", "rdn", "rup", "rmm")
DYNAMIC = len(MODES)

ROUTINES = [
    (instruction, mode)
    for instruction in INSTRUCTIONS
    for mode in ((*range(len(MODES)), DYNAMIC) if instruction.rounds else (None,))
]
"""Each instruction with each rounding mode that it can name."""


def routines() -> str:
    """Write the routines of floats.c."""
    lines = [".option norvc", ".globl float_routines", "float_routines:"]
    for instruction, mode in ROUTINES:
        suffix = "" if mode is None else f", {(*MODES, 'dyn')[mode]}"
        lines += ["fscsr a1", f"{instruction.text}{suffix}", "frcsr a1", "ret"]
    return "\n".join(lines) + "\n"


@cache
def words() -> list[int]:
    """Return the instructions of the routines."""
    text = routines()

    def make(folder: Path) -> None:
        (folder / "routines.S").write_text(text)
        objects, raw = folder / "routines.o", folder / "routines.bin"
        tools.run([compiler(), *ARCH, "-c", folder / "routines.S", "-o", objects])
        objcopy = tools.find("riscv64-unknown-elf-objcopy", "binutils-riscv64-unknown-elf")
        tools.run([objcopy, "-O", "binary", objects, raw])

    raw = (cached("tile-fpu-words", digest([], text, ARCH), make) / "routines.bin").read_bytes()
    return [word for _, word, _, _ in struct.iter_unpack("<4I", raw)]


@cache
def unit() -> Path:
    """Build the unit and the decoder alone."""
    sources = cpus.file_list("cva6-fpu")
    how = [
        *tools.words("--cc --exe --build --no-assert -O3 -Wno-fatal --top-module tb_fpu"),
        "-CFLAGS",
        f"-std=c++17 -Wall -Wextra -include {tools.COLD}",
        "-MAKEFLAGS",
        f"{tools.ONE_FILE} OPT_FAST=-O1 OPT_GLOBAL=-O2",
        *(f"+define+{name}" for name in cpus.defines("cva6-fpu")),
    ]
    own = [UNIT / "tb_fpu.sv", UNIT / "fpu.cpp"]

    def make(folder: Path) -> None:
        tools.run(
            [
                "verilator",
                *how,
                "-Mdir",
                folder,
                "-o",
                "fpu",
                *(f"+incdir+{path}" for path in sources.include_dirs),
                *tile.waivers,
                *sources.files,
                *own,
            ],
            log=folder / "build.log",
        )

    key = digest([*sources.inputs, *tile.waivers, *own], how, tools.version("verilator"))
    return cached("tile-fpu", key, make) / "fpu"


@cache
def model() -> Path:
    return tile.build("cva6-fpu")


@cache
def program(name: str) -> Path:
    flags = [*ARCH, "-ffp-contract=off", "-fno-math-errno"]
    parts = ("console", "exit", "mem", "soc_tile")
    return programs.build(name, parts, flags, assembly=routines())


def run(name: str, **options) -> monitors.Result:
    return tile.run(model(), program(name), **options)


class Operands:
    """Registers with numbers in them, many at corners."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def number(self, form: Format) -> int:
        rng, sign = self.rng, self.rng.choice((0, form.sign))
        kind = rng.randrange(8)
        if kind == 0:
            bits = rng.getrandbits(form.width - 1)
        elif kind == 1:
            leading = form.leading
            bits = rng.choice(
                (
                    0,
                    1,
                    2,
                    leading - 1,
                    leading,
                    leading + 1,
                    form.infinity,
                    form.infinity - 1,
                    form.nan,
                    form.infinity + 1,
                    form.leading * form.most,
                )
            )
        elif kind == 2:  # subnormal, or a little above
            bits = rng.getrandbits(rng.randint(1, form.precision + 1))
        elif kind == 3:  # about the limits of integers
            value = float((1 << rng.choice((1, 8, 31, 32, 63, 64))) + rng.randint(-4, 4) / 2)
            bits = struct.unpack(
                "<Q" if form is D else "<I", struct.pack("<d" if form is D else "<f", value)
            )[0]
        else:  # of a middling exponent, so that sums meet; or about the ends of singles
            near = (rng.randint(-4, 4), rng.randint(-70, 70), rng.randint(-155, -122), 128)
            bits = self.normal(form, rng.choice(near))
        return form.boxed(sign | bits)

    def normal(self, form: Format, exponent: int) -> int:
        """Any number, or one with few ones or few zeros, of an exponent or the nearest there is."""
        rng = self.rng
        fraction = rng.getrandbits(form.precision - 1)
        if rng.randrange(3):
            ones = (1 << rng.randrange(form.precision - 1) for _ in range(rng.randrange(4)))
            fraction = sum(set(ones))
        if rng.randrange(3) == 0:
            fraction ^= form.leading - 1
        exponent = min(max(exponent, form.least - 1), form.most)
        return (exponent + form.most) * form.leading + fraction

    def some(self, form: Format | None, count: int) -> list[int]:
        rng = self.rng
        if form is None:
            return [rng.getrandbits(64) >> rng.randrange(64) ^ rng.choice((0, ONES)), 0, 0]
        found = [self.number(form) for _ in range(count)]
        kind = rng.randrange(8)
        if kind > 5 and count > 1:  # a product about the least normal number, or the largest
            exponent = rng.randint(0, form.most)
            end = rng.choice((form.least + rng.randint(-form.precision - 2, 1), form.most))
            found[0] = form.boxed(self.normal(form, exponent if end > 0 else -exponent))
            found[1] = form.boxed(self.normal(form, end - exponent if end > 0 else end + exponent))
        if kind == 0 and count > 1:  # next to each other
            found[1] = form.boxed(
                (found[0] ^ rng.randrange(4) ^ rng.choice((0, form.sign))) & 2 * form.sign - 1
            )
        elif kind < 3 and count == 3:  # an addend next to the product
            product, _ = riscv_float.multiplied(form, rng.randrange(5), found[0], found[1])
            found[2] = form.boxed(
                (product ^ rng.randrange(4) ^ rng.choice((0, form.sign))) & 2 * form.sign - 1
            )
        if form is S and rng.randrange(20) == 0:
            index = rng.randrange(count)
            found[index] &= ~(1 << rng.randrange(32, 64))
        return found + [0] * (3 - count)


def entries(count: int, seed: int) -> list[tuple[int, int, int, list[int], int]]:
    """Return so many: routine, fcsr before and after, operands, result."""
    operands = Operands(seed)
    rng = operands.rng
    found = []
    for index in range(count):
        routine = index % len(ROUTINES)
        instruction, mode = ROUTINES[routine]
        registers = operands.some(instruction.operands, instruction.count)
        # What the instruction names counts, and flags that are set stay so.
        dynamic, before = rng.randrange(len(MODES)), rng.choice((0, 0, 0, rng.getrandbits(5)))
        used = dynamic if mode in (None, DYNAMIC) else mode
        result, flags = instruction.run(used, *registers[: instruction.count])
        fcsr = dynamic << 5 | before
        found.append((routine, fcsr, fcsr | flags, registers, result))
    return found


def table(rows: list[tuple[int, int, int, list[int], int]]) -> bytes:
    """Lay entries out as floats.c reads them."""
    packed = [
        struct.pack(
            "<IBBBx4Q", routine, before, after, ROUTINES[routine][0].integer, *registers, result
        )
        for routine, before, after, registers, result in rows
    ]
    return struct.pack("<Q", len(packed)) + b"".join(packed)


def told(row: tuple[int, int, int, list[int], int], line: str) -> str:
    """Say what a printed line means."""
    routine, before, after, registers, result = row
    instruction, mode = ROUTINES[routine]
    operands = " ".join(f"{register:016x}" for register in registers)
    return (
        f"{instruction.text} ({mode}) of {operands} with fcsr {before:02x}: "
        f"wanted {result:016x} {after:02x}, got {line}"
    )


def named(text: str) -> Instruction:
    (found,) = (item for item in INSTRUCTIONS if item.text.startswith(text + " "))
    return found


@pytest.mark.parametrize("name", ["fadd.d", "fsub.d", "fmul.d", "fdiv.d", "fsqrt.d"])
def test_the_model_rounds_as_this_computer(name: str):
    """To nearest even, where Python computes the same."""
    compute = {
        "fadd.d": lambda a, b: a + b,
        "fsub.d": lambda a, b: a - b,
        "fmul.d": lambda a, b: a * b,
        "fdiv.d": lambda a, b: a / b,
        "fsqrt.d": lambda a, _: math.sqrt(a),
    }
    operands, instruction, compared = Operands(1), named(name), 0
    while compared < 2000:
        registers = operands.some(D, 2)
        a, b = (struct.unpack("<d", struct.pack("<Q", bits))[0] for bits in registers[:2])
        domain = {"fsqrt.d": a >= 0, "fdiv.d": b != 0}
        if a != a or b != b or not domain.get(name, True):
            continue
        result, _ = instruction.run(riscv_float.RNE, *registers[: instruction.count])
        value = compute[name](a, b)
        (wanted,) = struct.unpack("<Q", struct.pack("<d", value))
        assert Number(D, result).nan if value != value else result == wanted
        compared += 1


AT_ONCE = 200_000
"""Instructions that are held in memory."""


@pytest.mark.parametrize(
    ("count", "seed"), [(20_000, 1), pytest.param(10_000_000, 2, marks=pytest.mark.soak)]
)
def test_every_instruction_of_the_unit(count: int, seed: int, tmp_path: Path):
    """CVA6's decoder and unit alone: results, boxes and flags."""
    instructions = words()
    for part, first in enumerate(range(0, count, AT_ONCE)):
        rows, wrong = entries(min(AT_ONCE, count - first), seed + 1000 * part), []
        (tmp_path / "in").write_bytes(
            b"".join(
                struct.pack("<2I3Q", instructions[routine], fcsr >> 5, *registers)
                for routine, fcsr, _, registers, _ in rows
            )
        )
        tools.run([unit(), tmp_path / "in", tmp_path / "out"])
        got = struct.iter_unpack("<2Q", (tmp_path / "out").read_bytes())
        for row, (bits, flags) in zip(rows, got, strict=True):
            if (bits, flags | row[1]) != (row[4], row[2]):
                wrong.append(told(row, f"{bits:016x} {flags:02x}"))
        assert wrong == []


@pytest.mark.soak
@pytest.mark.parametrize(("count", "seed", "latency"), [(100_000, 1, 10), (20_000, 2, 0)])
def test_every_instruction(count: int, seed: int, latency: int, tmp_path: Path):
    """Results, boxes and fcsr: the named rounding mode or frm, flags added to those before."""
    rows = entries(count, seed)
    (tmp_path / "table").write_bytes(table(rows))
    result = run("floats", data={TABLE: tmp_path / "table"}, latency=latency)
    lines = result.console.splitlines()
    assert [told(rows[int(line.split()[0])], line) for line in lines] == []
    assert result.exit_code == 0


@pytest.mark.soak
def test_a_compiled_program(tmp_path: Path):
    """Every bit is what the same program computes on this computer."""
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "computation.h"\n'
        'int main(void) { printf("%016llx", (unsigned long long)computation()); return 0; }\n'
    )
    gcc = tools.find("gcc", "gcc")
    tools.run(
        [
            gcc,
            *tools.words("-O2 -std=gnu11 -ffp-contract=off -fno-math-errno -Wall"),
            f"-I{programs.FIRMWARE}",
            tmp_path / "main.c",
            "-lm",
            "-o",
            tmp_path / "main",
        ]
    )
    wanted = tools.run([tmp_path / "main"])
    result = run("float_program")
    assert (result.exit_code, result.console) == (0, wanted)


@pytest.mark.soak
def test_a_unit_that_is_off_traps():
    assert run("float_off").exit_code == 64 + 2
