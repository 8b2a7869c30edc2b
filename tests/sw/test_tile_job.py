"""What the tile's driver refuses to describe follows from the catalogue."""

from support.tile_model import MODES

from cryptile import catalog
from cryptile.project import ROOT
from cryptile.toolchain import tools


def program(folder, name, source):
    """Build a program of ``tests/sw/tile`` with a file of the driver's core."""
    made = folder / name
    words = "-std=c11 -Wall -Wextra -Werror -fsanitize=undefined -fno-sanitize-recover=all"
    tools.run(
        [
            tools.find("gcc"),
            *tools.words(words),
            *(f"-I{ROOT / 'sw' / place}" for place in ("include", "driver/core")),
            ROOT / f"tests/sw/tile/{name}.c",
            ROOT / f"sw/driver/core/{source}",
            "-o",
            made,
        ]
    )
    return made


def test_keys_and_long_tags_of_every_mode(tmp_path):
    """A job without a key, one with a tag of 256 bytes; modes that are none the tile refuses."""
    lines = iter(tools.run([program(tmp_path, "described_modes", "tile_job.c")]).splitlines())
    for opcode in range(256):
        for mode in range(16):
            item = MODES.get((opcode, mode))
            keyless = item is None or item.key is catalog.Key.none
            long_tag = item is not None and item.long_tag
            assert next(lines) == f"{keyless:d} {long_tag:d}", (opcode, mode)


def test_lengths_that_a_nonce_of_ccm_leaves_room_for(tmp_path):
    """A longer message had its length cut, in the tag and in the counter."""
    tools.run([program(tmp_path, "ccm_lengths", "tile_alg.c")])
