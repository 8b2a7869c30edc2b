"""The instruction-set simulator: call routines of a RISC-V program, measured and checked.

``Machine`` loads an ELF program and calls its functions by name. A checked machine knows the rights
of every single byte of memory and which bits are secret: an access outside a buffer is a ``Fault``,
and a branch, address, division or variable-time multiply that depends on a secret is a
``Violation`` of the result. ``sim/iss/README.md`` has the details.
"""

import ctypes
import random
from dataclasses import dataclass, field
from pathlib import Path

from cryptile.errors import CryptileError, UsageError
from cryptile.sim import iss_image, iss_library, timing
from cryptile.sim.iss_library import CLASSES, EXEC, READ, STOPS, VIOLATIONS, WRITE
from cryptile.sim.timing import Timing

PAGE = 4096
STACK_SIZE = 64 * 1024
_STACK_TOP = 0x7800_0000
_ARENA = 0x6000_0000
_RETURN_ADDRESS = 0xFFFF_FFF0
_FRAME = 256
"""Bytes of a caller's frame that ``call_abi`` watches."""

_RA, _SP, _GP, _TP, _A0 = 1, 2, 3, 4, 10
_SAVED = (8, 9, *range(18, 28))

REGISTERS = (
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
)  # fmt: skip


class Fault(CryptileError):
    """A program did what it must not do; ``kind`` says what, ``pc`` and ``file_line`` where.

    Kinds: load, store, fetch, misaligned-load, misaligned-store, misaligned-fetch, illegal (not in
    the instruction set), ebreak, ecall, timeout, abi.
    """

    def __init__(
        self, kind: str, pc: int, address: int, symbol: str, file_line: str, message: str
    ) -> None:
        """Keep the parts; the text has all of them."""
        where = " ".join(text for text in (symbol, file_line) if text)
        super().__init__(f"{kind} fault at {pc:#x} ({where}): {message}")
        self.kind = kind
        self.pc = pc
        self.address = address
        self.symbol = symbol
        self.file_line = file_line
        self.message = message
        self.output = b""
        """What a program had written until then: see :meth:`Machine.run`."""


class Secret(int):
    """An argument of a call that is secret, or some of its bits are."""

    bits: int

    def __new__(cls, value: int, bits: int = -1) -> "Secret":
        """Mark the bits of a value that are one in ``bits``."""
        secret = super().__new__(cls, value)
        secret.bits = bits
        return secret


@dataclass(frozen=True)
class Violation:
    """An instruction whose timing depends on a secret, or which read what was never written."""

    kind: str
    """branch, jump, load, store (their addresses), div, mul, or uninitialised."""
    pc: int
    symbol: str
    file_line: str
    count: int
    """How often this instruction did it in the call."""
    address: int
    """Of the first such access."""

    def __str__(self) -> str:
        """One line for a failed test."""
        return f"{self.kind} at {self.pc:#x} ({self.symbol} {self.file_line}), {self.count} times"


@dataclass(frozen=True)
class CallResult:
    """What one call did."""

    value: int
    """a0, unsigned."""
    value1: int
    """a1, unsigned."""
    instructions: int
    cycles: int
    stack_bytes: int
    """From the stack pointer at the call to the lowest one, or store below it."""
    counts: dict[str, int]
    """Instructions by class; ``branch`` includes ``branch_taken``, ``load`` includes
    ``load_narrow`` (bytes and halfwords)."""
    violations: list[Violation] = field(default_factory=list)
    misaligned: int = 0
    """Misaligned accesses, where they are allowed."""
    secret_bits: int = 0
    """Which bits of ``value`` are secret."""


@dataclass(frozen=True)
class ProgramResult:
    """What a whole program did."""

    exit_code: int
    output: bytes
    instructions: int
    cycles: int
    counts: dict[str, int]
    violations: list[Violation] = field(default_factory=list)
    stack_bytes: int = 0
    """Below the stack pointer at the entry."""


class Machine:
    """A RISC-V core with memory that holds one program."""

    def __init__(
        self,
        elf: Path,
        isa: str,
        timing: str | Timing = "loaduse2",
        checked: bool = True,
        *,
        arena_size: int = 4 << 20,
        allow_misaligned: bool = False,
        check_initialised: bool = False,
        profile: bool = False,
    ) -> None:
        """Load a program.

        Args:
            elf: the program; its text becomes executable and readable, constants readable.
            isa: the instructions there are, like ``rv32im_zbb``; any other one is a fault.
            timing: the timing model, one of ``timing.MODELS`` or an own one.
            checked: check accesses to the byte and track secrets.
            arena_size: bytes that ``alloc`` can give.
            allow_misaligned: misaligned accesses work and are counted, and are no fault.
            profile: count cycles by instruction, for :meth:`profile`; only if checked.
            check_initialised: reading stack or arena bytes that were never written is a violation.

        Raises:
            UsageError: no such program, instruction set or timing model.
        """
        self._handle: int | None = None
        self._library = iss_library.load()
        self._image = iss_image.read(Path(elf))
        self.timing = _timing(timing)
        self.isa = isa
        self.xlen, extensions = iss_library.parse_isa(isa)
        if self.xlen != self._image.xlen:
            raise UsageError(f"{elf} is not a program for {isa}")
        self.checked = checked
        self._check_initialised = check_initialised
        self.symbols: dict[str, int] = self._image.symbols
        self._mask = (1 << self.xlen) - 1
        self._handle = self._library.iss_new(
            self.xlen, extensions, checked, ctypes.byref(iss_library.c_timing(self.timing))
        )
        if self._handle is None:
            raise CryptileError("no memory for a simulator")
        self._library.iss_options(self._handle, allow_misaligned, check_initialised)
        if profile:
            self._library.iss_profile(self._handle)
        self._x = self._library.iss_registers(self._handle)
        self._taints = self._library.iss_taints(self._handle)
        self._info = self._library.iss_info(self._handle).contents
        self._load()
        self._stack = _STACK_TOP - STACK_SIZE
        self.map(self._stack, STACK_SIZE, "rw")
        self._library.iss_map(self._handle, _ARENA, arena_size)
        self._arena_end = _ARENA + arena_size
        self._arena_next = _ARENA

    def __del__(self) -> None:
        """Give the memory back."""
        if self._handle is not None:
            self._library.iss_free(self._handle)
            self._handle = None

    def _load(self) -> None:
        segments = sorted(self._image.segments, key=lambda segment: segment.address)
        start = end = 0
        for segment in segments:  # one region for those that share or adjoin pages
            first = segment.address // PAGE * PAGE
            if first > end or end == 0:
                self._map_pages(start, end)
                start = first
            end = max(end, -(-(segment.address + len(segment.data)) // PAGE) * PAGE)
        self._map_pages(start, end)
        for segment in segments:
            rights = (
                (READ if segment.readable else 0)
                | (WRITE if segment.writable else 0)
                | (EXEC if segment.executable else 0)
            )
            size = len(segment.data)
            self._library.iss_write(self._handle, segment.address, segment.data, size)
            self._library.iss_protect(self._handle, segment.address, size, rights)

    def _map_pages(self, start: int, end: int) -> None:
        if end > start and self._library.iss_map(self._handle, start, end - start) != 0:
            raise CryptileError(f"cannot map {start:#x} to {end:#x}")

    def taint_symbol(self, name: str) -> None:
        """Mark a variable of the program secret.

        Raises:
            UsageError: there is none of that name, or the program does not say how large it is.
        """
        address, size = self._address(name), self._image.sizes.get(name, 0)
        if size == 0:
            raise UsageError(f"{self._image.path} does not say how many bytes {name} has")
        self.taint(address, size)

    def reload(self) -> None:
        """Put the program's data back to what the ELF file says, free all buffers, forget taint."""
        for segment in self._image.segments:
            if segment.writable:
                self.write(segment.address, segment.data)
                self.taint(segment.address, len(segment.data), secret=False)
        self.taint(self._stack, STACK_SIZE, secret=False)
        self.free_all()

    def map(self, address: int, size: int, perms: str) -> None:
        """Add memory; ``perms`` is of the letters r, w and x. Its pages must be free."""
        rights = sum(
            bit for letter, bit in (("r", READ), ("w", WRITE), ("x", EXEC)) if letter in perms
        )
        if self._library.iss_map(self._handle, address, size) != 0:
            raise CryptileError(f"cannot map {size} bytes at {address:#x}: not free")
        self._library.iss_protect(self._handle, address, size, rights)

    def alloc(
        self,
        data: bytes | int,
        *,
        align: int = 16,
        offset: int = 0,
        secret: bool = False,
        writable: bool = True,
        guard: int = 64,
    ) -> int:
        """Return the address of a new buffer between guard zones that may not be touched.

        Args:
            data: what it holds, or its size: then it is zero (and counts as never written).
            align: the address is a multiple of this, plus ``offset``.
            offset: see ``align``.
            secret: its content is secret.
            writable: the program may write it.
            guard: at least so many bytes before and behind it may not be read or written.
        """
        size = data if isinstance(data, int) else len(data)
        address = -(-(self._arena_next + guard) // align) * align + offset
        end = address + size + guard
        if end > self._arena_end:
            raise CryptileError("the arena is full: free_all, or a larger arena_size")
        self._arena_next = end
        self._library.iss_protect(self._handle, address, size, READ | WRITE if writable else READ)
        if isinstance(data, int):
            self._library.iss_write(self._handle, address, bytes(size), size)
            self._library.iss_forget(self._handle, address, size)
        else:
            self._library.iss_write(self._handle, address, bytes(data), size)
        self._library.iss_taint(self._handle, address, size, secret)
        return address

    def free_all(self) -> None:
        """Take back every buffer that ``alloc`` gave."""
        used = self._arena_next - _ARENA
        self._library.iss_protect(self._handle, _ARENA, used, 0)
        self._library.iss_taint(self._handle, _ARENA, used, 0)
        self._arena_next = _ARENA

    def read(self, address: int, size: int) -> bytes:
        """Return memory, without regard to the program's rights."""
        data = ctypes.create_string_buffer(size)
        self._check(self._library.iss_read(self._handle, address, data, size), address, size)
        return data.raw

    def write(self, address: int, data: bytes) -> None:
        """Write memory, without regard to the program's rights; what is secret stays so."""
        size = len(data)
        self._check(
            self._library.iss_write(self._handle, address, bytes(data), size), address, size
        )

    def taint(self, address: int, size: int, secret: bool = True) -> None:
        """Mark memory secret, or public."""
        self._check(self._library.iss_taint(self._handle, address, size, secret), address, size)

    def is_tainted(self, address: int, size: int) -> bool:
        """Say whether any byte of a range is secret."""
        found = self._library.iss_is_tainted(self._handle, address, size)
        self._check(min(found, 0), address, size)
        return bool(found)

    def _check(self, status: int, address: int, size: int) -> None:
        if status != 0:
            raise CryptileError(f"no memory at {address:#x}, {size} bytes")

    def call(
        self, symbol: str | int, *arguments: int, max_instructions: int = 50_000_000
    ) -> CallResult:
        """Call a function with integers, of which up to eight may be :class:`Secret`.

        The first eight go into registers, up to 32 more onto the stack.

        Raises:
            Fault: the function did something it must not do, or did not return in time.
        """
        ctypes.memset(self._x, 0, 32 * 8)
        self._x[_GP] = self.symbols.get("__global_pointer$", 0)
        sp = _STACK_TOP - _FRAME
        word = self.xlen // 8
        rest = b"".join((n & self._mask).to_bytes(word, "little") for n in arguments[8:])
        if len(rest) > _FRAME or any(isinstance(argument, Secret) for argument in arguments[8:]):
            raise UsageError("too many arguments, or secret ones behind the eighth")
        self.write(sp, rest)
        return self._call(symbol, arguments[:8], max_instructions, sp)

    def call_abi(
        self,
        symbol: str | int,
        *arguments: int,
        seed: int = 0,
        max_instructions: int = 50_000_000,
    ) -> CallResult:
        """Call a function as :meth:`call` does, with random registers, and check the convention.

        sp, gp, tp and s0 to s11 must come back unchanged, and so must the caller's stack frame.

        Raises:
            Fault: as for ``call``; with kind "abi", something was not preserved.
        """
        source = random.Random(seed)
        embedded = "e" in self.isa[4:5]
        for register in range(1, 16 if embedded else 32):
            self._x[register] = source.getrandbits(self.xlen)
        if "__global_pointer$" in self.symbols:
            self._x[_GP] = self.symbols["__global_pointer$"]
        frame = source.randbytes(_FRAME)
        sp = _STACK_TOP - _FRAME
        self.write(sp, frame)
        self.taint(sp, _FRAME, secret=False)
        kept = [_GP, _TP, *(register for register in _SAVED if not (embedded and register > 15))]
        before = {register: int(self._x[register]) for register in kept}
        result = self._call(symbol, arguments, max_instructions, sp)
        wrong = [
            f"{REGISTERS[register]} was {before[register]:#x} and is {int(self._x[register]):#x}"
            for register in kept
            if self._x[register] != before[register]
        ]
        if self._x[_SP] != sp:
            wrong.append(f"sp was {sp:#x} and is {int(self._x[_SP]):#x}")
        if self.read(sp, _FRAME) != frame:
            wrong.append("the caller's stack frame has changed")
        if wrong:
            address = self._address(symbol)
            raise self._fault("abi", address, address, "; ".join(wrong))
        return result

    def profile(self, by: str = "symbol") -> dict[str, int]:
        """Return the cycles of all calls so far by ``symbol`` or ``line``, most first.

        An instruction's cycles are those from its issue to the next one's.
        """
        cycles: dict[str, int] = {}
        for segment in self._image.segments:
            if not segment.executable:
                continue
            count = len(segment.data) // 2
            spent = (ctypes.c_uint64 * count)()
            self._library.iss_read_profile(self._handle, segment.address, spent, count)
            for index, value in enumerate(spent):
                if value:
                    pc = segment.address + 2 * index
                    name = (
                        self._image.line_at(pc)
                        if by == "line"
                        else self._image.symbol_at(pc).partition("+")[0]
                    )
                    cycles[name] = cycles.get(name, 0) + value
        return dict(sorted(cycles.items(), key=lambda item: -item[1]))

    def _address(self, symbol: str | int) -> int:
        if isinstance(symbol, int):
            return symbol
        if symbol not in self.symbols:
            raise UsageError(f"{self._image.path} has no symbol {symbol}")
        return self.symbols[symbol]

    def _call(
        self, symbol: str | int, arguments: tuple[int, ...], max_instructions: int, sp: int
    ) -> CallResult:
        if len(arguments) > 8:
            raise UsageError("at most eight arguments")
        ctypes.memset(self._taints, 0, 32 * 8)
        for index, argument in enumerate(arguments):
            self._x[_A0 + index] = argument & self._mask
            if isinstance(argument, Secret):
                self._taints[_A0 + index] = argument.bits & self._mask
        self._x[_RA] = _RETURN_ADDRESS
        self._x[_SP] = sp
        if self._check_initialised:
            self._library.iss_forget(self._handle, self._stack, sp - self._stack)
        self._start(sp)
        self._library.iss_run(
            self._handle, self._address(symbol), _RETURN_ADDRESS, max_instructions
        )
        if STOPS[self._info.stop] != "return":
            raise self._stop_fault(max_instructions)
        return CallResult(
            value=int(self._x[_A0]),
            value1=int(self._x[_A0 + 1]),
            instructions=self._info.instructions,
            cycles=self._info.cycles,
            stack_bytes=sp - self._info.stack_low,
            counts=self._counts(),
            violations=self._violations(),
            misaligned=self._info.misaligned,
            secret_bits=int(self._taints[_A0]),
        )

    def _start(self, sp: int) -> None:
        self._library.iss_reset_info(self._handle)
        self._info.stack_base = self._stack
        self._info.stack_low = sp

    def _counts(self) -> dict[str, int]:
        counts = dict(zip(CLASSES, self._info.counts, strict=True))
        counts["load"] += counts["load_narrow"]
        return counts

    def _violations(self) -> list[Violation]:
        return [
            Violation(
                kind=VIOLATIONS[item.kind],
                pc=item.pc,
                symbol=self._image.symbol_at(item.pc),
                file_line=self._image.line_at(item.pc),
                count=item.count,
                address=item.address,
            )
            for item in self._info.violation[: self._info.violations]
        ]

    def _stop_fault(self, max_instructions: int) -> Fault:
        kind = STOPS[self._info.stop]
        pc, address, size = self._info.pc, self._info.address, self._info.size
        if kind == "timeout":
            return self._fault(kind, pc, pc, f"more than {max_instructions} instructions")
        if kind == "illegal":
            text = f"instruction {self._info.encoding:#x} is not in {self.isa}"
            return self._fault(kind, pc, pc, text)
        if kind in ("fetch", "misaligned-fetch"):
            caller = int(self._x[_RA])
            text = f"no code at {pc:#x}, return address {caller:#x}"
            return self._fault(kind, pc, pc, f"{text} ({self._image.symbol_at(caller)})")
        if kind in ("ecall", "ebreak"):
            return self._fault(kind, pc, pc, kind)
        symbol = self._image.symbol_at(address)
        text = f"{size} bytes at {address:#x}" + (f" ({symbol})" if symbol else "")
        return self._fault(kind, pc, address, text)

    def _fault(self, kind: str, pc: int, address: int, message: str) -> Fault:
        symbol, line = self._image.symbol_at(pc), self._image.line_at(pc)
        return Fault(kind, pc, address, symbol, line, message)

    def run(
        self, entry: str | int | None = None, *, max_instructions: int = 50_000_000
    ) -> ProgramResult:
        """Run the program from its entry, or another place, until it exits.

        ``ecall`` is Linux's, with a7 = 93 (exit) and 64 (write to 1 or 2), so a program that sets
        its gp runs in QEMU's user mode, too; here gp is ``__global_pointer$`` at the entry.

        Raises:
            Fault: it did something it must not do, or did not exit in time.
        """
        ctypes.memset(self._x, 0, 32 * 8)
        ctypes.memset(self._taints, 0, 32 * 8)
        sp = _STACK_TOP - _FRAME
        self._x[_SP] = sp
        self._x[_GP] = self.symbols.get("__global_pointer$", 0)
        self._start(sp)
        output = bytearray()
        try:
            self._until_exit(
                self._image.entry if entry is None else self._address(entry),
                max_instructions,
                output,
            )
        except Fault as fault:
            fault.output = bytes(output)
            raise
        return ProgramResult(
            exit_code=self._x[_A0] & 0xFF,
            output=bytes(output),
            instructions=self._info.instructions,
            cycles=self._info.cycles,
            counts=self._counts(),
            violations=self._violations(),
            stack_bytes=sp - self._info.stack_low,
        )

    def _until_exit(self, pc: int, max_instructions: int, output: bytearray) -> None:
        """Run until the program exits; what it writes is added to ``output``."""
        while True:
            left = max_instructions - self._info.instructions
            self._library.iss_run(self._handle, pc, _RETURN_ADDRESS, left)
            pc = self._info.pc
            if STOPS[self._info.stop] != "ecall":
                raise self._stop_fault(max_instructions)
            call, to = self._x[17] if self._x[17] else self._x[15], self._x[_A0]
            if call == 93:
                return
            if call != 64:
                raise self._fault("ecall", pc, pc, f"no system call {int(call)}")
            if to not in (1, 2):
                raise self._fault("ecall", pc, pc, f"no file {int(to)} to write to")
            output += self.read(self._x[_A0 + 1], self._x[_A0 + 2])
            self._x[_A0] = self._x[_A0 + 2]


def run_program(
    elf: Path,
    isa: str,
    timing: str | Timing = "loaduse2",
    checked: bool = False,
    *,
    max_instructions: int = 50_000_000,
    allow_misaligned: bool = False,
) -> ProgramResult:
    """Run a bare program from its entry until it exits: see :meth:`Machine.run`."""
    machine = Machine(elf, isa, timing, checked, allow_misaligned=allow_misaligned)
    return machine.run(max_instructions=max_instructions)


def _timing(model: str | Timing) -> Timing:
    return timing.find(model)
