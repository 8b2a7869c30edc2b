"""What is measured: routines that compute an algorithm, and how each is called."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cryptile.bench.software.target import Target

MESSAGE_SIZES = (16, 64, 256, 1536, 4096)
BULK = 4096

Prepare = Callable[[Target, str, int], int | tuple[int, ...]]
"""Queues the calls of a subject on a target, given its symbol and the bytes of the message; returns
the index of the call that counts, or of those that count together."""


@dataclass(frozen=True)
class Subject:
    """One routine.

    Attributes:
        alg: the algorithm, in the words of the command line.
        impl: which implementation: ``c``, ``asm``, ``looped``, ...
        symbol: the routine that is called.
        prepare: see :data:`Prepare`.
        sizes: bytes of messages to measure cycles per byte with; empty for one figure in cycles.
        params: what else tells figures apart, such as ``limbs``.
        also: further routines that count as its code.
        tables: data objects that it reads.
        needs: further symbols that ``prepare`` calls or names.
        xlen: only for registers of that many bits.
        multiplies: it needs M, or it would run in loops of shifts and additions.
    """

    alg: str
    impl: str
    symbol: str
    prepare: Prepare
    sizes: tuple[int, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    xlen: int | None = None
    multiplies: bool = False


@dataclass(frozen=True)
class Family:
    """Subjects that are linked and run together.

    Attributes:
        name: the word for ``--family``.
        parts: the folders of ``sw/lib`` that they need.
        subjects: what is measured.
    """

    name: str
    parts: tuple[str, ...]
    subjects: list[Subject]
