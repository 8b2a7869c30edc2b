"""The stream SoC's RTL without lint warnings, with every engine and both bus widths."""

import pytest

from cryptile import catalog
from cryptile.systems import stream
from cryptile.toolchain import rtl, tools


@pytest.mark.parametrize(
    ("engine", "width"), [("copy", 64), ("aes", 128), ("chacha20poly1305", 128)]
)
def test_lint_is_clean(engine: str, width: int):
    sources = stream.sources()
    _, _, chosen = rtl.literal(catalog.variant_name(engine), sources).rpartition("d")
    tools.run(
        [
            "verilator",
            *tools.words("--lint-only -Wall --assert --top-module stream_soc"),
            f"-GEngine={chosen}",
            f"-GDataWidth={width}",
            *(f"+incdir+{path}" for path in sources.include_dirs),
            *stream.waivers,
            *sources.files,
        ]
    )
