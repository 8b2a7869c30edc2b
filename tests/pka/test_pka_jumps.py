"""An upset may lead from one program of the public-key engine to the end of another."""

import random
from collections import Counter

import pytest
from support import pka
from support.pka_curve import OnCurve, each, each_soaking

from cryptile.pka.builder import Image
from cryptile.pka.isa import Word
from cryptile.pka.machine import Machine, ProgramError
from cryptile.pka.programs import CURVES as BY_WIDTH
from cryptile.pka.programs import base

SECRETS = {
    "x25519": ("k",),
    "p256_ecdh": ("k",),
    "p256_sign": ("k", "key2", "nonce", "c", "c2"),
    "p256_public": ("k", "c"),
    "p384_ecdh": ("k",),
    "p384_sign": ("k", "key2", "nonce", "c", "c2"),
    "p384_public": ("k", "c"),
    "p521_ecdh": ("k",),
    "p521_sign": ("k", "key2", "nonce", "c", "c2"),
    "p521_public": ("k", "c"),
    "ed25519_public": ("k", "c"),
    "ed25519_commit": ("nonce0", "nonce1", "c"),
    "ed25519_sign": ("k", "nonce0", "nonce1", "c"),
    "ed25519_nonce": ("k", "nonce0", "held", "held_nonce", "c"),
    "ed25519_sign_once": ("k", "nonce0", "c"),
}
HELD = {"ed25519_nonce": 2}
"""Rows of a result, from the first on, that are for a key slot and for no memory."""


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("entry", SECRETS)
def test_jump_gives_no_key(entry):
    """Whatever end it leads to, no key is a row of a result."""
    width, rng = pka.machine_of(entry), random.Random(3)
    image, curve = pka.image(width), BY_WIDTH[width]
    rows = {name: rng.getrandbits(255) for name in ("e", "u", "nonce0", "nonce1", "hash0", "hash1")}
    rows = {name: value for name, value in rows.items() if name in image.names}
    rows |= {"k": 0xACE << 200 | 1, "x": curve.g[0], "y": curve.g[1]}
    machine = pka.started(rows, iter(lambda: rng.getrandbits(width.bits), -1), width)
    machine.run(image.entries[entry])
    rows = dict(machine.rows)
    secrets = {rows[image.names[name]] for name in SECRETS[entry]} - {0}
    secrets |= {curve.n - secret for secret in secrets}
    ends = 0
    for address in range(len(image.code)):
        machine.rows = dict(rows)
        try:
            machine.run(address, limit=60)
        except ProgramError:
            continue
        ends += 1
        assert not given(machine, image, HELD.get(entry, 0)) & secrets, f"jump to {address}"
    assert ends > 100


@each
def test_jump_gives_no_signature(at):
    """From a signature that is half made to any end: no two rows come out with a good status."""
    image = at.image
    machine = at.started({"k": 5, "e": 6}, at.seeded(4))
    rows: dict[int, int] = {}
    r, s, b = (image.names[name] for name in ("sig_r", "sig_s", "gb"))

    def watch(cycle: int, word: Word, clock: object) -> None:
        # There are r, and x and y of its point, and the inverse is not, or with P-256, which makes
        # it before them, its products are not.
        left = not machine.rows.get(s) if at.curve.inverse else machine.rows.get(b, 0) > 1
        if machine.rows.get(r) and left:
            rows.update(machine.rows)

    machine.watch = watch
    machine.run(at.entry("sign"))
    assert rows
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


def given(machine: Machine, image: Image, held: int = 0) -> set[int]:
    """Return what is in rows of results, but for the first ones, which are ``held``."""
    first, most = image.names["result"], max(image.results.values())
    return {machine.rows.get(first + n, 0) for n in range(held, most)}


LAST = {"p256": 11_180, "p256-fast": 7_350, "p384": 20_250, "p521": 28_190}
"""Instructions of a signature."""


def flipped(at: OnCurve, seed: int) -> str:
    """Sign while a bit of the program's counter flips; return what came of it."""
    rng, key = random.Random(seed), 0x5EED << 230
    machine = at.started({"k": key, "e": 99}, iter(lambda: rng.getrandbits(at.bits), -1))
    last = LAST[at.name]
    when = rng.choice((rng.randrange(last), rng.randrange(200), rng.randrange(last - 640, last)))
    bit, count = rng.randrange(12), 0

    def watch(cycle: int, word: Word, clock: object) -> None:
        nonlocal count
        count += 1
        if count == when:
            machine.pc ^= 1 << bit

    machine.watch = watch
    try:
        outcome = machine.run(at.entry("sign"), limit=2 * pka.OF[at.width][f"{at.curve.name}_sign"])
    except ProgramError:
        return "fault"
    assert not given(machine, at.image) & {key, at.n - key}
    if outcome.flag:
        return "refused"
    r, s = (machine.rows.get(at.image.names["result"] + n, 0) for n in range(2))
    if not (r and s):
        return "fault"  # of two rows that the engine gives none is zero
    x, y = base.multiple(at.curve, key, at.curve.g)
    rows = {"x": x, "y": y, "e": 99, "sig_r": r, "sig_s": s}
    return "right" if at.run("verify", rows) == [r] else "wrong"


def check_flips(at: OnCurve, runs: int) -> None:
    """Who comes right in front of the end of a program is not found; all else is."""
    ends = Counter(flipped(at, seed) for seed in range(runs))
    assert min(ends[end] for end in ("right", "refused", "fault")) > runs / 20
    assert ends["wrong"] <= runs / 100, ends


@each_soaking
def test_flips_some(at):
    check_flips(at, 16)


@pytest.mark.soak
@each
def test_flips(at):
    check_flips(at, 1000)
