"""Every top level in every parameter set: Verilator and slang without a warning."""

import subprocess

import pyslang
import pytest
from msgspec import structs

from cryptile import catalog, flat
from cryptile.catalog import NO_VARIANT, Level, variant_name
from cryptile.designs.source import source
from cryptile.netlist.make import Source
from cryptile.project import BUILD
from cryptile.toolchain import rtl, tools

IN_STEP = "copy"
"""The engine of which three in step are looked at alone; the port of the others has its shape."""

WITHIN = {"cry_axis_engine": "cry_dma_engine"}
"""Shells that stand within other shells, whose lint finds what is in them."""


def is_shell(design):
    """Tell whether a design is an engine in a shell."""
    return design.rtl is not None and design.rtl.select


def points(design):
    """Variants, configurations and levels to look at, and whether they are for ``make test``.

    There, each variant of an engine at each level, and each configuration, is looked at once; all
    of them together are for ``make soak``. Shells know no engine, so there it is the default
    variant that is looked at, at each level, in the largest shell; of the tile besides what stands
    in ``configs`` of its ``lint``. Three engines in step are the same engines again, around which
    the port is that of every engine.
    """
    configs = design.configs | design.lint.configs or {None: {}}
    whole = min(configs, key=lambda config: len(configs[config]))
    shell = is_shell(design)
    if design.lint.each:
        quick = not shell or design.rtl.top not in WITHIN
        for variant in design.variants:
            yield variant, None, Level.none, quick and variant == design.default
        # A configuration without parameters is the variant again.
        for config in filter(configs.get, configs):
            yield design.default, config, Level.none, quick and config in design.lint.configs
        for level in design.levels(design.default)[1:]:
            yield design.default, None, level, quick
        yield from ((design.default, config, Level.none, False) for config in design.lint.soak)
        return
    if design.tmr:
        yield design.default, None, Level.tmr, shell or design.engine == IN_STEP
    for config in configs:
        for variant in design.variants:
            for level in design.levels(variant):
                if level != Level.tmr:
                    alone = (variant, level) == (design.default, Level.none)
                    quick = config == whole or alone
                    yield variant, config, level, quick and (not shell or variant == design.default)


def shells():
    """Every variant of every engine in every shell, but those that are designs of their own.

    For ``make test`` the default one in each shell; a shell within another with one engine alone.
    """
    own = {
        (design.rtl.top, design.engine)
        for design in catalog.designs().values()
        if is_shell(design) and design.lint is not None
    }
    for shell in ("axis", "hwpe", "dma"):
        top = f"cry_{shell}_engine"
        files = rtl.resolve(f"cryptile:shell:{shell}_engine")
        for name, engine in catalog.engines().items():
            if not engine.select or (top, name) in own:
                continue
            for variant in engine.variants or (NO_VARIANT,):
                chosen = {"Engine": variant_name(name, variant)}
                made = Source(top, files, chosen)
                default = variant == (catalog.default_variant(name) or variant)
                quick = default and (top not in WITHIN or name == IN_STEP)
                yield pytest.param(
                    made,
                    id=f"{shell}-of-{name}-{variant}",
                    marks=[] if quick else pytest.mark.soak,
                )


def wrappers():
    """What Verilog instantiates, as it stands; the tile's, which is large, is for ``make soak``."""
    for top in flat.TOPS:
        core = "tile" if top.stem == "cry_tile" else top.stem.removeprefix("cry_")
        made = Source(flat.path(top).stem, rtl.resolve(f"cryptile:shell:{core}"))
        marks = [pytest.mark.soak] if core == "tile" else []
        yield pytest.param(made, id=made.top, marks=marks)


def cases():
    yield from shells()
    yield from wrappers()
    for name, design in catalog.designs().items():
        if design.lint is not None:
            configs = design.configs | design.lint.configs | design.lint.soak
            built = structs.replace(design, configs=configs)
            for variant, config, level, quick in points(design):
                words = (name, variant, config, level)
                yield pytest.param(
                    source(built, variant, level, config),
                    id="-".join(filter(None, words)),
                    marks=[] if quick else pytest.mark.soak,
                )


CASES = list(cases())


@pytest.mark.parametrize("design", CASES)
def test_verilator_finds_nothing(design):
    BUILD.mkdir(exist_ok=True)
    result = subprocess.run(
        [
            tools.find("verilator"),
            *tools.words("--lint-only -Wall --assert"),
            "--top-module",
            design.top,
            *(
                f"-G{name}={rtl.literal(value, design.sources)}"
                for name, value in design.parameters.items()
            ),
            *(f"+incdir+{folder}" for folder in design.sources.include_dirs),
            *map(str, design.sources.files),
        ],
        cwd=BUILD,
        env=tools.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("design", CASES)
def test_slang_finds_nothing(design):
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    words = ["slang", "--top", design.top, *map(str, design.sources.files)]
    words += [f"-I{folder}" for folder in design.sources.include_dirs]
    words += [f'-G "{name}={value}"' for name, value in design.parameters.items()]
    assert driver.parseCommandLine(" ".join(words), pyslang.driver.CommandLineOptions())
    assert driver.processOptions() and driver.parseAllSources()
    compilation = driver.createCompilation()
    driver.reportCompilation(compilation, True)
    assert (driver.diagEngine.numErrors, driver.diagEngine.numWarnings) == (0, 0)
