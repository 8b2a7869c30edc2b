"""The tile's driver and programs, natively, on the tile in Python: before any RTL is simulated."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "tile"))
import host_tile
from support import tile_vectors

PER_ALGORITHM, LONGEST = 12, 800


@pytest.fixture(scope="module")
def selftest() -> host_tile.Host:
    return host_tile.Host(host_tile.build(["selftest_tile", "selftest_tile_driver", "tile_app"]))


def test_selftest(selftest: host_tile.Host) -> None:
    """Known answers of NIST and the RFCs, there and back, forged, in parts; and the driver."""
    rng = random.Random(5)
    chosen = []
    for vectors in tile_vectors.files().values():
        short = [vector for vector in vectors if len(vector.text) <= LONGEST]
        chosen += rng.sample(short, min(PER_ALGORITHM, len(short)))
    code, _, console = selftest.main(data=tile_vectors.stream(chosen))
    assert code == 0, console
