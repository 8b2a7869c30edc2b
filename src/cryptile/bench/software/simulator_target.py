"""The instruction-set simulator as a target: any instruction set, any timing model."""

from pathlib import Path

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.bench.software.target import Measure
from cryptile.sim.iss import Machine


class SimulatorTarget:
    """The library on the simulator, with the cycles of a timing model."""

    def __init__(self, model: str, isa: str, parts: tuple[str, ...] | Path) -> None:
        """Load some folders of the library, or another image.

        Raises:
            UsageError: the model or the instruction set is not known.
        """
        self._word = Isa.parse(isa).word
        image = parts if isinstance(parts, Path) else library.build(isa, parts=parts).image
        self._machine = Machine(image, isa, timing=model, checked=False)
        self._core = f"model:{self._machine.timing.name}"
        self._calls: list[tuple[str, tuple[int, ...]]] = []

    @property
    def core(self) -> str:
        """``model:`` and the name of the timing model."""
        return self._core

    @property
    def word(self) -> int:
        """Bytes of a register."""
        return self._word

    def has(self, symbol: str) -> bool:
        """Tell whether the library has a symbol."""
        return symbol in self._machine.symbols

    def place(self, data: bytes) -> int:
        """Put data into memory, 16-byte aligned."""
        return self._machine.alloc(data)

    def address(self, symbol: str) -> int:
        """Return the address of a data object of the library."""
        return self._machine.symbols[symbol]

    def call(self, symbol: str, *args: int) -> int:
        """Queue a call."""
        self._calls.append((symbol, args))
        return len(self._calls) - 1

    def run(self) -> list[Measure]:
        """Make the calls."""
        results = [
            self._machine.call(symbol, *args, max_instructions=2_000_000_000)
            for symbol, args in self._calls
        ]
        self._calls = []
        return [
            Measure(item.cycles, item.instructions, item.stack_bytes, item.value & 0xFFFFFFFF)
            for item in results
        ]

    def read(self, address: int, size: int) -> bytes:
        """Return memory as it is now."""
        return self._machine.read(address, size)
