"""What the tile's driver refuses to describe follows from the catalogue."""

from support.tile_model import MODES

from cryptile import catalog
from cryptile.project import ROOT
from cryptile.toolchain import tools


def test_keys_and_long_tags_of_every_mode(tmp_path):
    """A job without a key, one with a tag of 256 bytes; modes that are none the tile refuses."""
    program = tmp_path / "described_modes"
    tools.run(
        [
            tools.find("gcc"),
            *tools.words(
                "-std=c11 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=all"
            ),
            *(f"-I{ROOT / 'sw' / name}" for name in ("include", "driver/core")),
            ROOT / "tests/sw/tile/described_modes.c",
            ROOT / "sw/driver/core/tile_job.c",
            "-o",
            program,
        ]
    )
    lines = iter(tools.run([program]).splitlines())
    for opcode in range(256):
        for mode in range(16):
            item = MODES.get((opcode, mode))
            keyless = item is None or item.key is catalog.Key.none
            long_tag = item is not None and item.long_tag
            assert next(lines) == f"{keyless:d} {long_tag:d}", (opcode, mode)
