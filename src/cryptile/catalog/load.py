"""Reads the catalogue and checks it."""

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from cryptile.catalog.schema import (
    Algorithm,
    Algorithms,
    Engine,
    Firmware,
    Key,
    Params,
    Row,
    Statuses,
)
from cryptile.errors import CryptileError
from cryptile.project import ROOT

CATALOG = ROOT / "catalog"
_T = TypeVar("_T")


@cache
def engines(folder: Path = CATALOG) -> dict[str, Engine]:
    """Return the engines by name.

    Raises:
        CryptileError: the file has errors; the text says where.
    """
    path = folder / "engines.yaml"
    found = _read(path, dict[str, Engine])
    _unique(path, [engine.opcode.number for engine in found.values() if engine.opcode], "opcodes")
    for name, engine in found.items():
        _unique(path, [item.number for item in engine.modes.values()], f"modes of {name}")
        for word, item in engine.modes.items():
            if item.calls != 1 and not item.serial:
                raise CryptileError(f"{path}: {name}.{word}: calls without serial")
    return found


@cache
def algorithms(folder: Path = CATALOG) -> dict[str, Algorithm]:
    """Return the algorithms by name, in the order of the file; errors as of ``engines``."""
    path = folder / "algorithms.yaml"
    found, known = _read(path, Algorithms), engines(folder)

    def algorithm(name: str, row: Row) -> Algorithm:
        where = f"{path}: {name}"
        engine = _get(known, row.engine, f"{where}: no engine")
        item = _get(engine.modes, row.mode, f"{where}: no mode of {row.engine}")
        family = _get(found.families, row.family, f"{where}: no family")
        if (item.key is Key.none) == bool(row.key or family.key):
            raise CryptileError(f"{where}: its mode and its row differ on whether it takes a key")
        return Algorithm(
            name, row.family, family, row.engine, engine.opcode, item, row.key, row.hashlib
        )

    return {name: algorithm(name, row) for name, row in found.algorithms.items()}


@cache
def statuses(folder: Path = CATALOG) -> Statuses:
    """Return how jobs and calls end; errors as of ``engines``."""
    path = folder / "statuses.yaml"
    found = _read(path, Statuses)
    _unique(path, [item.number for item in found.library.values()], "library")
    _unique(path, [item.number for item in found.jobs.values()], "jobs")
    for name, item in found.jobs.items():
        _get(found.library, item.library, f"{path}: {name}: no status of the library")
    return found


@cache
def params(program: str, folder: Path = CATALOG) -> Params:
    """Return the parameter blob of a firmware program; errors as of ``engines``."""
    path = folder / "params" / f"{program}.yaml"
    found = _read(path, Params)
    known = {item.name: item for item in found.numbers}
    for field in found.fields:
        where = f"{path}: {field.name}"
        if field.choice:
            _get(found.choices, field.choice, f"{where}: no choice")
        if sum(bool(kind) for kind in (field.choice, field.words, field.bytes, field.text)) > 1:
            raise CryptileError(f"{where}: one of choice, words, bytes and text")
        for size in (field.words, field.bytes, field.text, field.rows):
            if isinstance(size, str):
                _get(known, size, f"{where}: no number")
    return found


@cache
def firmware(folder: Path = CATALOG) -> Firmware:
    """Return what firmware images are made of; errors as of ``engines``."""
    path = folder / "firmware.yaml"
    found = _read(path, Firmware)
    for name, program in found.programs.items():
        _get(found.systems, program.system, f"{path}: {name}: no system")
    return found


def programs(folder: Path = CATALOG) -> list[str]:
    """List the firmware programs that take a parameter blob."""
    return sorted(path.stem for path in (folder / "params").glob("*.yaml"))


def mode(engine: str, name: str) -> int:
    """Return the value of ``job_t.mode`` of a mode of an engine."""
    return engines()[engine].modes[name].number


def _read(path: Path, kind: type[_T]) -> _T:
    try:
        return msgspec.yaml.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise CryptileError(f"cannot read {path}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise CryptileError(f"{path}: {' '.join(str(error).split())}") from error


def _get(known: dict[str, _T], name: str, what: str) -> _T:
    if name not in known:
        raise CryptileError(f"{what} {name!r}: choose from {', '.join(known)}")
    return known[name]


def _unique(path: Path, numbers: list[int], what: str) -> None:
    if twice := {number for number in numbers if numbers.count(number) > 1}:
        raise CryptileError(f"{path}: {what}: {min(twice)} stands twice")
