"""Every top level in every parameter set: Verilator and slang without a warning."""

import subprocess

import pyslang
import pytest

from cryptile.project import BUILD
from cryptile.toolchain import rtl, tools

IMPLS = {"serial": 0, "iterative": 1, "pipelined": 2}
# Parameters that are enumerations: slang wants a name, Verilator a number.
ENUM_NAMES = {
    ("aes", "Impl"): ["aes_pkg::ImplSerial", "aes_pkg::ImplIterative", "aes_pkg::ImplPipelined"],
    ("chacha20poly1305", "Impl"): [
        f"chacha20poly1305_pkg::Impl{name}" for name in ("Std", "Opt", "Wide", "Pipelined")
    ],
}
ENUM_NAMES["modes", "Impl"] = ENUM_NAMES["aes", "Impl"]
PROTECT_NAMES = [f"prim_protect_pkg::Protect{name}" for name in ("None", "Detect", "Correct")]
CHACHA = "cryptile:engine:chacha20poly1305"
LOCKSTEP_CHACHA = "cryptile:engine:lockstep_chacha20poly1305"
CIPHERS = {
    "full": {"EnDecrypt": 1, "EnKey192": 1, "EnKey256": 1},
    "enc-128": {"EnDecrypt": 0, "EnKey192": 0, "EnKey256": 0},
    "enc-all-keys": {"EnDecrypt": 0, "EnKey192": 1, "EnKey256": 1},
    "both-256": {"EnDecrypt": 1, "EnKey192": 0, "EnKey256": 1},
}
MODES = {
    "all-modes": {"EnEcb": 1, "EnCbc": 1, "EnCtr": 1},
    "ctr": {"EnEcb": 0, "EnCbc": 0, "EnCtr": 1},
    "ecb-cbc": {"EnEcb": 1, "EnCbc": 1, "EnCtr": 0},
}


def cases():
    yield "cryptile:shell:hwpe_copy", "hwpe_copy", {}
    yield "cryptile:shell:axis_copy", "axis_copy", {}
    yield "cryptile:shell:axis_aes", "axis_aes", {"Impl": 2, **CIPHERS["full"]}
    for impl in (0, 1):
        yield "cryptile:shell:axis_chacha20poly1305", "axis_chacha20poly1305", {"Impl": impl}
    for width in (64, 128):
        yield "cryptile:shell:axi_dma", "axi_dma", {"DataWidth": width}
    yield "cryptile:shell:tile_lane", "tile_lane", {"KeysAdjacent": 1}
    yield "cryptile:shell:tile_bus", "tile_bus", {"NumReaders": 7, "NumWriters": 3}
    yield "cryptile:shell:dma_chacha20poly1305", "dma_chacha20poly1305", {}
    for parameters in (
        {}, {"AesLanes": 1}, {"NumQueues": 1}, {"NumQueues": 8, "Protect": 2}, {"Protect": 1},
    ):  # fmt: skip
        yield "cryptile:shell:tile", "tile", parameters
    for part in ("guard", "permit"):
        for protect in (0, 1, 2):
            yield "cryptile:shell:tile_queues", f"tile_{part}", {"Protect": protect}
    yield "cryptile:engine:copy", "copy_engine", {}
    for impl in range(4):
        for mac, protect in ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2)):
            parameters = {"Impl": impl, "EnPoly1305": mac, "Protect": protect}
            yield CHACHA, "chacha20poly1305_engine", parameters
    for impl, number in IMPLS.items():
        for cipher in CIPHERS.values():
            yield "cryptile:engine:aes", f"aes_core_{impl}", cipher
        for cipher, modes in (
            ("full", "all-modes"),
            ("enc-all-keys", "ctr"),
            ("enc-128", "ecb-cbc"),
        ):
            parameters = {"Impl": number, **CIPHERS[cipher], **MODES[modes]}
            yield "cryptile:engine:aes", "aes_engine", parameters
        for cipher, modes in (("full", "all-modes"), ("enc-128", "ecb-cbc")):
            parameters = {"Impl": number, **CIPHERS[cipher], **MODES[modes]}
            yield "cryptile:shell:hwpe_aes", "hwpe_aes", parameters
    for cipher, modes in (("full", "all-modes"), ("enc-128", "ecb-cbc")):
        for protect in (1, 2):
            parameters = {"Impl": 1, **CIPHERS[cipher], **MODES[modes], "Protect": protect}
            yield "cryptile:engine:aes", "aes_engine", parameters
            yield "cryptile:shell:hwpe_aes", "hwpe_aes", parameters
    for impl in (1, 2):
        for built in (0, 1):
            parts = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")
            parameters = {"Impl": impl, **{f"En{part}": built for part in parts}}
            for protect in (0, 1, 2) if impl == 1 else (0,):
                parameters = {**parameters, "Protect": protect}
                yield "cryptile:engine:aes_modes", "aes_modes_engine", parameters
    for built in (0, 1):
        parts = ("Decrypt", "Key192", "Key256", "Gcm", "Ccm", "Cmac", "Xts")
        parameters = {"Lanes": 2 + 2 * built, **{f"En{part}": built for part in parts}}
        yield "cryptile:engine:aes_modes", "aes_modes_lanes", parameters
    yield "cryptile:engine:lockstep", "engine_lockstep", {}
    yield "cryptile:engine:lockstep_aes", "aes_engine_lockstep", {"Impl": 1, **CIPHERS["full"]}
    yield LOCKSTEP_CHACHA, "chacha20poly1305_engine_lockstep", {"Impl": 1, "EnPoly1305": 1}
    for rounds, protect in ((1, 0), (1, 1), (1, 2), (2, 0), (2, 2)):
        parameters = {"RoundsPerCycle": rounds, "Protect": protect}
        yield "cryptile:engine:keccak", "keccak_engine", parameters
    for wide, hmac in ((0, 0), (0, 1), (1, 0), (1, 1)):
        for rounds, protect in ((1, 0), (1, 1), (1, 2), (2, 0)):
            parameters = {
                "RoundsPerCycle": rounds, "EnSha512": wide, "EnHmac": hmac, "Protect": protect,
            }  # fmt: skip
            yield "cryptile:engine:sha2", "sha2_engine", parameters
    for primitive in ("reg_tmr", "reg_ecc", "fsm_protected", "ram", "fifo", "arbiter"):
        for protect in (0, 1, 2):
            yield "cryptile:common:all", f"prim_{primitive}", {"Protect": protect}


def name(case):
    _, top, parameters = case
    return "-".join([top, *(str(value) for value in parameters.values())])


def sized(key, value):
    """Verilator finds a plain number too wide for a two-bit enumeration."""
    return f"2'd{value}" if key == "Protect" else value


CASES = list(cases())


@pytest.mark.parametrize(("core", "top", "parameters"), CASES, ids=map(name, CASES))
def test_verilator_finds_nothing(core, top, parameters):
    sources = rtl.resolve(core)
    # The package's modes are for the engine and those above it: a bare core uses none of them.
    waivers = ["-Wno-UNUSEDPARAM"] if top.startswith("aes_core_") else []
    BUILD.mkdir(exist_ok=True)
    result = subprocess.run(
        [
            tools.find("verilator"), "--lint-only", "-Wall", *waivers, "--assert",
            "--top-module", top,
            *(f"-G{key}={sized(key, value)}" for key, value in parameters.items()),
            *(f"+incdir+{folder}" for folder in sources.include_dirs),
            *map(str, sources.files),
        ],
        cwd=BUILD,
        env=tools.environment(),
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(("core", "top", "parameters"), CASES, ids=map(name, CASES))
def test_slang_finds_nothing(core, top, parameters):
    sources = rtl.resolve(core)
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    words = ["slang", "--top", top, *(f"-I{folder}" for folder in sources.include_dirs)]
    words += map(str, sources.files)
    for key, value in parameters.items():
        names = ENUM_NAMES.get((core.split(":")[-1].split("_")[-1], key))
        names = PROTECT_NAMES if key == "Protect" else names
        words.append(f"-G {key}={names[value] if names else value}")
    assert driver.parseCommandLine(" ".join(words), pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources()
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    assert (driver.diagEngine.numErrors, driver.diagEngine.numWarnings) == (0, 0)
