"""The tile SoC's RTL without lint warnings."""

import pyslang
import pytest

from cryptile.systems import cpus, tile
from cryptile.toolchain import rtl, tools


@pytest.mark.parametrize(
    ("core", "register_io"),
    [
        ("cva6", 0),
        pytest.param("cva6", 1, marks=pytest.mark.soak),
        pytest.param("cva6-fpu", 0, marks=pytest.mark.soak),
    ],
)
def test_lint_is_clean(core: str, register_io: int):
    sources = tile.sources(core)
    tools.run(
        [
            "verilator",
            *tools.words("--lint-only -Wall --assert --top-module tile_soc"),
            f"-GRegisterIo={register_io}",
            *(f"+define+{name}" for name in cpus.defines(core)),
            *(f"+incdir+{path}" for path in sources.include_dirs),
            *tile.waivers,
            *sources.files,
        ]
    )


TOPS = {
    "tile": (
        "tsoc_bridge",
        "tsoc_dcache_valid",
        "tsoc_devices",
        "tsoc_memory",
        "tsoc_router",
        "tsoc_snoop",
    ),
    "tile_fpu": ("div_sqrt_top_mvp",),
}
"""Modules that need no other project's, by the name of their file list."""


@pytest.mark.parametrize(("core", "top"), [(core, top) for core in TOPS for top in TOPS[core]])
def test_slang_finds_nothing_beside_the_core(core: str, top: str):
    sources = rtl.resolve(f"cryptile:soc:{core}")
    files = [path for path in sources.files if path.stem not in ("tile_soc", "tsoc_core")]
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    words = ["slang", "--top", top, *map(str, files), *(f"-I{at}" for at in sources.include_dirs)]
    assert driver.parseCommandLine(" ".join(words), pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources()
    driver.reportCompilation(driver.createCompilation(), True)
    assert (driver.diagEngine.numErrors, driver.diagEngine.numWarnings) == (0, 0)
