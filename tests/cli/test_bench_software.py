"""The software benchmark and ``whatif``: exact figures, records, bad names."""

import json
from dataclasses import asdict

import pytest
from support import held
from typer.testing import CliRunner

from cryptile import library
from cryptile.bench.software import measure, table
from cryptile.bench.software.subjects import FAMILIES
from cryptile.cli import app
from cryptile.errors import UsageError
from cryptile.figures.store import Store
from cryptile.published import records as published
from cryptile.whatif.questions import QUESTIONS

runner = CliRunner()
EVERYTHING = ("rv32im_zkn", "rv32im_zbb_zbc", "rv32im_xcarry", "rv64im_zkn")
"""Instruction sets that together have all routines."""


def figures(records, metric, **params):
    return [r.value for r in records if r.metric == metric and params.items() <= r.params.items()]


def test_simulator_and_rtl_agree_on_code_without_long_multiplications():
    """The timing model of a core against the core itself; ChaCha20 has loads, stores, branches."""
    records = {
        core: measure.measure("rv32im", core, "chacha20") for core in ("model:cv32e40p", "cv32e40p")
    }
    for impl in ("looped", "unrolled"):
        wanted = {"impl": impl, "bytes": 4096}
        (model,) = figures(records["model:cv32e40p"], "cycles_per_byte", **wanted)
        (rtl,) = figures(records["cv32e40p"], "cycles_per_byte", **wanted)
        assert model == pytest.approx(rtl, rel=0.02)
        (instructions,) = figures(records["cv32e40p"], "instructions", **wanted)
        # The RTL's figures are those beyond an empty routine, whose return is one instruction.
        assert figures(records["model:cv32e40p"], "instructions", **wanted) == [instructions + 1]


def stated():
    """Instruction set, core and family of the figures that documents state."""
    for record in Store().records("software"):
        if "core" in record.params:
            for name, family in FAMILIES.items():
                if any(
                    (subject.alg, subject.impl) == (record.params["alg"], record.params["impl"])
                    for subject in family.subjects
                ):
                    yield record.params["isa"], record.params["core"], name


@pytest.mark.parametrize(("isa", "core", "family"), sorted(set(stated())))
def test_documents_state_these_figures(isa, core, family):
    records = [asdict(record) for record in measure.measure(isa, core, family)]
    assert held.compare(records, "cycles") + held.compare(records, "cycles_per_byte") > 0


def test_records_on_standard_output(tmp_path):
    result = runner.invoke(
        app,
        [
            "bench",
            "software",
            "--isa",
            "rv32im",
            "--core",
            "model:loaduse2",
            "--family",
            "chacha20",
            "--json",
            "-",
            "--plot",
            str(tmp_path / "p"),
        ],
    )
    assert result.exit_code == 0, result.output
    records = json.loads(result.stdout)
    metrics = {record["metric"] for record in records}
    assert metrics == {"cycles_per_byte", "instructions", "stack_bytes", "code_bytes"}
    assert all(record["suite"] == "software" for record in records)
    assert all(record["params"]["isa"] == "rv32im" for record in records)
    bulk = {
        record["params"]["impl"]: record["value"]
        for record in records
        if record["metric"] == "cycles_per_byte" and record["params"]["bytes"] == 4096
    }
    assert bulk["unrolled"] < bulk["looped"] < bulk["c"]
    assert (tmp_path / "p.png").exists() and (tmp_path / "p.svg").exists()


def test_every_published_figure_has_one_of_ours():
    """A row that no subject answers would silently vanish from the comparison."""
    subjects = [subject for family in FAMILIES.values() for subject in family.subjects]
    for other in published("software"):
        assert any(
            subject.alg == other.params["alg"] and subject.impl in other.params["impl"]
            for subject in subjects
        ), other


def test_every_subject_exists():
    """A routine that was renamed would silently vanish from the benchmark."""
    found = {name for isa in EVERYTHING for name in library.symbol_sizes(library.build(isa).image)}
    for family in FAMILIES.values():
        for item in family.subjects:
            for name in (item.symbol, *item.tables, *item.needs, *item.also):
                assert name in found, (item.alg, item.impl, name)


def test_comparison_prints_both():
    records = measure.measure("rv32im", "model:loaduse2", "poly1305")
    (comparison, everything) = table.tables(records, published("software"))
    assert comparison.row_count == 1
    assert everything.row_count == 3


def test_whatif_rotates(tmp_path):
    result = runner.invoke(
        app,
        ["whatif", "--extension", "carry-flag", "--json", "-", "--plot", str(tmp_path / "w")],
    )
    assert result.exit_code == 0, result.output
    records = json.loads(result.stdout)
    assert {record["params"]["extension"] for record in records} == {"carry-flag"}
    assert all(record["value"] > 1 for record in records)
    assert {record["params"]["impl"] for record in records} == {"xcarry"}
    without, with_it, speedup = (
        [record["value"] for record in records if record["metric"] == metric]
        for metric in ("without", "with", "speedup")
    )
    assert held.compare(records) == 12
    assert speedup == [base / new for base, new in zip(without, with_it, strict=True)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bench", "software", "--isa", "rv32im_zqq"], "unknown extension 'zqq'"),
        (["bench", "software", "--isa", "arm"], "begin with rv32i or rv64i"),
        (["bench", "software", "--core", "z80"], "unknown core 'z80'"),
        (["bench", "software", "--family", "rot13"], "unknown family 'rot13'"),
        (["whatif", "--extension", "magic"], "unknown extension 'magic'"),
    ],
)
def test_bad_names(arguments, message):
    result = runner.invoke(app, arguments)
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)


def test_rtl_core_without_an_extension():
    with pytest.raises(UsageError, match="core cv32e40p cannot run rv32im_zbb: it has no zbb"):
        measure.measure("rv32im_zbb", "cv32e40p", "chacha20")


def test_questions_name_families():
    assert {name for question in QUESTIONS for name in question.families} <= set(FAMILIES)
