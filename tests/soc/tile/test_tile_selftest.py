"""The self test on the tile SoC: known answers, and the driver where it hurts."""

import random
from pathlib import Path

import pytest
from support import tile_vectors

from cryptile import firmware
from cryptile.crypt.tile_algorithms import ALGORITHMS
from cryptile.systems import tile

# One worker builds and uses the model.
pytestmark = pytest.mark.xdist_group("tile-model")


def test_selftest(tmp_path: Path) -> None:
    """What is built in, and some vectors of NIST and Wycheproof from the program's input."""
    rng = random.Random(7)
    chosen = []
    for vectors in list(tile_vectors.files().values())[::6]:
        vectors.sort(key=lambda vector: len(vector.text))
        chosen.append(rng.choice(vectors[: len(vectors) // 2 + 1]))
    others = tile_vectors.from_wycheproof()
    for alg in ("aes-128-gcm", "aes-256-gcm", "aes-128-xts", "aes-256-xts"):
        chosen += rng.sample([vector for vector in others if vector.alg == alg], 4)
    for alg in ("hmac-sha256", "hmac-sha512", "kmac128", "kmac256"):
        chosen += rng.sample([vector for vector in others if vector.alg == alg], 1)
    (tmp_path / "vectors").write_bytes(tile_vectors.stream(chosen))
    result = tile.run(
        tile.build(),
        firmware.build("selftest_tile"),
        input=tmp_path / "vectors",
        max_cycles=20_000_000,
    )
    assert result.exit_code == 0, result.console
    lines = [line.split() for line in result.console.splitlines()]
    tallies = {words[0]: words[1:] for words in lines if words[-1] == "ok"}
    assert tallies.keys() >= set(ALGORITHMS) - {"hmac-sha512-224", "hmac-sha512-256"}
    assert result.console.count("ok   driver: ") == 23
    # Tags were forged, and messages interrupted.
    assert int(tallies["aes-128-gcm"][2]) >= 4 and int(tallies["aes-256-xts"][1]) >= 2
