"""Which programs there are, what is known in front of each, and what is shown of it."""

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from cryptile.pka.builder import Image
from cryptile.pka.isa import FAST256, WIDTH256, WIDTH384, WIDTH512, WIDTH576, Width
from cryptile.pka.programs import CURVES, image, rsa
from cryptile.pka.proof import carries
from cryptile.pka.proof.ranges import RangeError, Ranges

ENGINES = {
    "pka": WIDTH256,
    "pka_fast": FAST256,
    "pka384": WIDTH384,
    "pka521": WIDTH576,
    "pka_rsa": WIDTH512,
}
"""The machine of each engine of the catalogue."""

_ROW = WIDTH256.most

INPUTS: dict[str, tuple[list[str], int]] = {
    "x25519": (["k", "u"], 2**255 - 20),
    **{
        f"{curve.name}_{name}": (inputs, most)
        for curve in dict.fromkeys(CURVES.values())
        for name, inputs, most in (
            ("ecdh", ["k", "x", "y"], curve.p - 1),
            ("sign", ["k", "e"], curve.n - 1),
            ("keygen", [], curve.width.most),
            ("public", ["k"], curve.width.most),
            ("verify", ["x", "y", "e", "sig_r", "sig_s"], curve.width.most),
        )
    },
    "ed25519_public": (["k"], _ROW),
    "ed25519_commit": (["nonce0", "nonce1"], _ROW),
    "ed25519_sign": (["k", "nonce0", "nonce1", "hash0", "hash1", "sig_r"], _ROW),
    "ed25519_keygen": ([], _ROW),
    "ed25519_nonce": (["k"], _ROW),
    "ed25519_sign_once": (["k", "nonce0", "hash0", "hash1", "sig_r"], _ROW),
    "x25519_keygen": ([], _ROW),
    "ed25519_verify": (["u", "hash0", "hash1", "sig_r", "sig_s"], _ROW),
}
"""Of each program of a curve its inputs, which may be anything, and the most that it gives."""


@dataclass(frozen=True)
class Shown:
    """What came of a program, or of a subroutine of RSA's."""

    name: str
    what: str
    """What holds, or why not."""

    holds: bool
    seconds: float


def shown(engine: str) -> Iterator[Shown]:
    """Show of each program of an engine that what it computes is what its sums and products are.

    No sum or product leaves the range that its instruction asks for; of RSA, whose numbers have
    several rows: no carry is lost.

    Args:
        engine: its name in the catalogue, one of ``ENGINES``.
    """
    width = ENGINES[engine]
    program = image(width)
    if width == WIDTH512:
        for entry in sorted(program.entries, key=program.entries.__getitem__):
            yield _tried(entry, partial(_carries, program, entry))
    else:
        for entry in INPUTS:
            if entry in program.entries:
                yield _tried(entry, partial(_ranges, program, entry, width))


def _tried(entry: str, argue: Callable[[], str]) -> Shown:
    begun = time.process_time()
    try:
        what, holds = argue(), True
    except AssertionError as error:  # RangeError or CarryError
        what, holds = str(error), False
    return Shown(entry, what, holds, time.process_time() - begun)


def _ranges(program: Image, entry: str, width: Width) -> str:
    walked = ranges(program, entry, width)
    if walked.rows[program.names["result"]] > INPUTS[entry][1]:
        raise RangeError("the result is not reduced")
    return "no sum or product leaves its range"


def ranges(program: Image, entry: str, width: Width) -> Ranges:
    """Walk a program of a curve with bounds; raise RangeError where a value may be too large."""
    rows = program.constants | {program.names[name]: width.most for name in INPUTS[entry][0]}
    draws = itertools.repeat(width.most)
    machine = Ranges(program.code, rows, draws, program.extras, width=width)
    machine.run(program.entries[entry])
    return machine


def _carries(program: Image, entry: str) -> str:
    return f"no carry is lost: {lost_none(program, entry)} sums of several rows"


def lost_none(program: Image, entry: str) -> int:
    """Return how many sums of a part of RSA's programs were shown to lose no carry.

    Raises:
        CarryError: one may lose one.
    """
    n = _rows_of(entry)
    known = carries.begun(program, n)
    if entry.startswith("reduce"):
        # What calls it makes the sum of the lowest row alone.
        _, sums, _ = rsa.wide_rows(n)
        known.rows |= {program.names[name]: {} for name in sums[1:]}
    return carries.walk(program, entry, known)


def _rows_of(entry: str) -> int:
    """Return of how many rows the modulus of a part is."""
    if entry.startswith("rsa"):
        bits, kind = entry.removeprefix("rsa").split("_")
        return int(bits) // (1024 if kind == "private" else 512)
    return int(entry[-1]) if entry[-1].isdigit() else rsa.MOST
