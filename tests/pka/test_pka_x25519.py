"""X25519 on the public-key engine's simulator: others' vectors, and the same cycles for all."""

import itertools
import random
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from support import pka, wycheproof
from support.pka import seeded

from cryptile.pka.machine import Outcome
from cryptile.pka.programs.ed25519 import L
from cryptile.pka.programs.x25519 import P

pytestmark = pytest.mark.usefixtures("machine")


def agree(scalar: bytes, point: bytes, seed: int) -> tuple[bytes, Outcome]:
    rng = random.Random(seed)
    rows = {"k": int.from_bytes(scalar, "little"), "u": int.from_bytes(point, "little")}
    result, outcome = pka.run("x25519", rows, iter(lambda: rng.getrandbits(256), None))
    return result.to_bytes(32, "little"), outcome


def test_wycheproof():
    count = 0
    for group in wycheproof.load("x25519_test.json")["testGroups"]:
        for case in group["tests"]:
            scalar, point = bytes.fromhex(case["private"]), bytes.fromhex(case["public"])
            result, outcome = agree(scalar, point, case["tcId"])
            assert result.hex() == case["shared"], case["tcId"]
            assert outcome.flag == (not any(result))
            count += 1
    assert count > 500


@pytest.mark.parametrize("machine", ["compact", "fast"], indirect=True)
def test_rfc7748_iterated():
    scalar = point = (9).to_bytes(32, "little")
    result, _ = agree(scalar, point, 1)
    assert result.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"


def check_random(count: int) -> None:
    """Both sides agree, and on what OpenSSL says."""
    rng = random.Random(count)
    for turn in range(count):
        mine, other = rng.randbytes(32), X25519PrivateKey.from_private_bytes(rng.randbytes(32))
        key = X25519PrivateKey.from_private_bytes(mine)
        result, outcome = agree(mine, other.public_key().public_bytes_raw(), turn)
        assert result == key.exchange(other.public_key()) and not outcome.flag


def test_random_some():
    check_random(10)


@pytest.mark.soak
def test_random():
    check_random(1000)


# --- Key generation ----------------------------------------------------------------------------

TOP = 2**256 - 1


def made(draws: Iterator[int]) -> tuple[bytes, bytes] | None:
    """Return a new key and its public one, as OpenSSL and the ladder have it; None: refused."""
    (scalar, public), outcome = pka.run_all("x25519_keygen", {}, draws)
    if outcome.flag:
        assert not scalar and not public
        return None
    key, given = scalar.to_bytes(32, "little"), public.to_bytes(32, "little")
    assert X25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw() == given
    assert agree(key, (9).to_bytes(32, "little"), 1)[0] == given
    return key, given


def check_keys(count: int) -> None:
    keys = [made(seeded(turn)) for turn in range(count)]
    assert None not in keys and len(set(keys)) == count


def test_keys_some():
    check_keys(5)


@pytest.mark.soak
def test_keys():
    check_keys(200)


@pytest.mark.parametrize("machine", ["compact", "fast"], indirect=True)
@pytest.mark.parametrize(
    "scalar", [0, 1, 7, 8 * L, L, 2**254, 2**254 - 8, 2**255 - 1, 2**255, P, 2 * P, TOP - 7, TOP]
)
def test_edge_keys(scalar):
    """Every row is a key, and is kept as it was drawn."""
    key, _ = made(seeded(1, scalar % 2**256)) or (None, None)
    assert key == (scalar % 2**256).to_bytes(32, "little")


@pytest.mark.parametrize("value", [0, 1, 0xACE << 240, TOP])
def test_stuck_random_port(value):
    """No key is made of rows that repeat, be it with the first coordinate or the second."""
    assert made(itertools.repeat(value)) is None
    assert made(seeded(1, value, 5, value)) is None


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("dead", [0, P, 2 * P])
def test_dead_random_rows(place, dead):
    """A coordinate of zero gives nothing."""
    rows = [12345, 6, 7]
    rows[place] = dead
    assert made(iter(rows)) is None
