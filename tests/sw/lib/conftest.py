"""Fixtures for the tests of the software library on the instruction-set simulator."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from cryptile import library

MachineFactory = Callable[..., Any]

IN_PARTS = "rv32i"
"""Where each test gets only the parts that it names, so that what they need besides is found; for
the other instruction sets the whole library is built once."""


@cache
def _machine(isa: str, parts: tuple[str, ...] | None) -> Any:
    from cryptile.sim.iss import Machine

    return Machine(library.build(isa, parts=parts).image, isa, timing="loaduse2", checked=True)


@pytest.fixture
def machine() -> Iterator[MachineFactory]:
    """Return ``machine(isa, parts=None)``: a machine with the library, or parts of it at least.

    Machines are built once; what a test has allocated is freed behind it.
    """
    used = []

    def make(isa: str, parts: tuple[str, ...] | None = None) -> Any:
        used.append(_machine(isa, parts if isa == IN_PARTS else None))
        return used[-1]

    yield make
    for item in used:
        item.free_all()
