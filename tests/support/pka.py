"""The public-key engine's programs, run in its simulator."""

from collections.abc import Iterator
from functools import cache

from cryptile.pka import programs
from cryptile.pka.builder import Image
from cryptile.pka.machine import Machine, Outcome

CYCLES = {"x25519": 36973, "p256_ecdh": 60359}
"""Of each program, from its first instruction to ``halt``: whatever it is given."""


@cache
def image() -> Image:
    """Return all programs."""
    return programs.image()


def run(entry: str, rows: dict[str, int], random: Iterator[int]) -> tuple[int, Outcome]:
    """Run a program; return its row ``result`` and how it ended."""
    program = image()
    machine = Machine(program.code, dict(program.constants), random)
    machine.rows |= {program.names[name]: value for name, value in rows.items()}
    outcome = machine.run(program.entries[entry])
    return machine.rows[program.names["result"]], outcome
