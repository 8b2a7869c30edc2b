"""Runs subjects on targets and makes records."""

from collections.abc import Callable, Iterable
from typing import Any

from cryptile import firmware, library, tools
from cryptile.asm.isa import Isa
from cryptile.bench.software.rtl_target import RtlTarget
from cryptile.bench.software.simulator_target import SimulatorTarget
from cryptile.bench.software.subject import Subject
from cryptile.bench.software.subjects import FAMILIES
from cryptile.bench.software.target import Measure, Target
from cryptile.errors import UsageError
from cryptile.records import Record

MODEL = "model:"
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
            known = ", ".join([*RTL_CORES, "model:NAME"])
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
    target = _target(isa, core, family)
    parsed = Isa.parse(isa)
    queued: list[tuple[Subject, int, int]] = []
    subjects = [
        subject
        for subject in FAMILIES[family].subjects
        if target.has(subject.symbol) and ("m" in parsed or not subject.multiplies)
    ]
    for subject in subjects:
        for size in subject.sizes or (0,):
            queued.append((subject, size, subject.prepare(target, subject.symbol, size)))
    measures = target.run()
    records: list[Record] = []
    for subject, size, index in queued:
        records += _records(subject, size, measures[index], isa, target.core)
    return records


def code_sizes(isa: str, families: Iterable[str]) -> list[Record]:
    """Return the bytes of code and of tables of each subject."""
    records: list[Record] = []
    for family in families:
        sizes = library.symbol_sizes(library.build(isa, parts=FAMILIES[family].parts).image)
        for subject in FAMILIES[family].subjects:
            if subject.symbol not in sizes or subject.impl == "library":
                continue
            params = {"alg": subject.alg, "impl": subject.impl, "isa": isa, **subject.params}
            code = sizes[subject.symbol] + sum(sizes.get(name, 0) for name in subject.also)
            tables = sum(sizes.get(name, 0) for name in subject.tables)
            for part, value in (("code", code), ("tables", tables)):
                records.append(
                    Record("software", "code_bytes", value, "bytes", {**params, "part": part})
                )
    return records


def tool_versions() -> dict[str, str]:
    """Return the versions of the tools that the figures depend on."""
    return {
        "compiler": tools.version(firmware.compiler()),
        "verilator": tools.version("verilator"),
    }


def run(
    isas: Iterable[str],
    cores: Iterable[str],
    families: Iterable[str],
    on_step: Callable[[str], None],
) -> list[Record]:
    """Measure every family on every instruction set and core that can run it."""
    records: list[Record] = []
    for isa in isas:
        for core in cores:
            for family in families:
                on_step(f"{family}: {isa} on {core}")
                try:
                    records += measure(isa, core, family)
                except UsageError:
                    if core.startswith(MODEL):
                        raise
                    continue  # this RTL core lacks an extension
        records += code_sizes(isa, families)
    return records


def _target(isa: str, core: str, family: str) -> Target:
    found = FAMILIES[family]
    if core.startswith(MODEL):
        return SimulatorTarget(core.removeprefix(MODEL), isa, found.parts)
    names: set[str] = set()
    for subject in found.subjects:
        names.update({subject.symbol}, subject.tables, subject.needs)
    return RtlTarget(core, isa, sorted(names), found.parts)


def _records(subject: Subject, size: int, seen: Measure, isa: str, core: str) -> Iterable[Record]:
    params: dict[str, Any] = {
        "alg": subject.alg, "impl": subject.impl, "isa": isa, "core": core, **subject.params,
    }  # fmt: skip
    if subject.sizes:
        params["bytes"] = size
        yield Record("software", "cycles_per_byte", seen.cycles / size, "cycles/byte", params)
    else:
        yield Record("software", "cycles", seen.cycles, "cycles", params)
    yield Record("software", "instructions", seen.instructions, "instructions", params)
    if seen.stack_bytes is not None:
        yield Record("software", "stack_bytes", seen.stack_bytes, "bytes", params)
