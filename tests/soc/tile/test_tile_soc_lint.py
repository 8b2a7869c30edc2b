"""The tile SoC's RTL without lint warnings."""

from cryptile.systems import cpus, tile
from cryptile.toolchain import tools


def test_lint_is_clean():
    sources = tile.sources()
    tools.run(
        [
            "verilator", "--lint-only", "-Wall", "--assert", "--top-module", "tile_soc",
            *(f"+define+{name}" for name in cpus.defines("cva6")),
            *(f"+incdir+{path}" for path in sources.include_dirs),
            *tile.waivers,
            *sources.files,
        ]
    )  # fmt: skip
