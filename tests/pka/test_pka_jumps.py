"""An upset may lead from one program of the public-key engine to the end of another."""

import random

import pytest
from support import pka

from cryptile.pka.machine import ProgramError
from cryptile.pka.programs import p256, p256_base

X, Y = p256_base.G
SECRETS = {
    "x25519": ("k",),
    "p256_ecdh": ("k",),
    "p256_sign": ("k", "key2", "nonce", "c", "c2"),
    "p256_public": ("k", "c"),
    "ed25519_public": ("k", "c"),
    "ed25519_commit": ("nonce0", "nonce1", "c"),
    "ed25519_sign": ("k", "key3", "nonce0", "nonce1", "c"),
}


@pytest.mark.parametrize("entry", SECRETS)
def test_jump_gives_no_key(entry):
    """Whatever end it leads to, no key is a row of a result."""
    image, rng = pka.image(), random.Random(3)
    rows = {name: rng.getrandbits(255) for name in ("e", "u", "nonce0", "nonce1", "hash0", "hash1")}
    rows |= {"k": 0xACE << 200 | 1, "x": X, "y": Y}
    machine = pka.started(rows, iter(lambda: rng.getrandbits(256), -1))
    machine.run(image.entries[entry])
    first, rows = image.names["result"], dict(machine.rows)
    secrets = {rows[image.names[name]] for name in SECRETS[entry]} - {0}
    secrets |= {p256.N - secret for secret in secrets}
    ends = 0
    for address in range(len(image.code)):
        machine.rows = dict(rows)
        try:
            machine.run(address, limit=60)
        except ProgramError:
            continue
        ends += 1
        given = {machine.rows.get(first + n, 0) for n in range(max(image.results.values()))}
        assert not given & secrets, f"jump to {address}"
    assert ends > 100
