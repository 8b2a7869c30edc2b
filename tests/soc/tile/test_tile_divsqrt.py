"""The divider of CVA6's floating-point unit, alone, against two models: result, flags, latency."""

from functools import cache
from pathlib import Path

import pytest
from support.mutated import mutated

from cryptile.errors import CryptileError
from cryptile.toolchain import rtl, tools
from cryptile.toolchain.cache import build as cached
from cryptile.toolchain.cache import digest

FOLDER = Path(__file__).parent / "fpu"
TOP = "div_sqrt_top_mvp"

MUTANTS = {
    "a digit is taken that is hardly not there": (
        "tsoc_divsqrt.sv",
        "if (!less) begin",
        "if (!less || (&left[57:40])) begin",
    ),
    "a digit of the root takes too little": (
        "tsoc_divsqrt.sv",
        "{1'b0, digits_d, 1'b0} | {2'b0, weight_d}",
        "{1'b0, digits_d, 1'b0}",
    ),
    "the last remainder does not count": (
        "tsoc_divsqrt.sv",
        ".more_i    (remainder_q != '0)",
        ".more_i    (remainder_q[57:48] != '0)",
    ),
    "digits shifted out do not count": (
        "tsoc_divsqrt_round.sv",
        "(lost != '0) || more_i",
        "more_i",
    ),
    "ties away are ties to even": (
        "tsoc_divsqrt_round.sv",
        "RoundNearestAway: away = half;",
        "RoundNearestAway: away = half && (rest || fraction[0]);",
    ),
    "down is toward zero": (
        "tsoc_divsqrt_round.sv",
        "away = sign_i && (half || rest)",
        "away = 1'b0",
    ),
    "the largest number in place of infinity": (
        "tsoc_divsqrt_round.sv",
        "(sign_i ? RoundDown : RoundUp)",
        "RoundUp",
    ),
    "a number rounded up to the least normal one is not tiny": (
        "tsoc_divsqrt_round.sv",
        "underflow: subnormal &&",
        "underflow: subnormal && !((biased == 0) && magnitude[52]) &&",
    ),
    "what is not boxed counts": (
        "tsoc_divsqrt_unpack.sv",
        "unboxed  = !(&bits_i[63:32])",
        "unboxed  = 1'b0",
    ),
    "a killed operation is done": ("tsoc_divsqrt.sv", "done_q  <= 1'b0;\n      end", "end"),
}
"""What breaks the divider: in a file, a text and another one."""


@cache
def model(mutant: str | None = None) -> Path:
    sources = rtl.resolve("cryptile:soc:tile_fpu")
    how = [
        *tools.words("--cc --exe --build --assert -O3 -Wno-fatal"),
        "--top-module",
        TOP,
        *tools.words("--x-assign unique --x-initial unique"),
        "-CFLAGS",
        f"-std=c++17 -Wall -Wextra -I{FOLDER} -include {tools.COLD}",
        "-MAKEFLAGS",
        f"{tools.ONE_FILE} OPT_FAST=-O1 OPT_GLOBAL=-O2",
    ]

    def make(folder: Path) -> None:
        changed = mutated(sources.files, mutant and MUTANTS[mutant], folder)
        tools.run(
            [
                "verilator",
                *how,
                "-Mdir",
                folder,
                "-o",
                "divsqrt",
                *(f"+incdir+{path}" for path in sources.include_dirs),
                *changed,
                FOLDER / "divsqrt.cpp",
            ],
            log=folder / "build.log",
        )

    inputs = [*sources.inputs, FOLDER / "divsqrt.cpp", FOLDER / "float.h"]
    key = digest(inputs, how, mutant and MUTANTS[mutant], tools.version("verilator"))
    return cached("divsqrt", key, make) / "divsqrt"


@pytest.mark.parametrize(
    ("operations", "seed"), [(200_000, 1), pytest.param(10_000_000, 2, marks=pytest.mark.soak)]
)
def test_results_flags_and_latency(operations: int, seed: int):
    """Everything is exact, in five modes, with kills and pauses; see divsqrt.cpp."""
    words = tools.run([model(), str(operations), str(seed)]).split()
    counted = {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}
    assert counted.pop("operations") == operations
    for what, times in counted.items():
        assert times > operations / 1000, what


@pytest.mark.soak
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_divider_is_seen(mutant: str):
    broken = model(mutant)
    with pytest.raises(CryptileError, match=r" of (singles|doubles), mode \d"):
        tools.run([broken, "200000", "1"])
