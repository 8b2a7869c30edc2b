"""The words of the catalogue; what they mean is said at the head of each file in ``catalog/``."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Byte = Annotated[int, Meta(ge=0, le=255)]
Bytes = Annotated[int, Meta(ge=1)]
Identifier = Annotated[str, Meta(pattern="^[A-Z][A-Za-z0-9]*$")]


class _Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Words and values of which unknown ones are refused."""


class Key(StrEnum):
    """How a mode takes its key."""

    none = "none"
    sized = "sized"
    pair = "pair"
    fixed = "fixed"
    bytes = "bytes"


class Opcode(_Words, frozen=True):
    """The number and the name of an engine in descriptors of the tile."""

    number: Byte
    name: Identifier


class Mode(_Words, frozen=True):
    """One mode of an engine."""

    number: Annotated[int, Meta(ge=0, le=15)]
    key: Key = Key.none
    context: Annotated[int, Meta(ge=0, le=15)] = 0
    tag: Annotated[int, Meta(ge=1, le=127)] | None = None
    output: bool = False
    long_iv: bool = False
    unwraps: bool = False
    block: Annotated[int, Meta(ge=1, le=255)] = 16
    cycles: Bytes | None = None
    serial: Literal["encrypt", "both"] | None = None
    calls: Bytes = 1


class Engine(_Words, frozen=True):
    """One engine of the engine port."""

    modes: dict[str, Mode]
    opcode: Opcode | None = None


class Kind(StrEnum):
    """What an algorithm makes of a message."""

    cipher = "cipher"
    aead = "aead"
    hash = "hash"
    xof = "xof"
    mac = "mac"


class Lengths(_Words, frozen=True):
    """Lengths in bytes from ``least`` to ``most``, in steps; without ``most`` there is no bound."""

    least: Annotated[int, Meta(ge=0)]
    most: Bytes | Literal["full"] | None = None
    step: Bytes = 1


class Family(_Words, frozen=True):
    """How algorithms of one kind take their parameters."""

    kind: Kind
    iv: tuple[Bytes, ...] | Lengths | None = None
    key: Lengths | None = None
    tag: tuple[Bytes, ...] | Lengths | None = None
    aad: Literal["data", "custom"] | None = None
    whole: Bytes = 1
    least: Annotated[int, Meta(ge=0)] = 0


class Row(_Words, frozen=True):
    """An algorithm as its row in the file has it."""

    family: str
    engine: str
    mode: str
    key: Annotated[int, Meta(ge=1, le=64)] | None = None
    hashlib: str | None = None


class Algorithms(_Words, frozen=True):
    """The file ``algorithms.yaml``."""

    families: dict[str, Family]
    algorithms: dict[str, Row]


class Algorithm(Struct, frozen=True):
    """An algorithm with what its row refers to.

    Attributes:
        name: as commands and drivers take it.
        form: the name of its family.
        family: how it takes its parameters.
        engine: the name of its engine.
        opcode: the engine's number and name in the tile; none: the tile has it not.
        mode: the engine's mode.
        key: bytes of the key; none if the family gives lengths, or it takes no key.
        hashlib: the hash function as ``hashlib`` names it, if it is one or uses one.
    """

    name: str
    form: str
    family: Family
    engine: str
    opcode: Opcode | None
    mode: Mode
    key: int | None = field(default=None)
    hashlib: str | None = field(default=None)


Size = Bytes | str
"""A number, or the name of one of the blob's constants."""


class Number(_Words, frozen=True):
    """A constant of a parameter blob."""

    name: Identifier
    value: Bytes
    about: str = ""


class Choice(_Words, frozen=True):
    """Words that stand for numbers, or for bits."""

    words: tuple[str, ...]
    about: str = ""
    prefix: str | None = None
    bits: bool = False
    count: str | None = None


class Field(_Words, frozen=True):
    """A field of a parameter blob."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
    about: str = ""
    choice: str | None = None
    words: Size | None = None
    bytes: Size | None = None
    text: Size | None = None
    rows: Size | None = None


class Params(_Words, frozen=True):
    """The parameter blob of a firmware program: the files in ``params``."""

    about: str
    magic: Annotated[str, Meta(pattern="^[A-Z]{4}$")]
    version: Bytes
    fields: tuple[Field, ...]
    numbers: tuple[Number, ...] = ()
    choices: dict[str, Choice] = {}
    exits: dict[str, Byte] = {}

    def number(self, name: str) -> int:
        """Return a constant by name; an unknown one is a ``KeyError``."""
        return {item.name: item.value for item in self.numbers}[name]

    def size(self, size: Size | None) -> int:
        """Return a size that may be the name of a constant; 1 for none."""
        return self.number(size) if isinstance(size, str) else size or 1


class Returned(_Words, frozen=True):
    """What a function of the library returns."""

    number: Annotated[int, Meta(ge=-128, le=0)]
    about: str
    text: str


class Ended(_Words, frozen=True):
    """How a job of the tile ended."""

    number: Byte
    library: str


class Statuses(_Words, frozen=True):
    """The file ``statuses.yaml``."""

    library: dict[str, Returned]
    jobs: dict[str, Ended]


class System(_Words, frozen=True):
    """What all firmware images of a system share."""

    cores: dict[str, str]
    flags: tuple[str, ...]
    start: str
    script: str
    hal: tuple[str, ...]


class Program(_Words, frozen=True):
    """One firmware image."""

    system: str
    files: tuple[str, ...]
    library: tuple[str, ...] = ()
    hal: tuple[str, ...] = ()
    small: bool = False


class Sizes(_Words, frozen=True):
    """C files that are not compiled as others of their kind are."""

    fast: frozenset[str]
    small: frozenset[str]


class Firmware(_Words, frozen=True):
    """The file ``firmware.yaml``."""

    systems: dict[str, System]
    programs: dict[str, Program]
    sizes: Sizes
