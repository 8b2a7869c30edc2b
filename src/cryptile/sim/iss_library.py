"""The C library of the instruction-set simulator: built on first use, bound by ctypes."""

import ctypes
import re
from ctypes import POINTER, Structure, c_char_p, c_int, c_uint32, c_uint64, c_void_p
from functools import cache
from pathlib import Path

from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.sim.timing import EARLY, Timing
from cryptile.toolchain import cache as builds
from cryptile.toolchain import tools

SOURCES = ROOT / "sim/iss"
_FLAGS = ["-std=c11", "-O3", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]

SECRET, READ, WRITE, INIT, EXEC = 1, 2, 4, 8, 16

CLASSES = (
    "alu", "shift", "rotate", "bitmanip", "crypto", "carry", "load", "load_narrow", "store",
    "branch", "branch_taken", "jump", "jump_register", "mul", "mulh", "clmul", "div", "system",
)  # fmt: skip
"""Classes of instructions, in the order of ``iss_class_t``."""

STOPS = (
    "return", "timeout", "ecall", "ebreak", "illegal", "fetch", "misaligned-fetch", "load", "store",
    "misaligned-load", "misaligned-store",
)  # fmt: skip
"""Why a run stopped, in the order of ``iss_stop_t``."""

VIOLATIONS = ("branch", "jump", "load", "store", "div", "mul", "uninitialised")
"""Kinds of violations, in the order of ``iss_violation_kind_t``."""

MAX_VIOLATIONS = 256


class CTiming(Structure):
    """``iss_timing_t``."""

    _fields_ = [
        ("cycles", c_uint32 * len(CLASSES)),
        ("latency", c_uint32 * len(CLASSES)),
        ("mul_busy", c_uint32),
        ("mul_variable", c_uint32),
        ("taken_forward", c_uint32),
        ("taken_backward", c_uint32),
        ("not_taken_forward", c_uint32),
        ("not_taken_backward", c_uint32),
        ("misaligned_target", c_uint32),
        ("jump_operand", c_uint32),
        ("jump_same", c_uint32),
        ("jump_hidden", c_uint32),
        ("div_zero", c_uint32),
        ("div_per_bit", c_uint32),
        ("div_early", c_uint32),
    ]


class CViolation(Structure):
    """``iss_violation_t``."""

    _fields_ = [
        ("pc", c_uint64),
        ("address", c_uint64),
        ("count", c_uint64),
        ("kind", c_uint32),
        ("pad", c_uint32),
    ]


class CInfo(Structure):
    """``iss_info_t``."""

    _fields_ = [
        ("pc", c_uint64),
        ("address", c_uint64),
        ("instructions", c_uint64),
        ("cycles", c_uint64),
        ("misaligned", c_uint64),
        ("stack_base", c_uint64),
        ("stack_low", c_uint64),
        ("counts", c_uint64 * len(CLASSES)),
        ("stop", c_uint32),
        ("size", c_uint32),
        ("encoding", c_uint32),
        ("violations", c_uint32),
        ("violation", CViolation * MAX_VIOLATIONS),
    ]


def c_timing(timing: Timing) -> CTiming:
    """Return a timing model in the form of the library."""
    model = CTiming()
    if others := timing.class_cycles.keys() - set(CLASSES):
        raise UsageError(f"no class of instructions {min(others)}; known: {', '.join(CLASSES)}")
    for index, name in enumerate(CLASSES):
        model.cycles[index] = model.latency[index] = timing.class_cycles.get(name, 1)

    def set_class(name: str, cycles: int, latency: int) -> None:
        index = CLASSES.index(name)
        model.cycles[index], model.latency[index] = cycles, latency

    set_class("load", timing.load_cycles, timing.load_latency)
    narrow = timing.load_narrow_latency or timing.load_latency
    set_class("load_narrow", timing.load_cycles, narrow)
    set_class("store", timing.store_cycles, 1)
    set_class("mul", timing.mul_cycles, timing.mul_latency)
    set_class("mulh", timing.mulh_cycles, timing.mulh_latency)
    set_class("div", timing.div_cycles, timing.div_cycles)
    set_class("jump", 1 + timing.jump, 1)
    set_class("jump_register", 1 + timing.jump_register, 1)
    model.mul_busy, model.mul_variable = timing.mul_busy, timing.mul_variable
    if timing.static_prediction:
        model.taken_forward = model.not_taken_backward = timing.mispredicted
    else:
        model.taken_forward = model.taken_backward = timing.taken
        model.not_taken_forward = model.not_taken_backward = timing.not_taken
    model.misaligned_target = timing.misaligned_target
    model.jump_operand, model.jump_hidden = timing.jump_operand, timing.jump_hidden
    model.jump_same = timing.jump_same
    model.div_zero = timing.div_zero or 0
    model.div_per_bit = timing.div_per_bit
    model.div_early = EARLY.index(timing.div_early)
    return model


_EXTENSIONS = (
    "m", "c", "zicsr", "zifencei", "zba", "zbb", "zbc", "zbs", "zbkb", "zbkc", "zbkx", "zknd",
    "zkne", "zknh", "xcarry", "zmmul", "e",
)  # fmt: skip
"""Extensions in the order of the ``ISS_EXT_`` bits."""

_GROUPS = {
    "b": ("zba", "zbb", "zbs"),
    "zkn": ("zbkb", "zbkc", "zbkx", "zknd", "zkne", "zknh"),
    "zicntr": ("zicsr",),
    "zkt": (),
    "i": (),
}


def parse_isa(isa: str) -> tuple[int, int]:
    """Return width and extension bits of an instruction set like ``rv32imc_zbb``.

    Raises:
        UsageError: it is not one that the simulator has.
    """
    match = re.fullmatch(r"rv(32|64)([ie][a-y]*?)((?:_?[zx][a-z0-9]+)*)", isa.lower())
    if match is None:
        raise UsageError(f"{isa} is no instruction set like rv32imc_zbb or rv64im_zkn")
    bits = 0
    for word in [*match[2], *re.findall(r"[zx][a-z0-9]+", match[3].replace("_", " "))]:
        for name in _GROUPS.get(word, (word,)):
            if name not in _EXTENSIONS:
                known = ", ".join([*_EXTENSIONS, *_GROUPS])
                raise UsageError(f"{isa}: the simulator has no extension {name}; known: {known}")
            bits |= 1 << _EXTENSIONS.index(name)
    return int(match[1]), bits


def build() -> Path:
    """Build the library, if it is not in the cache, and return its path."""
    files = sorted([*SOURCES.glob("*.c"), *SOURCES.glob("*.h"), *SOURCES.glob("*.def")])
    compiler = tools.find("gcc", "build-essential")

    def make(folder: Path) -> None:
        sources = [path for path in files if path.suffix == ".c"]
        tools.run([compiler, *_FLAGS, *sources, "-o", folder / "libiss.so"])

    key = builds.digest(files, _FLAGS, tools.version(compiler))
    return builds.build("iss", key, make) / "libiss.so"


@cache
def load() -> ctypes.CDLL:
    """Return the library with its functions declared."""
    library = ctypes.CDLL(str(build()))
    machine, number, flag = c_void_p, c_uint64, c_uint32
    for name, result, arguments in [
        ("iss_new", machine, [flag, flag, flag, POINTER(CTiming)]),
        ("iss_free", None, [machine]),
        ("iss_options", None, [machine, flag, flag]),
        ("iss_map", c_int, [machine, number, number]),
        ("iss_protect", c_int, [machine, number, number, flag]),
        ("iss_read", c_int, [machine, number, c_char_p, number]),
        ("iss_write", c_int, [machine, number, c_char_p, number]),
        ("iss_taint", c_int, [machine, number, number, flag]),
        ("iss_is_tainted", c_int, [machine, number, number]),
        ("iss_forget", c_int, [machine, number, number]),
        ("iss_profile", None, [machine]),
        ("iss_read_profile", c_int, [machine, number, POINTER(c_uint64), number]),
        ("iss_registers", POINTER(c_uint64), [machine]),
        ("iss_taints", POINTER(c_uint64), [machine]),
        ("iss_info", POINTER(CInfo), [machine]),
        ("iss_reset_info", None, [machine]),
        ("iss_run", None, [machine, number, number, number]),
    ]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
