"""Runs subjects on targets and makes records."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from cryptile import library
from cryptile.asm.isa import Isa
from cryptile.bench.software import own
from cryptile.bench.software.rtl_target import RtlTarget
from cryptile.bench.software.simulator_target import SimulatorTarget
from cryptile.bench.software.subject import Subject
from cryptile.bench.software.subjects import FAMILIES
from cryptile.bench.software.target import Measure, Target
from cryptile.errors import FindingError, UsageError
from cryptile.records import Record
from cryptile.sim.iss import Fault

MODEL = "model:"
_GROUP_CODE = 40 * 1024
_GROUP_MESSAGES = 64 * 1024
RTL_CORES = ("cv32e40p", "ibex")


def check(isas: Iterable[str], cores: Iterable[str], families: Iterable[str]) -> None:
    """Check names before anything is built.

    Raises:
        UsageError: an instruction set, a core or a family is not known, or no pair fits.
    """
    for isa in isas:
        Isa.parse(isa)
    for core in cores:
        if core not in RTL_CORES and not core.startswith(MODEL):
            known = ", ".join([*RTL_CORES, "model:NAME", "model:FILE.yaml"])
            raise UsageError(f"unknown core {core!r}: choose from {known}")
    for family in families:
        if family not in FAMILIES:
            raise UsageError(f"unknown family {family!r}: choose from {', '.join(FAMILIES)}")


def measure(isa: str, core: str, family: str) -> list[Record]:
    """Measure one family of subjects, those that there are for the instruction set.

    Args:
        isa: a name such as ``rv32im_zbb``.
        core: ``cv32e40p``, ``ibex`` or ``model:`` and a timing model.
        family: a key of ``FAMILIES``.

    Raises:
        UsageError: the core cannot run the instruction set, or a name is not known.
        CryptileError: a tool is missing or fails.
    """
    parsed = Isa.parse(isa)
    subjects = [
        subject
        for subject in FAMILIES[family].subjects
        if ("m" in parsed or not subject.multiplies) and subject.xlen in (None, parsed.xlen)
    ]
    parts = FAMILIES[family].parts
    if core.startswith(MODEL):
        return _measure(subjects, SimulatorTarget(core.removeprefix(MODEL), isa, parts), isa)
    records = []
    for group in _groups(subjects, library.symbol_sizes(library.build(isa, parts=parts).image)):
        symbols = {name for item in group for name in (item.symbol, *item.tables, *item.needs)}
        records += _measure(group, RtlTarget(core, isa, sorted(symbols), parts), isa)
    return records


def _groups(subjects: list[Subject], sizes: dict[str, int]) -> Iterator[list[Subject]]:
    """Split subjects so that each group's code and messages fit into the memories of the core."""
    group: list[Subject] = []
    code = data = 0
    for subject in subjects:
        size, messages = sizes.get(subject.symbol, 0), 2 * sum(subject.sizes)
        if group and (code + size > _GROUP_CODE or data + messages > _GROUP_MESSAGES):
            yield group
            group, code, data = [], 0, 0
        group.append(subject)
        code, data = code + size, data + messages
    yield group


def _measure(subjects: list[Subject], target: Target, isa: str) -> list[Record]:
    queued = [
        (subject, size, subject.prepare(target, subject.symbol, size))
        for subject in subjects
        if all(target.has(symbol) for symbol in (subject.symbol, *subject.needs))
        for size in subject.sizes or (0,)
    ]
    measures = target.run()
    records: list[Record] = []
    for subject, size, index in queued:
        parts = [measures[item] for item in ((index,) if isinstance(index, int) else index)]
        records += _records(subject, size, parts, isa, target.core)
    return records


def measure_own(isa: str, core: str, path: Path) -> list[Record]:
    """Measure a routine of the user's, with the bytes of its code.

    Args:
        isa: as of :func:`measure`.
        core: ``model:`` and a timing model.
        path: the file that names the routine.

    Raises:
        UsageError: the file is no such, the core is not a timing model, or it does not compile.
        FindingError: the routine does what it must not do.
        CryptileError: a tool is missing.
    """
    routine = own.read(path)
    if not core.startswith(MODEL):
        raise UsageError(f"a routine of one's own is measured on {MODEL}NAME, not on {core}")
    image, subject = own.build(path, routine, isa), own.subject(routine)
    target = SimulatorTarget(core.removeprefix(MODEL), isa, image)
    if not target.has(routine.symbol):
        raise UsageError(f"{path}: its sources have no {routine.symbol}")
    try:
        records = _measure([subject], target, isa)
    except Fault as fault:
        raise FindingError(f"{path}: {fault}") from fault
    params = {"alg": subject.alg, "impl": subject.impl, "isa": isa, "part": "code"}
    size = library.symbol_sizes(image)[routine.symbol]
    return [*records, Record("software", "code_bytes", size, "bytes", params)]


def code_sizes(isa: str, families: Iterable[str]) -> list[Record]:
    """Return the bytes of code and of tables of each subject."""
    records: list[Record] = []
    for family in families:
        sizes = library.symbol_sizes(library.build(isa, parts=FAMILIES[family].parts).image)
        for subject in FAMILIES[family].subjects:
            fits = subject.xlen in (None, Isa.parse(isa).xlen)
            if not fits or subject.symbol not in sizes or subject.impl.startswith("library"):
                continue
            params = {"alg": subject.alg, "impl": subject.impl, "isa": isa, **subject.params}
            code = sizes[subject.symbol] + sum(sizes.get(name, 0) for name in subject.also)
            tables = sum(sizes.get(name, 0) for name in subject.tables)
            for part, value in (("code", code), ("tables", tables)):
                records.append(
                    Record("software", "code_bytes", value, "bytes", {**params, "part": part})
                )
    return records


def run(
    isas: Iterable[str],
    cores: Iterable[str],
    families: Iterable[str],
    on_step: Callable[[str], None],
    on_done: Callable[[], None],
    routines: Iterable[Path] = (),
) -> list[Record]:
    """Measure every family on every instruction set and core that can run it, and own routines."""
    records: list[Record] = []
    for isa in isas:
        for core in cores:
            for path in routines:
                on_step(f"{path}: {isa} on {core}")
                records += measure_own(isa, core, path)
                on_done()
            for family in families:
                on_step(f"{family}: {isa} on {core}")
                try:
                    records += measure(isa, core, family)
                except UsageError:
                    if core.startswith(MODEL):
                        raise  # else this RTL core lacks an extension
                on_done()
        records += code_sizes(isa, families)
    return records


def _records(
    subject: Subject, size: int, parts: list[Measure], isa: str, core: str
) -> Iterable[Record]:
    cycles = sum(part.cycles for part in parts)
    instructions = sum(part.instructions for part in parts)
    stacks = [part.stack_bytes for part in parts if part.stack_bytes is not None]
    params: dict[str, Any] = {
        "alg": subject.alg,
        "impl": subject.impl,
        "isa": isa,
        "core": core,
        **subject.params,
    }
    if subject.sizes:
        params["bytes"] = size
        yield Record("software", "cycles_per_byte", cycles / size, "cycles/byte", params)
    else:
        yield Record("software", "cycles", cycles, "cycles", params)
    yield Record("software", "instructions", instructions, "instructions", params)
    if stacks:
        yield Record("software", "stack_bytes", max(stacks), "bytes", params)
