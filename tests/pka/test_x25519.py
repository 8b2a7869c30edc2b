"""X25519 on the public-key engine's simulator: others' vectors, and the same cycles for all."""

import random

import pytest
from support import wycheproof

from cryptile.pka import programs
from cryptile.pka.machine import Machine, Outcome

CYCLES = 36973


@pytest.fixture(scope="module")
def image():
    return programs.image()


def agree(image, scalar: bytes, point: bytes, seed: int) -> tuple[bytes, Outcome]:
    rng = random.Random(seed)
    machine = Machine(image.code, dict(image.constants), iter(lambda: rng.getrandbits(256), None))
    machine.rows[image.names["k"]] = int.from_bytes(scalar, "little")
    machine.rows[image.names["u"]] = int.from_bytes(point, "little")
    outcome = machine.run(image.entries["x25519"])
    return machine.rows[image.names["result"]].to_bytes(32, "little"), outcome


def test_wycheproof(image):
    count = 0
    for group in wycheproof.load("x25519_test.json")["testGroups"]:
        for case in group["tests"]:
            scalar, point = bytes.fromhex(case["private"]), bytes.fromhex(case["public"])
            result, outcome = agree(image, scalar, point, case["tcId"])
            assert result.hex() == case["shared"], case["tcId"]
            assert outcome.flag == (not any(result))
            assert outcome.cycles == CYCLES
            count += 1
    assert count > 500


def test_rfc7748_iterated(image):
    scalar = point = (9).to_bytes(32, "little")
    result, _ = agree(image, scalar, point, 1)
    assert result.hex() == "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"
