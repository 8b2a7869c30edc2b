"""The files of the catalogue, checked."""

import hashlib
from functools import cache
from pathlib import Path

from msgspec import structs

from cryptile.catalog.read import convert, convert_all, get, sections, unique
from cryptile.catalog.schema import (
    Algorithm,
    AlgorithmName,
    Constant,
    Design,
    Ended,
    Engine,
    Family,
    Firmware,
    Identifier,
    Images,
    Key,
    Kind,
    Lengths,
    Linux,
    Mode,
    Params,
    Program,
    Returned,
    Row,
    Rtl,
    Sizes,
    Statuses,
    System,
    Tile,
)
from cryptile.errors import UsageError
from cryptile.project import ROOT

CATALOG = ROOT / "catalog"
LINUX_FILE = CATALOG / "linux.yaml"

NO_VARIANT = "default"
"""The variant of what has but one."""

_SELECT = Rtl(top="cry_engine_select", core="cryptile:engine:select", select=True)
"""Any engine that has a name there, alone or three in step."""

_FIRST_OF_TILE = 16
"""Statuses of jobs below are those of the engine port."""


@cache
def engines(folder: Path = CATALOG) -> dict[str, Engine]:
    """Return the engines by name.

    Raises:
        UsageError: the file has errors; the text says where.
    """
    path = folder / "engines.yaml"
    (raw,) = sections(path)
    for name, value in raw.items():
        if isinstance(value, dict) and isinstance(value.get("modes"), dict):
            convert_all(value["modes"], Mode, f"{path}: {name}")
    found = convert_all(raw, Engine, str(path))
    selects = [engine.select for engine in found.values() if engine.select]
    unique(f"{path}: names of selects", [item.name for item in selects])
    unique(f"{path}: numbers in FEATURES", [item.number for item in selects])
    opcodes = [engine.opcode for engine in found.values() if engine.opcode]
    unique(f"{path}: opcodes", [opcode.number for opcode in opcodes])
    unique(f"{path}: names of opcodes", [opcode.name for opcode in opcodes])
    if sorted(opcode.number for opcode in opcodes) != list(range(len(opcodes))):
        raise UsageError(f"{path}: opcodes leave a number out")
    for name, engine in found.items():
        unique(f"{path}: modes of {name}", [item.number for item in engine.modes.values()])
        if engine.default:
            get(engine.variants, engine.default, f"{path}: {name}.default: no variant")
        for word in (word for config in engine.configs.values() for word in config.modes or ()):
            get(engine.modes, word, f"{path}: {name}.configs: no mode")
        if engine.select and not (engine.rtl and engine.configs):
            raise UsageError(f"{path}: {name}: select needs rtl and configs")
        for word in engine.select.ahead if engine.select else ():
            get(engine.variants or {NO_VARIANT: {}}, word, f"{path}: {name}.select: no variant")
        if engine.opcode:
            _check_modes(engine, engine.opcode.name == "Aes", f"{path}: {name}")
            if engine.opcode.number and not engine.select:
                raise UsageError(f"{path}: {name}: opcode needs select")
            if engine.opcode.variant:
                get(engine.variants, engine.opcode.variant, f"{path}: {name}.opcode: no variant")
    get({opcode.name: opcode for opcode in opcodes}, "Aes", f"{path}: no opcode")
    return found


def _check_modes(engine: Engine, is_aes: bool, where: str) -> None:
    """Refuse what the tile's lanes cannot do: those of AES alone share a core and unwrap keys."""
    for word, item in engine.modes.items():
        if not is_aes and (item.serial or item.unwraps or item.key is Key.pair):
            raise UsageError(f"{where}.{word}: serial, unwraps and key: pair are for AES")
        if (item.agrees or item.makes) and (is_aes or item.output or item.iv or item.long_tag):
            raise UsageError(f"{where}.{word}: a result that becomes a key is a tag, without an IV")
        if item.agrees and item.makes:
            raise UsageError(f"{where}.{word}: agrees and makes")
        if (item.agrees and item.tag != item.made) or (item.makes and (item.tag or 0) < item.made):
            raise UsageError(f"{where}.{word}: the key is {item.made} bytes of its tag")
        if item.once and not (item.makes and item.key is not Key.none):
            raise UsageError(f"{where}.{word}: once makes a key of a key")
        for other in item.makes:
            served = get(engine.modes, other, f"{where}.{word}.makes: no mode")
            if item.made not in served.key.lengths and served.key is not Key.bytes:
                raise UsageError(f"{where}.{word}.makes: {other} takes no key of {item.made} bytes")
        if is_aes and item.key is Key.bytes:
            raise UsageError(f"{where}.{word}: AES takes no key of job_t.key_bytes")


@cache
def designs(folder: Path = CATALOG) -> dict[str, Design]:
    """Return the designs by name, with what they take from engines; errors as of ``engines``."""
    found: dict[str, Design] = {}
    for path in sorted((folder / "designs").glob("*.yaml")):
        (raw,) = sections(path)
        for name, value in raw.items():
            if name in found:
                raise UsageError(f"{path}: {name} stands in another file, too")
            found[name] = _design(value, name, f"{path}: {name}", folder)
    return found


def design_file(path: Path) -> Design:
    """Return the design that a user's file holds; errors as of ``engines``."""
    (raw,) = sections(path)
    return _design(raw, path.stem, str(path), CATALOG)


def _design(raw: object, name: str, where: str, folder: Path) -> Design:
    """Return a design, with what it takes from its engine."""
    item = convert(raw, Design, where)
    if item.engine or not item.rtl:
        engine = get(engines(folder), item.engine or name, f"{where}: no rtl, and no engine")
        item = structs.replace(
            item,
            engine=item.engine or name,
            configs=item.configs
            or {word: made.parameters for word, made in engine.configs.items()},
            rtl=item.rtl or engine.rtl,
            tmr=item.tmr or _in_step(item, engine),
            variants=item.variants or engine.variants,
            default=item.default or engine.default,
        )
    if not item.rtl:
        raise UsageError(f"{where}: its engine has no rtl")
    variants = item.variants or {NO_VARIANT: {}}
    item = structs.replace(
        item,
        variants=variants,
        default=item.default or next(iter(variants)),
        protected=tuple(variants) if item.protected is None else item.protected,
    )
    _check_design(item, where)
    return item


def _in_step(item: Design, engine: Engine) -> Rtl | None:
    """Return the RTL of three engines in step: of an engine itself, or of what is around any."""
    if item.rtl:
        return item.rtl if item.rtl.select else None
    return _SELECT if engine.select else None


def _check_design(item: Design, where: str) -> None:
    """Refuse names of variants and configurations that the design has not."""
    tops = item.rtl.top if item.rtl and isinstance(item.rtl.top, dict) else {}
    for key, names in (("default", [item.default]), ("protected", item.protected), ("top", tops)):
        for name in names or ():
            get(item.variants, name or "", f"{where}.{key}: no variant")
    if tops and (missing := item.variants.keys() - tops.keys()):
        raise UsageError(f"{where}.rtl.top: none of {min(missing)}")
    if not item.synth:
        return
    for key, names in (("energy", item.synth.energy), ("routed", item.synth.routed)):
        for name in names:
            get(item.configs, name, f"{where}.synth.{key}: no configuration")
    for point in item.synth.default:
        variant, config, *level = point.split()
        get(item.variants, variant, f"{where}.synth.default: no variant")
        get(item.configs, config, f"{where}.synth.default: no configuration")
        if level and level[0] not in item.protect:
            raise UsageError(f"{where}.synth.default: no protection {level[0]!r}")


@cache
def families(folder: Path = CATALOG) -> dict[str, Family]:
    """Return the families of algorithms by name; errors as of ``engines``."""
    path = folder / "algorithms.yaml"
    return convert_all(sections(path, "families", "algorithms")[0], Family, f"{path}: families")


@cache
def algorithms(folder: Path = CATALOG) -> dict[str, Algorithm]:
    """Return the algorithms by name, in the order of the file; errors as of ``engines``."""
    path = folder / "algorithms.yaml"
    rows = convert_all(sections(path, "families", "algorithms")[1], Row, str(path))
    known, forms = engines(folder), families(folder)
    found = {}
    for name, row in rows.items():
        where = f"{path}: {name}"
        convert(name, AlgorithmName, where)
        engine = get(known, row.engine, f"{where}: no engine")
        item = get(engine.modes, row.mode, f"{where}: no mode of {row.engine}")
        family = get(forms, row.family, f"{where}: no family")
        if engine.opcode is None:
            raise UsageError(f"{where}: the tile has no engine {row.engine}")
        _check_row(row, family, item, where)
        if row.family == "hmac":
            _check_hmac(name, row, engine, rows, where)
        found[name] = Algorithm(
            name,
            row.family,
            family,
            row.engine,
            engine.opcode,
            row.mode,
            item,
            row.key,
            row.hashlib,
        )
    if unused := forms.keys() - {row.family for row in rows.values()}:
        raise UsageError(f"{path}: nothing is of the family {min(unused)!r}")
    return found


def _check_row(row: Row, family: Family, item: Mode, where: str) -> None:
    """Refuse an algorithm whose family and mode differ."""
    made = {
        Kind.cipher: (True, False),
        Kind.aead: (True, True),
        Kind.hash: (False, True),
        Kind.xof: (False, True),
        Kind.mac: (False, True),
    }[family.kind]
    if made != (item.output, item.tag is not None):
        raise UsageError(f"{where}: mode {row.mode} makes not what a {family.kind} makes")
    if item.key is Key.bytes:
        if row.key or not family.key:
            raise UsageError(f"{where}: its family gives the lengths of its key")
    elif family.key or (row.key not in item.key.lengths if item.key.lengths else row.key):
        lengths = " or ".join(map(str, item.key.lengths)) or "no"
        raise UsageError(f"{where}: mode {row.mode} takes a key of {lengths} bytes")
    most = max(_bounded(family.tag, item.tag or 0), default=0)
    if most > (item.tag or 0):
        raise UsageError(f"{where}: a tag of {most} bytes, and mode {row.mode} makes {item.tag}")
    if row.hashlib and row.hashlib not in hashlib.algorithms_available:
        raise UsageError(f"{where}: hashlib has no {row.hashlib!r}")


def _check_hmac(name: str, row: Row, engine: Engine, rows: dict[str, Row], where: str) -> None:
    """Refuse an HMAC without its hash, whose mode is the same but for bit 3."""
    other = get(rows, name.removeprefix("hmac-"), f"{where}: no hash")
    numbers = [engine.modes[row.mode].number, engine.modes[other.mode].number]
    if other.engine != row.engine or numbers[0] != numbers[1] | 8 or other.hashlib != row.hashlib:
        raise UsageError(f"{where}: its hash is not {other.mode}")


def _bounded(lengths: tuple[int, ...] | Lengths | None, full: int) -> tuple[int, ...]:
    """Return the longest of some lengths that have a bound."""
    if isinstance(lengths, tuple):
        return lengths
    if lengths is None or lengths.most is None:
        return ()
    return (full if lengths.most == "full" else lengths.most,)


@cache
def statuses(folder: Path = CATALOG) -> Statuses:
    """Return how jobs and calls end; errors as of ``engines``."""
    path = folder / "statuses.yaml"
    raw_library, raw_jobs, raw_shells = sections(path, "library", "jobs", "shells")
    library = convert_all(raw_library, Returned, f"{path}: library")
    jobs = convert_all(raw_jobs, Ended, f"{path}: jobs")
    shells = convert_all(raw_shells, Ended, f"{path}: shells")
    for name in library:
        convert(name, Constant, f"{path}: {name}")
    for name in (*jobs, *shells):
        convert(name, Identifier, f"{path}: {name}")
    unique(f"{path}: library", [item.number for item in library.values()])
    unique(
        f"{path}: jobs, shells", [item.number for part in (jobs, shells) for item in part.values()]
    )
    for name, item in (*jobs.items(), *shells.items()):
        get(library, item.library, f"{path}: {name}: no status of the library")
    # Drivers and exit codes of programs take 0 for success.
    for name, number in (("OK", library.get("OK")), ("Ok", jobs.get("Ok"))):
        if number is None or number.number:
            raise UsageError(f"{path}: {name} is 0")
    return Statuses(library, jobs, shells)


@cache
def system(name: str, folder: Path = CATALOG) -> System:
    """Return a simulated system-on-chip; errors as of ``engines``."""
    path = folder / "systems" / f"{name}.yaml"
    (raw,) = sections(path)
    found = convert(raw, System, str(path))
    before: list[str] = []
    _check_tile(found.tile or Tile(), str(path), folder)
    for word, option in found.options.items():
        where = f"{path}: {word}"
        for engine in filter(None, (option.engine, option.configs_of)):
            get(engines(folder), engine, f"{where}: no engine")
        for other in (option.engine_of, option.levels_of, *option.only):
            if other and other not in before:
                raise UsageError(f"{where}: no option {other!r} before it")
        before.append(word)
    return found


def _check_tile(tile: Tile, where: str, folder: Path) -> None:
    """Refuse engines that the tile cannot have, or leave out."""
    known = {word: item.opcode for word, item in engines(folder).items() if item.opcode}
    takers = {word: opcode for word, opcode in known.items() if opcode.random}
    others = {word: opcode for word, opcode in known.items() if not opcode.random}
    for word in tile.without:
        get(others, word, f"{where}: without: no engine with an opcode that each tile has")
    for word in tile.also:
        get(takers, word, f"{where}: with: no engine that takes random bits")


def tile_engines(name: str, folder: Path = CATALOG) -> dict[str, Engine]:
    """Return the engines that a system's tile has; errors as of ``engines``."""
    tile = system(name, folder).tile
    return {
        word: engine
        for word, engine in engines(folder).items()
        if tile
        and engine.opcode
        and (word in tile.also if engine.opcode.random else word not in tile.without)
    }


def algorithms_on(name: str, folder: Path = CATALOG) -> dict[str, Algorithm]:
    """Return the algorithms of the engines that a system's tile has; errors as of ``engines``."""
    known = tile_engines(name, folder)
    return {word: alg for word, alg in algorithms(folder).items() if alg.engine in known}


@cache
def params(program: str, folder: Path = CATALOG) -> Params:
    """Return the parameter blob of a firmware program; errors as of ``engines``."""
    path = folder / "params" / f"{program}.yaml"
    (raw,) = sections(path)
    found = convert(raw, Params, str(path))
    unique(f"{path}: fields", ["magic", "version", *(field.name for field in found.fields)])
    unique(f"{path}: numbers", [item.name for item in found.numbers])
    known = {item.name: item for item in found.numbers}
    for field in found.fields:
        where = f"{path}: {field.name}"
        for size in (field.words, field.bytes, field.text, field.rows):
            if isinstance(size, str):
                get(known, size, f"{where}: no number")
        if field.choice:
            get(found.choices, field.choice, f"{where}: no choice")
        if (found.size(field.bytes or field.text or 4) * found.size(field.rows)) % 4:
            raise UsageError(f"{where}: its bytes are no whole number of words")
    return found


def programs(folder: Path = CATALOG) -> list[str]:
    """List the firmware programs that take a parameter blob."""
    return sorted(path.stem for path in (folder / "params").glob("*.yaml"))


@cache
def firmware(folder: Path = CATALOG) -> Firmware:
    """Return what firmware images are made of; errors as of ``engines``."""
    path = folder / "firmware.yaml"
    raw_systems, raw_programs, raw_sizes = sections(path, "systems", "programs", "sizes")
    systems = convert_all(raw_systems, Images, f"{path}: systems")
    found = convert_all(raw_programs, Program, f"{path}: programs")
    for name, program in found.items():
        get(systems, program.system, f"{path}: {name}: no system")
    return Firmware(systems, found, convert(raw_sizes, Sizes, f"{path}: sizes"))


def linux() -> Linux:
    """Return what the functional Linux system is made of; errors as of ``engines``."""
    return convert(sections(LINUX_FILE)[0], Linux, str(LINUX_FILE))


def mode(engine: str, name: str) -> int:
    """Return the value of ``job_t.mode`` of a mode of an engine."""
    return engines()[engine].modes[name].number
