"""Routines of one's own, named in a YAML file: built with the library and measured as its are."""

from pathlib import Path

import msgspec

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.bench.software.calls import message
from cryptile.bench.software.subject import Subject
from cryptile.bench.software.target import Target
from cryptile.errors import CryptileError, MissingToolError, UsageError
from cryptile.library_sources import LIB
from cryptile.toolchain import cache, tools
from cryptile.toolchain.gcc import compiler

_MOST_ARGUMENTS = 8
_MOST_BYTES = 1 << 20
"""Of a message or buffer."""


class _Buffer(msgspec.Struct, forbid_unknown_fields=True):
    """Memory that a routine is given: so many bytes of zero, or these."""

    room: int | None = None
    hex: str | None = None


class Routine(msgspec.Struct, forbid_unknown_fields=True):
    """What the file says.

    Attributes:
        symbol: the function to call; in assembly ``.size`` tells its bytes of code.
        sources: its C and assembly files, beside the YAML file.
        arguments: in order: a number; ``in``, the address of the message; ``out``, that of as many
            bytes; ``size``, their number; ``{room: N}`` or ``{hex: DIGITS}``, that of a buffer.
        name: the word of records; else the symbol.
        sizes: bytes of messages, a mebibyte at most; without, one call is measured in cycles.
        flags: further flags of the compiler.
    """

    symbol: str
    sources: list[str]
    arguments: list[int | str | _Buffer] = []
    name: str | None = None
    sizes: list[int] = []
    flags: list[str] = []


def read(path: Path) -> Routine:
    """Read a routine's file.

    Raises:
        UsageError: it cannot be read, or says what is not known.
    """
    try:
        routine = msgspec.yaml.decode(path.read_bytes(), type=Routine)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} names no routine: {error}") from error
    for name in routine.sources:
        if not (path.parent / name).is_file():
            raise UsageError(f"{path}: no such file: {path.parent / name}")
    if len(routine.arguments) > _MOST_ARGUMENTS:
        raise UsageError(f"{path}: a routine takes {_MOST_ARGUMENTS} arguments at most")
    if not all(1 <= size <= _MOST_BYTES for size in routine.sizes):
        raise UsageError(f"{path}: a message has 1 to {_MOST_BYTES} bytes")
    for argument in routine.arguments:
        _check(argument, path, sized=bool(routine.sizes))
    return routine


def _check(argument: int | str | _Buffer, path: Path, *, sized: bool) -> None:
    if isinstance(argument, str):
        if argument not in ("in", "out", "size"):
            raise UsageError(f"{path}: an argument is in, out or size, not {argument!r}")
        if not sized:
            raise UsageError(f"{path}: {argument!r} needs sizes")
    elif isinstance(argument, _Buffer):
        if (argument.room is None) is (argument.hex is None):
            raise UsageError(f"{path}: a buffer has room or hex")
        try:
            size = (
                len(bytes.fromhex(argument.hex or "")) if argument.room is None else argument.room
            )
        except ValueError:
            raise UsageError(f"{path}: hex has other than hexadecimal digits") from None
        if not 1 <= size <= _MOST_BYTES:
            raise UsageError(f"{path}: a buffer has 1 to {_MOST_BYTES} bytes")
    elif not -(1 << 63) <= argument < 1 << 64:
        raise UsageError(f"{path}: {argument} has more than 64 bits")


def build(path: Path, routine: Routine, isa: str) -> Path:
    """Link a routine with what it calls of the library; return the image.

    Raises:
        MissingToolError: there is no compiler.
        UsageError: the compiler or linker refuses what it is given.
    """
    target, gcc = Isa.parse(isa), compiler()
    archive = library.build(isa).archive
    sources = [path.parent / name for name in routine.sources]
    abi = f"-mabi={target.abi}"
    flags: list[str | Path] = [
        f"-march={target.march}",
        abi,
        *tools.words("-O2 -g -ffreestanding"),
        "-I",
        library.INCLUDE,
        *routine.flags,
    ]

    def make(folder: Path) -> None:
        objects = [folder / f"{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, objects, strict=True):
            tools.run([gcc, *flags, "-c", source, "-o", made])
        tools.run(
            [
                gcc,
                f"-march={target.link_march}",
                abi,
                *tools.words("-nostdlib -static -Wl,-e,0"),
                "-T",
                LIB / "library.ld",
                f"-Wl,-u,{routine.symbol}",
                *objects,
                archive,
                "-lgcc",
                "-o",
                folder / "routine.elf",
            ]
        )

    try:
        # What is compiled, headers and macros from wherever they come.
        texts = [tools.run([gcc, *flags, "-E", source]) for source in sources]
        given = [*sources, LIB / "library.ld", archive]
        key = cache.digest(given, routine.symbol, [str(flag) for flag in flags], texts)
        return cache.build(f"routine/{target.name}", key, make) / "routine.elf"
    except MissingToolError:
        raise
    except CryptileError as error:
        raise UsageError(f"{path}: {error}") from error


def subject(routine: Routine) -> Subject:
    """Return the routine as what is measured."""

    def prepare(target: Target, symbol: str, size: int) -> int:
        given: list[int] = []
        for argument in routine.arguments:
            if isinstance(argument, int):
                given.append(argument)
            elif isinstance(argument, _Buffer):
                content = bytes.fromhex(argument.hex or "") or bytes(argument.room or 0)
                given.append(target.place(content))
            elif argument == "size":
                given.append(size)
            else:
                given.append(target.place(message(size) if argument == "in" else bytes(size)))
        return target.call(symbol, *given)

    return Subject(
        routine.name or routine.symbol, "own", routine.symbol, prepare, tuple(routine.sizes)
    )
