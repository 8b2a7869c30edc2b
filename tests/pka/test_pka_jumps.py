"""An upset may lead from one program of the public-key engine to the end of another."""

import random
from collections import Counter

import pytest
from support import pka

from cryptile.pka.isa import Word
from cryptile.pka.machine import Machine, ProgramError
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
    rows = dict(machine.rows)
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
        assert not given(machine) & secrets, f"jump to {address}"
    assert ends > 100


def test_jump_gives_no_signature():
    """From a signature that is half made to any end: no two rows come out with a good status."""
    image, rng = pka.image(), random.Random(4)
    machine = pka.started({"k": 5, "e": 6}, iter(lambda: rng.getrandbits(256), -1))
    rows: dict[int, int] = {}

    def watch(cycle: int, word: Word, clock: object) -> None:
        if cycle < 30_000:  # the second inverse: r is there, and x and y of its point
            rows.update(machine.rows)

    machine.watch = watch
    machine.run(image.entries["p256_sign"])
    machine.watch, ends = None, 0
    for address in range(len(image.code)):
        machine.rows = dict(rows)
        try:
            outcome = machine.run(address, limit=200)
        except ProgramError:
            continue
        ends += 1
        first = image.names["result"]
        both = [machine.rows.get(first + n, 0) for n in range(2)]
        assert outcome.flag or not all(both), f"jump to {address}"
    assert ends > 100


def given(machine: Machine) -> set[int]:
    """Return what is in rows of results."""
    image = pka.image()
    first, most = image.names["result"], max(image.results.values())
    return {machine.rows.get(first + n, 0) for n in range(most)}


def flipped(seed: int) -> str:
    """Sign while a bit of the program's counter flips; return what came of it."""
    rng, image, key = random.Random(seed), pka.image(), 0x5EED << 230
    machine = pka.started({"k": key, "e": 99}, iter(lambda: rng.getrandbits(256), -1))
    last = 14_640
    when = rng.choice((rng.randrange(last), rng.randrange(200), rng.randrange(14_000, last)))
    bit, count = rng.randrange(12), 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        if count == when:
            machine.pc ^= 1 << bit

    machine.watch = watch
    try:
        outcome = machine.run(image.entries["p256_sign"], limit=1 << 17)
    except ProgramError:
        return "fault"
    assert not given(machine) & {key, p256.N - key}
    if outcome.flag:
        return "refused"
    r, s = (machine.rows.get(image.names["result"] + n, 0) for n in range(2))
    if not (r and s):
        return "fault"  # of two rows that the engine gives none is zero
    x, y = p256_base.multiple(key, p256_base.G)
    rows = {"x": x, "y": y, "e": 99, "sig_r": r, "sig_s": s}
    return "right" if pka.run_all("p256_verify", rows, iter(()))[0] == [r] != [0] else "wrong"


def check_flips(runs: int) -> None:
    """Who comes right in front of the end of a program is not found; all else is."""
    ends = Counter(flipped(seed) for seed in range(runs))
    assert min(ends[end] for end in ("right", "refused", "fault")) > runs / 20
    assert ends["wrong"] <= runs / 100, ends


def test_flips_some():
    check_flips(16)


@pytest.mark.soak
def test_flips():
    check_flips(1000)
