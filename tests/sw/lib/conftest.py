"""Fixtures for the tests of the software library on the instruction-set simulator."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from cryptile import library

MachineFactory = Callable[..., Any]


@cache
def _machine(isa: str, parts: tuple[str, ...] | None) -> Any:
    from cryptile.sim.iss import Machine

    return Machine(library.build(isa, parts=parts).image, isa, timing="loaduse2", checked=True)


@pytest.fixture
def machine() -> Iterator[MachineFactory]:
    """Return ``machine(isa, parts=None)``: a machine with the library, or only parts of it.

    Machines are built once; what a test has allocated is freed behind it.
    """
    used = []

    def make(isa: str, parts: tuple[str, ...] | None = None) -> Any:
        used.append(_machine(isa, parts))
        return used[-1]

    yield make
    for item in used:
        item.free_all()
