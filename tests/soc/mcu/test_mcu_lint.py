"""The microcontroller's RTL without lint warnings, with both processor cores."""

import pytest

from cryptile.systems import mcu
from cryptile.toolchain import tools


@pytest.mark.parametrize("core", ["cv32e40p", "ibex"])
def test_lint_is_clean(core: str):
    sources = mcu.sources(core)
    tools.run(
        [
            "verilator",
            *tools.words("--lint-only -Wall --assert --top-module mcu_soc"),
            f"-GCore={0 if core == 'cv32e40p' else 1}",
            *(f"+incdir+{path}" for path in sources.include_dirs),
            *mcu.waivers,
            *sources.files,
        ]
    )
