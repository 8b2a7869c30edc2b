"""The stream SoC's RTL without lint warnings, with every engine and both bus widths."""

import pytest

from cryptile.systems import stream
from cryptile.toolchain import tools


@pytest.mark.parametrize(("engine", "width"), [(0, 64), (1, 128), (2, 128)])
def test_lint_is_clean(engine: int, width: int):
    sources = stream.sources()
    tools.run(
        [
            "verilator", "--lint-only", "-Wall", "--assert", "--top-module", "stream_soc",
            f"-GEngine={engine}", f"-GDataWidth={width}",
            *(f"+incdir+{path}" for path in sources.include_dirs),
            *stream.waivers,
            *sources.files,
        ]
    )  # fmt: skip
