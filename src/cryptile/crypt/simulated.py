"""The software library on the instruction-set simulator, as ``cryptile crypt`` calls it.

Keys are followed: a branch or address that depends on one ends the work.
"""

from functools import cache
from pathlib import Path

from cryptile import library
from cryptile.errors import CryptileError
from cryptile.sim.iss import Machine

ISA, MODEL = "rv64im", "loaduse2"
"""The instruction set that the library is built for, and the timing model of the core."""

OK, ERR_AUTH, ERR_KEY = 0, -10, -11
"""Statuses of ``cryptile/status.h``."""

_LEAST_INSTRUCTIONS, _PER_BYTE = 1_000_000_000, 1_000
"""A working call executes fewer: of any number, and of each byte of a message."""

_ROOM = 256 << 10
"""Bytes for all but the message."""


@cache
def _image() -> Path:
    """Build the library, if there is none."""
    return library.build(ISA).image


class Library:
    """The library in the memory of a simulated core.

    Attributes:
        cycles: of all calls so far, by the timing model.
    """

    def __init__(self, message_bytes: int = 0) -> None:
        """Load the library.

        Args:
            message_bytes: the length of the message that is placed, if any.

        Raises:
            MissingToolError: there is no compiler.
        """
        self._machine = Machine(_image(), ISA, MODEL, arena_size=message_bytes + _ROOM)
        self._most = _LEAST_INSTRUCTIONS + _PER_BYTE * message_bytes
        self.cycles = 0

    def secret(self, data: bytes) -> int:
        """Place what must not be told by time, and return its address."""
        return self._machine.alloc(data, secret=True)

    def public(self, data: bytes) -> int:
        """Place other data, and return its address."""
        return self._machine.alloc(data, writable=False)

    def tell(self, address: int, size: int) -> None:
        """Have bytes of what was placed be no secret."""
        self._machine.taint(address, size, secret=False)

    def room(self, size: int) -> int:
        """Return the address of so many bytes for an output."""
        return self._machine.alloc(size)

    def address(self, symbol: str) -> int:
        """Return the address of an object of the library."""
        return self._machine.symbols[symbol]

    def read(self, address: int, size: int) -> bytes:
        """Return what is in memory."""
        return self._machine.read(address, size)

    def forget(self) -> None:
        """Take back all that was placed."""
        self._machine.free_all()

    def call(self, function: str, *arguments: int, may: tuple[int, ...] = ()) -> int:
        """Call a function and return its status.

        Args:
            function: its name.
            arguments: numbers and addresses.
            may: the statuses that it may return beside ``OK``.

        Raises:
            CryptileError: it returned another one, or what it did depended on a secret.
        """
        result = self._machine.call(function, *arguments, max_instructions=self._most)
        self.cycles += result.cycles
        if result.violations:
            raise CryptileError(f"{function} depends on a secret: {result.violations[0]}")
        status = int.from_bytes(result.value.to_bytes(8, "little")[:4], "little", signed=True)
        if status != OK and status not in may:
            raise CryptileError(f"{function} returned status {status}")
        return status
