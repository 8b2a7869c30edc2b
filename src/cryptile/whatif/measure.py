"""Measures each algorithm with and without an extension on the same core."""

from collections.abc import Callable, Iterable
from typing import Any

from cryptile.bench.software import measure as software
from cryptile.bench.software.subject import BULK
from cryptile.records import Record
from cryptile.whatif.questions import Question

_WITH_TABLES = ("table", "compact", "c", "small", "library-table", "library-compact")
"""AES that is not constant-time, which competes only with its like."""

Key = tuple[str, str, int]


def measure(
    questions: Iterable[Question],
    core: str,
    on_step: Callable[[str], None],
    on_done: Callable[[], None],
) -> list[Record]:
    """Answer the questions: best implementation against best implementation.

    Returns:
        For each extension and algorithm that it changes three records with the same parameters:
        cycles, or cycles per byte, ``without`` and ``with`` it, and the ``speedup``.

    Raises:
        UsageError: the core cannot run one of the instruction sets.
        CryptileError: a tool is missing or fails.
    """
    cache: dict[tuple[str, str], list[Record]] = {}

    def records(isa: str, family: str) -> list[Record]:
        if (isa, family) not in cache:
            on_step(f"{family}: {isa} on {core}")
            cache[isa, family] = software.measure(isa, core, family)
        return cache[isa, family]

    answers: list[Record] = []
    for question in questions:
        for family in question.families:
            base = _best(records(question.base, family))
            with_it = _best(records(question.isa, family))
            on_done()
            for key in base:
                if key in with_it and with_it[key].value != base[key].value:
                    answers += _answer(question, core, base[key], with_it[key])
    return answers


def _best(records: list[Record]) -> dict[Key, Record]:
    """Return the fastest implementation of each algorithm, for long messages."""
    best: dict[Key, Record] = {}
    for record in records:
        params = record.params
        if record.metric not in ("cycles", "cycles_per_byte"):
            continue
        if params.get("bytes", BULK) != BULK or params["impl"] == "reduced":
            continue
        tables = params["alg"].startswith("aes-128-") and params["impl"] in _WITH_TABLES
        kind = "table" if tables else "constant-time"
        key = (params["alg"], kind, params.get("limbs", 0))
        if key not in best or record.value < best[key].value:
            best[key] = record
    return best


def _answer(question: Question, core: str, base: Record, with_it: Record) -> list[Record]:
    params: dict[str, Any] = {
        "alg": base.params["alg"],
        "extension": question.extension,
        "isa": question.isa,
        "base": question.base,
        "core": core,
        "impl": with_it.params["impl"],
        "base_impl": base.params["impl"],
    }
    if "limbs" in base.params:
        params["limbs"] = base.params["limbs"]
    return [
        Record("whatif", "without", base.value, base.unit, params),
        Record("whatif", "with", with_it.value, with_it.unit, params),
        Record("whatif", "speedup", base.value / with_it.value, "ratio", params),
    ]
