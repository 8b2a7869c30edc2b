"""The public-key engine's programs, run in its simulator."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random

from cryptile.pka import programs
from cryptile.pka.builder import Image
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH512, WIDTH576, Width
from cryptile.pka.machine import Machine, Outcome
from cryptile.pka.proof import programs as proof

CYCLES = {
    "x25519": 35568,
    "p256_ecdh": 58040,
    "p256_sign": 25990,
    "p256_keygen": 24024,
    "p256_public": 24005,
    "p256_verify": 48317,
    "ed25519_public": 25865,
    "ed25519_commit": 13040,
    "ed25519_sign": 13975,
    "ed25519_verify": 50069,
    "ed25519_keygen": 25882,
    "ed25519_nonce": 13014,
    "ed25519_sign_once": 13848,
    "x25519_keygen": 25889,
}
"""Of each program, from its first instruction to ``halt``: whatever it is given."""

CYCLES_FAST = {
    "x25519": 10885,
    "p256_ecdh": 18421,
    "p256_sign": 8836,
    "p256_keygen": 7710,
    "p256_public": 7691,
    "p256_verify": 14729,
    "ed25519_public": 9283,
    "ed25519_commit": 4678,
    "ed25519_sign": 5115,
    "ed25519_verify": 16013,
    "ed25519_keygen": 9300,
    "ed25519_nonce": 4691,
    "ed25519_sign_once": 5060,
    "x25519_keygen": 9303,
}
"""Likewise with the multiplier ``fast``."""

CYCLES384 = {
    "p384_ecdh": 211275,
    "p384_sign": 80475,
    "p384_keygen": 74963,
    "p384_public": 74944,
    "p384_verify": 153847,
}
"""Likewise of the machine of 384 bits."""

CYCLES576 = {
    "p521_ecdh": 613780,
    "p521_sign": 236245,
    "p521_keygen": 227611,
    "p521_public": 227590,
    "p521_verify": 457681,
}
"""Likewise of the machine of 576 bits."""

CYCLES512 = {
    "rsa2048_private": 1208243,
    "rsa2048_public": 35628,
    "rsa2048_public64": 213556,
    "rsa3072_private": 3531672,
    "rsa3072_public": 80005,
    "rsa3072_public64": 533708,
    "rsa4096_private": 7859798,
    "rsa4096_public": 142661,
    "rsa4096_public64": 939330,
}
"""Likewise of the machine of 512 bits."""

MACHINES = {
    "compact": WIDTH256,
    "fast": FAST256,
    "compact384": WIDTH384,
    "compact512": WIDTH512,
    "compact576": WIDTH576,
}
"""By name."""

ENGINES = {width: name for name, width in proof.ENGINES.items()}
"""By machine, in the catalogue."""

OF = {
    WIDTH256: CYCLES,
    FAST256: CYCLES_FAST,
    WIDTH384: CYCLES384,
    WIDTH512: CYCLES512,
    WIDTH576: CYCLES576,
}


_preferred: list[Width] = []


@contextmanager
def preferred(width: Width) -> Iterator[None]:
    """Prefer a machine for the programs that it has."""
    _preferred.append(width)
    yield
    _preferred.remove(width)


def machine_of(entry: str) -> Width:
    """Return the machine that is preferred, or the first one that has a program."""
    return next(width for width in (*_preferred, *OF) if entry in OF[width])


@cache
def image(width: Width = WIDTH256) -> Image:
    """Return all programs of a machine."""
    return programs.image(width)


def run(
    entry: str, rows: dict[str, int], random: Iterator[int], width: Width | None = None
) -> tuple[int, Outcome]:
    """Run a program; return its row ``result`` and how it ended."""
    results, outcome = run_all(entry, rows, random, width)
    return results[0], outcome


def run_all(
    entry: str, rows: dict[str, int], random: Iterator[int], width: Width | None = None
) -> tuple[list[int], Outcome]:
    """Run a program, on a machine or the one that is chosen for it, in its cycles there.

    Return all rows of its result and how it ended.
    """
    machine = started(rows, random, width or machine_of(entry))
    program = image(machine.width)
    outcome = machine.run(program.entries[entry])
    assert outcome.cycles == OF[machine.width][entry]
    first = program.names["result"]
    return [machine.rows[first + n] for n in range(program.results[entry])], outcome


def seeded(seed: int, *first: int, bits: int = 256) -> Iterator[int]:
    """Give some rows and then random ones."""
    rng = Random(seed)
    yield from first
    while True:
        yield rng.getrandbits(bits)


def started(rows: dict[str, int], random: Iterator[int], width: Width = WIDTH256) -> Machine:
    """Return a machine with its inputs written."""
    program = image(width)
    machine = Machine(
        program.code, dict(program.constants), random, program.extras, width=program.width
    )
    machine.rows |= {program.names[name]: value for name, value in rows.items()}
    return machine
