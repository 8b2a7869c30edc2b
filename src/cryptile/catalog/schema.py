"""The words of the catalogue; what they mean is said at the head of each file in ``catalog/``."""

from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

Byte = Annotated[int, Meta(ge=0, le=255)]
Bytes = Annotated[int, Meta(ge=1)]
Identifier = Annotated[str, Meta(pattern="^[A-Z][A-Za-z0-9]*$")]
"""Part of a name in SystemVerilog and C."""

Constant = Annotated[str, Meta(pattern="^[A-Z][A-Z0-9_]*$")]
AlgorithmName = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]*$", max_length=23)]
Word = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Meta(pattern=r"^[^\n\\]*$")]
"""One line, for comments."""


class _Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Words and values of which unknown ones are refused."""


# --- engines.yaml ---------------------------------------------------------------------------------


class Key(StrEnum):
    """How a mode takes its key."""

    none = "none"
    sized = "sized"
    pair = "pair"
    fixed = "fixed"
    bytes = "bytes"

    @property
    def lengths(self) -> tuple[int, ...]:
        """Lengths in bytes; none if there is no key, or any will do."""
        return _KEY_LENGTHS[self]

    @property
    def transfers(self) -> int:
        """Transfers on the engine port."""
        return {Key.none: 0, Key.pair: 2, Key.bytes: 2}.get(self, 1)


_KEY_LENGTHS: dict[str, tuple[int, ...]] = {
    "none": (),
    "sized": (16, 24, 32),
    "pair": (32, 64),
    "fixed": (32,),
    "bytes": (),
}


Label = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]*$")]
"""The name of a variant or configuration, as options take it."""


class Opcode(_Words, frozen=True):
    """The number and the name of an engine in descriptors of the tile."""

    number: Annotated[int, Meta(ge=0, le=15)]
    name: Identifier
    variant: Label | None = None
    random: bool = False


class Mode(_Words, frozen=True):
    """One mode of an engine."""

    number: Annotated[int, Meta(ge=0, le=15)]
    key: Key = Key.none
    iv: bool = False
    needs_aad: bool = False
    context: Annotated[int, Meta(ge=0, le=15)] = 0
    tag: Annotated[int, Meta(ge=1, le=2047)] | None = None
    output: bool = False
    long_iv: bool = False
    long_tag: bool = False
    unwraps: bool = False
    agrees: bool = False
    makes: tuple[Word, ...] = ()
    made: Literal[16, 32, 48, 64, 80] = 32
    once: bool = False
    keystream: bool = False
    one_time: bool = False
    clear_key: bool = False
    tile_nonce: bool = False
    fresh: bool = False
    block: Annotated[int, Meta(ge=1, le=255)] = 16
    cycles: Bytes | None = None
    steps: Annotated[int, Meta(ge=0)] = 0
    serial: Literal["encrypt", "both"] | None = None
    calls: Bytes = 1

    def __post_init__(self) -> None:
        """Refuse ``calls`` where blocks do not wait for one another."""
        if self.calls != 1 and not self.serial:
            raise ValueError("calls without serial")


Parameters = dict[str, str | int]
"""Parameters of a top module, as SystemVerilog expressions."""


class Rtl(_Words, frozen=True):
    """A top module and where it is."""

    top: str | dict[Label, str]
    core: str | None = None
    files: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    parameters: Parameters = {}
    select: bool = False
    clock: str = "clk_i"
    reset: str = "rst_ni"

    def __post_init__(self) -> None:
        """Refuse a module of no file."""
        if not self.core and not self.files:
            raise ValueError("core or files or both are needed")


KeySize = Literal[16, 24, 32]


class Config(_Words, frozen=True):
    """What of an engine is built in."""

    parameters: Parameters = {}
    keys: tuple[KeySize, ...] | None = None
    decrypt: bool = True
    modes: tuple[Word, ...] | None = None


class Select(_Words, frozen=True):
    """What ``cry_engine_select`` and the shells around it know of an engine."""

    name: Identifier
    number: Annotated[int, Meta(ge=0, le=255)]
    first: Annotated[int, Meta(ge=0, le=15)] = 0
    keys: tuple[KeySize, ...] = ()
    ahead: dict[Label, Annotated[int, Meta(ge=1, le=16)]] = {}
    wipe: Annotated[int, Meta(ge=0, le=384)] = 0


class Engine(_Words, frozen=True):
    """One engine of the engine port."""

    modes: Annotated[dict[Word, Mode], Meta(min_length=1)]
    opcode: Opcode | None = None
    rtl: Rtl | None = None
    variants: dict[Label, Parameters] = {}
    default: Label | None = None
    configs: dict[Label, Config] = {}
    select: Select | None = None


# --- designs/*.yaml -------------------------------------------------------------------------------


class Level(StrEnum):
    """Protection against upsets."""

    none = "none"
    detect = "detect"
    correct = "correct"
    tmr = "tmr"


class Synth(_Words, frozen=True):
    """What ``cryptile synth`` does with a design."""

    energy: dict[Label, str] = {}
    default: tuple[str, ...] = ()
    routed: tuple[Label, ...] = ()


class Faults(_Words, frozen=True):
    """What ``cryptile faults`` does with a design."""

    jobs: str
    log: tuple[str, ...] = ()
    check: tuple[str, ...] = ()
    lasting: bool = False
    drains: bool = False
    top: str | None = None
    files: tuple[str, ...] = ()


class Proof(_Words, frozen=True):
    """What is said of a design for its proof at one level."""

    names: dict[str, str] = {}
    lemmas: tuple[str, ...] = ()
    kept: dict[str, str] = {}
    public: dict[str, str] = {}
    stops: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    wiped: tuple[str, ...] = ()
    lasts: tuple[str, ...] = ()
    told: dict[str, str] = {}
    clears: dict[str, str] = {}


class Lint(_Words, frozen=True):
    """What lint sees of a design."""

    configs: dict[Label, Parameters] = {}
    each: bool = False
    soak: dict[Label, Parameters] = {}


class Design(_Words, frozen=True):
    """Something to synthesise, to inject faults into, to prove or to lint."""

    about: Text = ""
    engine: Word | None = None
    rtl: Rtl | None = None
    variants: dict[Label, Parameters] = {}
    default: Label | None = None
    configs: dict[Label, Parameters] = {}
    protect: tuple[Literal["detect", "correct"], ...] = ()
    protected: tuple[Label, ...] | None = None
    tmr: Rtl | None = None
    synth: Synth | None = None
    faults: Faults | None = None
    prove: dict[Level, Proof] | None = None
    lint: Lint | None = None

    def levels(self, variant: str) -> list[Level]:
        """List the levels of protection that a variant has."""
        own = self.protect if variant in (self.protected or ()) else ()
        return [Level.none, *map(Level, own), *([Level.tmr] if self.tmr else [])]


# --- algorithms.yaml ------------------------------------------------------------------------------


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

    def __post_init__(self) -> None:
        """Refuse a range of nothing."""
        if isinstance(self.most, int) and self.most < self.least:
            raise ValueError(f"most is {self.most}, below {self.least}")


Listed = Annotated[tuple[Bytes, ...], Meta(min_length=1)]

MAX_CUSTOM = 255
"""The longest customization string, in bytes."""


class Family(_Words, frozen=True):
    """How algorithms of one kind take their parameters."""

    kind: Kind
    iv: Listed | Lengths | None = None
    key: Lengths | None = None
    tag: Listed | Lengths | None = None
    aad: Literal["data", "custom"] | None = None
    whole: Bytes = 1
    least: Annotated[int, Meta(ge=0)] = 0
    most: Annotated[int, Meta(ge=1)] | None = None
    about: Text = ""

    def __post_init__(self) -> None:
        """Refuse a full tag's length where there is no tag."""
        for lengths in (self.iv, self.key):
            if isinstance(lengths, Lengths) and lengths.most == "full":
                raise ValueError("most: full is for tags")


class Row(_Words, frozen=True):
    """An algorithm as its row in the file has it."""

    family: str
    engine: str
    mode: str
    key: Annotated[int, Meta(ge=1, le=64)] | None = None
    hashlib: str | None = None


class Algorithm(Struct, frozen=True):
    """An algorithm with what its row refers to.

    Attributes:
        name: as commands and drivers take it.
        form: the name of its family.
        family: how it takes its parameters.
        engine: the name of its engine.
        opcode: the engine's number and name in the tile.
        word: the name of the engine's mode.
        mode: that mode.
        key: bytes of the key; none if the family gives lengths, or it takes no key.
        hashlib: the hash function as ``hashlib`` names it, if it is one or uses one.
    """

    name: str
    form: str
    family: Family
    engine: str
    opcode: Opcode
    word: str
    mode: Mode
    key: int | None = None
    hashlib: str | None = None


# --- statuses.yaml --------------------------------------------------------------------------------


class Returned(_Words, frozen=True):
    """What a function of the library returns."""

    number: Annotated[int, Meta(ge=-31, le=0)]
    about: Text
    text: Text


class Ended(_Words, frozen=True):
    """How a job ended."""

    number: Byte
    library: str
    about: Text


# --- params/*.yaml --------------------------------------------------------------------------------

Size = Bytes | str
"""A number, or the name of one of the blob's constants."""


class Number(_Words, frozen=True):
    """A constant of a parameter blob."""

    name: Identifier
    value: Bytes
    about: Text = ""


class Choice(_Words, frozen=True):
    """Words that stand for numbers, or for bits."""

    words: Annotated[
        tuple[Annotated[str, Meta(pattern="^[a-z0-9-]+$")], ...], Meta(min_length=1, max_length=32)
    ]
    about: Text = ""
    prefix: str | None = None
    bits: bool = False
    count: Identifier | None = None

    def __post_init__(self) -> None:
        """Refuse a word that stands twice."""
        if len(set(self.words)) < len(self.words):
            raise ValueError("a word stands twice")


class Field(_Words, frozen=True):
    """A field of a parameter blob."""

    name: Word
    about: Text = ""
    choice: str | None = None
    words: Size | None = None
    bytes: Size | None = None
    text: Size | None = None
    rows: Size | None = None

    def __post_init__(self) -> None:
        """Refuse more than one type."""
        if sum(map(bool, (self.choice, self.words, self.bytes, self.text))) > 1:
            raise ValueError("one of choice, words, bytes and text")


class Params(_Words, frozen=True):
    """The parameter blob of a firmware program: the files in ``params``."""

    about: Text
    magic: Annotated[str, Meta(pattern="^[A-Z]{4}$")]
    version: Bytes
    fields: tuple[Field, ...]
    numbers: tuple[Number, ...] = ()
    choices: dict[Word, Choice] = {}
    exits: dict[Identifier, Byte] = {}

    def number(self, name: str) -> int:
        """Return a constant by name; an unknown one is a ``KeyError``."""
        return {item.name: item.value for item in self.numbers}[name]

    def size(self, size: Size | None) -> int:
        """Return a size that may be the name of a constant; 1 for none."""
        return self.number(size) if isinstance(size, str) else size or 1


# --- systems/*.yaml -------------------------------------------------------------------------------


class Option(_Words, frozen=True):
    """Something that is chosen when the model of a system is built."""

    parameter: str | None = None
    words: tuple[Label, ...] = ()
    processors: tuple[Label, ...] = ()
    engine: Word | None = None
    engine_of: Word | None = None
    levels_of: Word | None = None
    numbers: tuple[int, ...] = ()
    least: int = 0
    configs_of: Word | None = None
    default: str | int | None = None
    only: dict[Word, str] = {}


Address = Annotated[int, Meta(ge=0, le=0xFFFF_FFFF)]


class Region(_Words, frozen=True):
    """What is at some addresses."""

    base: Address
    size: Annotated[int, Meta(ge=1)]
    software: bool = False
    link: Literal["rx", "rw", "rwx"] | None = None

    def __post_init__(self) -> None:
        """Refuse what no comparison of upper bits can decode."""
        if not self.software and (self.size & self.size - 1 or self.base % self.size):
            raise ValueError("size is no power of two that divides base")


class Names(_Words, frozen=True):
    """What names made of an address map begin with."""

    rtl: Word
    c: Constant


class Tile(_Words, frozen=True):
    """The crypto tile of a system.

    Attributes:
        without: engines with an opcode that it is built without.
        also: those that take random bits, and that it has, too.
    """

    without: tuple[str, ...] = ()
    also: tuple[str, ...] = field(default=(), name="with")


class System(_Words, frozen=True):
    """A simulated system-on-chip."""

    about: Text
    rtl: Rtl
    harness: str
    waivers: tuple[str, ...]
    names: Names
    map: dict[Word, Region]
    build_seconds: int
    processor: Label | None = None
    xlen: Literal[32, 64] = 32
    savable: bool = False
    options: dict[Word, Option] = {}
    select: str | None = None
    tile: Tile | None = None
    run: dict[Word, int] = {}

    def __post_init__(self) -> None:
        """Refuse options that set nothing."""
        chosen = {"engine", "variant", "config"} if self.select else set()
        for name, option in self.options.items():
            if not option.processors and (option.parameter is None) != (name in chosen):
                raise ValueError(f"{name}: a parameter, or select and no parameter")


# --- firmware.yaml --------------------------------------------------------------------------------


class Images(_Words, frozen=True):
    """What all firmware images of a system share."""

    cores: Annotated[dict[str, str], Meta(min_length=1)]
    flags: tuple[str, ...]
    start: str
    script: str
    hal: tuple[str, ...]
    core: tuple[str, ...] = ()


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
    aligned: frozenset[str]


class Firmware(Struct, frozen=True):
    """What firmware images are made of."""

    systems: dict[str, Images]
    programs: dict[str, Program]
    sizes: Sizes


class Statuses(Struct, frozen=True):
    """How jobs and calls end."""

    library: dict[str, Returned]
    jobs: dict[str, Ended]
    shells: dict[str, Ended]


# --- linux.yaml -----------------------------------------------------------------------------------


class Package(_Words, frozen=True):
    """A Debian package, pinned."""

    version: str
    file: str
    hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    bytes: Bytes


class Linux(_Words, frozen=True):
    """What the Linux systems are made of."""

    mirror: Annotated[str, Meta(pattern="^https://")]
    release: Label
    kernel: str
    early: Label
    newest: str
    sets: dict[Label, tuple[str, ...]]
    packages: dict[str, Package]

    def release_of(self, name: str) -> str:
        """Return the release that a package is from, by its name as ``packages`` has it."""
        return self.early if "{newest}" in name else self.release

    def full_name(self, name: str) -> str:
        """Return a package's name with the versions that it speaks of."""
        return name.format(kernel=self.kernel, newest=self.newest)
