"""Layouts of words, as SystemRDL files have them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from systemrdl.node import AddressableNode, Node, RegfileNode, RegNode

from cryptile.errors import UsageError
from cryptile.project import ROOT
from cryptile.regs import compile_file

DESCRIPTOR = Path("catalog/descriptor.rdl")
REGISTERS = Path("regs/tile.rdl")


@dataclass(frozen=True)
class Field:
    """Some bits of a layout.

    Attributes:
        name: unique in the layout.
        low: number of the lowest bit.
        width: how many bits.
        about: what they say.
    """

    name: str
    low: int
    width: int
    about: str

    @property
    def high(self) -> int:
        """Number of the highest bit."""
        return self.low + self.width - 1

    @property
    def mask(self) -> int:
        """The bits, in their place."""
        return (1 << self.width) - 1 << self.low


@dataclass(frozen=True)
class Layout:
    """A packed structure.

    Attributes:
        name: of its type.
        about: its name in words.
        bits: how many.
        fields: from the lowest bit up.
    """

    name: str
    about: str
    bits: int
    fields: dict[str, Field]

    @property
    def reserved(self) -> int:
        """The bits without a name."""
        named = sum(field.mask for field in self.fields.values())
        return ~named & (1 << self.bits) - 1

    def pack(self, **values: int) -> int:
        """Return the number that fields make; those that are not given are 0.

        Raises:
            ValueError: there is no such field, or it has no room for its value.
        """
        made = 0
        for name, value in values.items():
            if name not in self.fields:
                raise ValueError(f"{self.name} has no field {name!r}")
            field = self.fields[name]
            if not 0 <= value < 1 << field.width:
                raise ValueError(f"{self.name}.{name}: {value:#x} is not of {field.width} bits")
            made |= value << field.low
        return made

    def unpack(self, number: int) -> dict[str, int]:
        """Return the values of all fields."""
        return {name: (number & field.mask) >> field.low for name, field in self.fields.items()}

    def encode(self, **values: int) -> bytes:
        """Return what fields make as it is in memory; errors as of ``pack``."""
        return self.pack(**values).to_bytes(self.bits // 8, "little")

    def decode(self, data: bytes) -> dict[str, int]:
        """Return the values of all fields of what is in memory."""
        return self.unpack(int.from_bytes(data, "little"))


@dataclass(frozen=True)
class Block:
    """A register file.

    Attributes:
        name: of its type.
        about: its name in words.
        size: in bytes, of one of several.
        registers: their layouts by name.
        offsets: where they are, in bytes, by name.
    """

    name: str
    about: str
    size: int
    registers: dict[str, Layout]
    offsets: dict[str, int]


@cache
def memory(path: Path = ROOT / DESCRIPTOR) -> dict[str, Layout]:
    """Return what the tile reads and writes in memory, by type.

    Raises:
        UsageError: the file has errors; the text says where.
    """
    found = {}
    for node in _blocks(compile_file(path).top):
        name = _type(node)
        size = node.array_stride or node.size
        found[name] = _layout(name, path, node, size, list(node.registers()))
    return found


@cache
def blocks(path: Path = ROOT / REGISTERS) -> dict[str, Block]:
    """Return the register files of a map, by type; errors as of ``memory``."""
    found = {}
    for node in _blocks(compile_file(path).top):
        name = _type(node)
        registers = list(node.registers())
        found[name] = Block(
            name,
            _title(node),
            node.array_stride or node.size,
            {
                item.inst_name: _layout(
                    f"{name}_{item.inst_name.lower()}", path, item, item.size, [item]
                )
                for item in registers
            },
            {item.inst_name: item.raw_address_offset for item in registers},
        )
    return found


def _blocks(node: AddressableNode) -> Iterator[RegfileNode]:
    """Yield the register files in one another."""
    for child in node.children():
        if isinstance(child, RegfileNode):
            yield child
            yield from _blocks(child)


def _type(node: RegfileNode) -> str:
    """Return the name of a type; of one without, those of what it is in and of its instance."""
    parent = node.parent
    if node.inst.type_name and not isinstance(parent, RegfileNode):
        return str(node.inst.type_name)
    return f"{parent.inst.type_name}_{node.inst_name.lower()}"


def _layout(
    name: str, path: Path, node: AddressableNode, size: int, registers: list[RegNode]
) -> Layout:
    fields: dict[str, Field] = {}
    for register in registers:
        start = 0 if register is node else 8 * register.raw_address_offset
        for item in register.fields():
            if item.inst_name in fields:
                raise UsageError(f"{path}: {name}: {item.inst_name} stands twice")
            fields[item.inst_name] = Field(
                item.inst_name, start + item.low, item.width, _text(item)
            )
    if max(field.high for field in fields.values()) >= 8 * size:
        raise UsageError(f"{path}: {name} is longer than its {size} bytes")
    return Layout(name, _title(node), 8 * size, fields)


def _text(node: Node) -> str:
    return " ".join(str(node.get_property("desc") or "").split())


def _title(node: Node) -> str:
    return str(node.get_property("name"))
