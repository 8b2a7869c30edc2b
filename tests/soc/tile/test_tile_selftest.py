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


def selftest(folder: Path, vectors: list[tile_vectors.Vector]) -> dict[str, list[str]]:
    """Run the program; return the row of each algorithm: vectors, those in parts, forged ones."""
    (folder / "vectors").write_bytes(tile_vectors.stream(vectors))
    result = tile.run(
        tile.build(),
        firmware.build("selftest_tile"),
        input=folder / "vectors",
        max_cycles=20_000_000,
    )
    assert result.exit_code == 0, result.console
    assert result.console.count("ok   driver: ") == 25
    lines = [line.split() for line in result.console.splitlines()]
    tallies = {words[0]: words[1:] for words in lines if words[-1] == "ok"}
    assert tallies.keys() >= set(ALGORITHMS) - {"hmac-sha512-224", "hmac-sha512-256"}
    return tallies


@pytest.mark.soak
def test_selftest(tmp_path: Path) -> None:
    """A vector of each algorithm; beside them GMAC, and keys longer than a descriptor's.

    The others are for a soak: ``test_tile_programs.py`` has what is built in, and many more, on the
    tile in Python, and the engines have theirs at their own ports.
    """
    rng = random.Random(7)
    chosen = []
    for vectors in tile_vectors.files().values():
        right = sorted((v for v in vectors if v.out is not None), key=lambda v: len(v.text))
        long = [vector for vector in right if 32 < len(vector.text) <= 200]
        chosen.append(rng.choice(long or right[-1:]))
    others = tile_vectors.from_wycheproof()
    for alg in ("aes-128-gcm", "aes-256-xts", "hmac-sha512", "kmac128"):
        chosen.append(rng.choice([vector for vector in others if vector.alg == alg]))
    tallies = selftest(tmp_path, chosen)
    # Tags were forged, and messages interrupted.
    assert int(tallies["aes-128-gcm"][2]) >= 2 and int(tallies["aes-256-xts"][1]) >= 1
    assert sum(int(tally[1]) for tally in tallies.values()) >= 28


@pytest.mark.soak
def test_built_in(tmp_path: Path) -> None:
    tallies = selftest(tmp_path, [])
    assert int(tallies["aes-128-gcm"][2]) >= 4 and int(tallies["aes-256-xts"][1]) >= 2


@pytest.mark.soak
def test_vectors_of_others(tmp_path: Path) -> None:
    """More of NIST and Wycheproof."""
    rng = random.Random(8)
    chosen = []
    for vectors in tile_vectors.files().values():
        vectors.sort(key=lambda vector: len(vector.text))
        chosen.append(rng.choice(vectors[: len(vectors) // 2 + 1]))
    others = tile_vectors.from_wycheproof()
    for alg in ("aes-128-gcm", "aes-256-gcm", "aes-128-xts", "aes-256-xts"):
        chosen += rng.sample([vector for vector in others if vector.alg == alg], 4)
    for alg in ("hmac-sha256", "hmac-sha512", "kmac128", "kmac256"):
        chosen += rng.sample([vector for vector in others if vector.alg == alg], 1)
    selftest(tmp_path, chosen)
