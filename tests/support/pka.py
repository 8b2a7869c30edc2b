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
    "x25519": 36985,
    "p256_ecdh": 59191,
    "p256_sign": 32495,
    "p256_keygen": 25441,
    "p256_public": 25422,
    "p256_verify": 54518,
    "ed25519_public": 28155,
    "ed25519_commit": 14185,
    "ed25519_sign": 15120,
    "ed25519_verify": 51222,
    "ed25519_keygen": 28172,
    "ed25519_nonce": 14159,
    "ed25519_sign_once": 14993,
    "x25519_keygen": 28191,
}
"""Of each program, from its first instruction to ``halt``: whatever it is given."""

CYCLES_FAST = {
    "x25519": 11600,
    "p256_ecdh": 19702,
    "p256_sign": 8842,
    "p256_keygen": 8470,
    "p256_public": 8451,
    "p256_verify": 14717,
    "ed25519_public": 10691,
    "ed25519_commit": 5382,
    "ed25519_sign": 5819,
    "ed25519_verify": 17095,
    "ed25519_keygen": 10708,
    "ed25519_nonce": 5395,
    "ed25519_sign_once": 5764,
    "x25519_keygen": 10717,
}
"""Likewise with the multiplier ``fast``."""

CYCLES384 = {
    "p384_ecdh": 217461,
    "p384_sign": 92381,
    "p384_keygen": 81509,
    "p384_public": 81490,
    "p384_verify": 163075,
}
"""Likewise of the machine of 384 bits."""

CYCLES576 = {
    "p521_ecdh": 635104,
    "p521_sign": 265623,
    "p521_keygen": 249463,
    "p521_public": 249442,
    "p521_verify": 468971,
}
"""Likewise of the machine of 576 bits."""

CYCLES512 = {
    "rsa2048_private": 1208453,
    "rsa2048_public": 35838,
    "rsa2048_public64": 214246,
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
