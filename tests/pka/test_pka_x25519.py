"""X25519 on the public-key engine's simulator: others' vectors, and the same cycles for all."""

import random

import pytest
from support import pka, wycheproof

from cryptile.pka.machine import Outcome

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
