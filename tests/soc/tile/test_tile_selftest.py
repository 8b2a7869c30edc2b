"""The self test on the tile SoC: known answers, and the driver where it hurts."""

import random
from pathlib import Path

import pytest
from support import tile_vectors

from cryptile import firmware
from cryptile.crypt.tile_algorithms import ALGORITHMS
from cryptile.sim import tile

PER_ALGORITHM, LONGEST = 40, 400

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


def test_selftest(tmp_path: Path) -> None:
    """What is built in runs, with a part of NIST's files behind it, over memory that stalls."""
    rng = random.Random(7)
    chosen = []
    for vectors in tile_vectors.files().values():
        short = [vector for vector in vectors if len(vector.text) <= LONGEST]
        chosen += rng.sample(short, min(PER_ALGORITHM, len(short)))
    (tmp_path / "vectors").write_bytes(tile_vectors.stream(chosen))
    result = tile.run(
        tile.build(),
        firmware.build("selftest_tile"),
        input=tmp_path / "vectors",
        max_cycles=60_000_000,
        stall_percent=20,
    )
    assert result.exit_code == 0, result.console
    lines = [line.split() for line in result.console.splitlines()]
    tallies = {words[0]: words[1:] for words in lines if words[-1] == "ok"}
    assert tallies.keys() >= set(ALGORITHMS) - {"hmac-sha512-224", "hmac-sha512-256"}
    assert result.console.count("ok   driver: ") == 16
    # Tags were forged, and messages interrupted.
    assert int(tallies["aes-128-gcm"][2]) >= 40 and int(tallies["aes-256-xts"][1]) >= 20
