"""Whole tables of mutants: each fails the proof, or is shown to do no harm."""

import pytest
from support.netlists import survivors

from cryptile.designs import load as designs
from cryptile.designs.load import Use

TABLES = [
    *(
        (part, "small", level)
        for part in (
            "tile_bus",
            "tile_complete",
            "tile_dispatch",
            "tile_fetch",
            "tile_guard",
            "tile_permit",
            "tile_queue",
        )
        for level in ("correct", "detect")
    ),
    *(
        (part, "full", level)
        for part in ("tile_control", "tile_lock", "tile_reset")
        for level in ("correct", "detect")
    ),
    ("aes", "iterative", "correct"),
    ("aes", "iterative", "detect"),
    ("ascon", "r1", "correct"),
    ("ascon", "r1", "detect"),
    ("chacha20poly1305", "opt", "correct"),
    ("drbg", "iterative", "correct"),
    ("keccak", "r1", "correct"),
    ("sha2", "r1", "detect"),
]
"""Parts of the tile, and engines, of which a whole table was made and nothing survives."""


@pytest.mark.soak
@pytest.mark.parametrize(("name", "variant", "level"), TABLES)
def test_no_mutant_survives(name, variant, level):
    assert survivors(designs.load(name, variant, level, Use.prove)) == []
