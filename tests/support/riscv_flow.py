"""What a compiled function does to memory and to device registers, on every path through it.

Reads an ELF program with objdump and follows constants through the registers, so that an access
whose address the compiler has put together of ``lui`` and offsets is known to be one of a device.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

Constants = dict[str, int]
"""What is known of the registers."""

STORES = {"sb", "sh", "sw", "sd"}
LOADS = {"lb", "lbu", "lh", "lhu", "lw", "lwu", "ld"}
_CLOBBERED = {"ra", *(f"t{n}" for n in range(7)), *(f"a{n}" for n in range(8))}
_BRANCH = re.compile(r"b(eq|ne|lt|ge|le|gt)[uz]?")
_FUNCTION = re.compile(r"^([0-9a-f]+) <(?!\.L)([^>]+)>:$")  # no label inside one
_LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)(?:\s+([^#<]*?))?\s*(?:<[^>]+>)?\s*(?:#.*)?$")


@dataclass
class Instruction:
    """One line of the listing; ``target`` is where a branch or call leads."""

    address: int
    name: str
    operands: list[str]

    @property
    def target(self) -> int:
        return int(self.operands[-1], 16)

    @property
    def branches(self) -> bool:
        return bool(_BRANCH.fullmatch(self.name))

    @property
    def ends(self) -> bool:
        """Nothing follows it."""
        return self.name in ("ret", "j", "jr", "mret", "tail")

    @property
    def is_call(self) -> bool:
        return self.name in ("jal", "jalr", "call")


@dataclass(frozen=True)
class Access:
    """A load or store; ``address`` is None unless it is known."""

    store: bool
    address: int | None


@dataclass
class Function:
    """Instructions in order, and the constants before each."""

    name: str
    code: list[Instruction]
    before: dict[int, Constants] = field(default_factory=dict)

    def successors(self, at: int) -> Iterator[int]:
        """Indices of the instructions that may follow, inside the function."""
        instruction = self.code[at]
        if instruction.name == "j" or instruction.branches:
            index = self._index.get(instruction.target)
            if index is not None:
                yield index
        if not instruction.ends and at + 1 < len(self.code):
            yield at + 1

    def leaves(self, at: int) -> bool:
        """The function may be left here: a return or a tail call."""
        instruction = self.code[at]
        return instruction.ends and not any(self.successors(at))

    def access(self, at: int) -> Access | None:
        """The access to memory that an instruction makes."""
        instruction = self.code[at]
        if instruction.name not in STORES | LOADS:
            return None
        match = re.fullmatch(r"(-?\d+)\((\w+)\)", instruction.operands[1])
        assert match, instruction
        base = _value(self.before[at], match[2])
        address = None if base is None else (base + int(match[1])) & 0xFFFF_FFFF
        return Access(instruction.name in STORES, address)

    def __post_init__(self) -> None:
        self._index = {item.address: number for number, item in enumerate(self.code)}
        self.before[0] = {}
        work = [0]
        while work:
            at = work.pop()
            after = _step(self.code[at], self.before[at])
            for target in self.successors(at):
                known = self.before.get(target)
                joined = after if known is None else dict(known.items() & after.items())
                if joined != known:
                    self.before[target] = joined
                    work.append(target)


def _value(known: Constants, register: str) -> int | None:
    return 0 if register == "zero" else known.get(register)


def _step(instruction: Instruction, known: Constants) -> Constants:
    name, operands = instruction.name, instruction.operands
    if instruction.is_call:
        return {r: value for r, value in known.items() if r not in _CLOBBERED}
    if not operands or name in STORES or instruction.branches:
        return known
    result: int | None = None
    if name == "lui":
        result = int(operands[1], 16) << 12
    elif name == "li":
        result = int(operands[1], 0)
    elif name == "mv":
        result = _value(known, operands[1])
    elif name in ("addi", "add"):
        parts = [
            int(item) if re.fullmatch(r"-?\d+", item) else _value(known, item)
            for item in operands[1:]
        ]
        result = None if None in parts else sum(part or 0 for part in parts)
    after = {r: value for r, value in known.items() if r != operands[0]}
    if result is not None:
        after[operands[0]] = result & 0xFFFF_FFFF
    return after


def fence(function: Function, at: int, before: str, after: str) -> bool:
    """The instruction is a fence that orders these kinds of accesses."""
    instruction = function.code[at]
    if instruction.name != "fence":
        return False
    first, second = instruction.operands or ("iorw", "iorw")
    return set(before) <= set(first) and set(after) <= set(second)


def flow(function: Function, entry: bool, step: Callable[[int, bool], bool]) -> list[bool]:
    """What holds before each instruction on some path, if ``step`` says what holds after it."""
    holds = {0: entry}
    work = [0]
    while work:
        at = work.pop()
        after = step(at, holds[at])
        for target in function.successors(at):
            if target not in holds or (after and not holds[target]):
                holds[target] = after
                work.append(target)
    return [holds.get(at, False) for at in range(len(function.code))]


def functions(elf: Path) -> dict[str, Function]:
    """Every function of a program."""
    objdump = compiler().removesuffix("gcc") + "objdump"
    found: dict[str, list[Instruction]] = {}
    code: list[Instruction] = []
    for line in tools.run([objdump, "-d", "--no-show-raw-insn", elf]).splitlines():
        if match := _FUNCTION.match(line):
            code = found.setdefault(match[2], [])
        elif match := _LINE.match(line):
            address, name, operands = match.groups()
            parts = [part.strip() for part in (operands or "").split(",") if part.strip()]
            code.append(Instruction(int(address, 16), name, parts))
    return {name: Function(name, code) for name, code in found.items() if code}
