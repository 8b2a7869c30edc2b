"""What a workload runs on: memory to place buffers in, and calls to measure."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Measure:
    """One measured call, from call to return.

    Attributes:
        cycles: clock cycles.
        instructions: retired instructions.
        stack_bytes: the deepest stack, where the target can tell.
        value: the low word of what the routine returned.
    """

    cycles: int
    instructions: int
    stack_bytes: int | None
    value: int


class Target(Protocol):
    """A core with the library in its memory.

    Calls are queued with :meth:`call` and made, in order, by :meth:`run`: a target may need to
    know them all before it can start.
    """

    @property
    def core(self) -> str:
        """The name for records: ``cv32e40p``, ``ibex``, ``model:loaduse2``, ..."""

    @property
    def word(self) -> int:
        """Bytes of a register."""

    def has(self, symbol: str) -> bool:
        """Tell whether the library has a routine, or the image a symbol."""

    def place(self, data: bytes) -> int:
        """Put data into memory, 16-byte aligned, and return its address."""

    def address(self, symbol: str) -> int:
        """Return the address of a data object of the library."""

    def call(self, symbol: str, *args: int) -> int:
        """Queue a call with up to eight arguments; return its index in what :meth:`run` gives."""

    def run(self) -> list[Measure]:
        """Make the calls."""

    def read(self, address: int, size: int) -> bytes:
        """Return memory as it is after :meth:`run`."""
