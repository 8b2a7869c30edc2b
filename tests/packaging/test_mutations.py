"""What tests break in the RTL is broken, and is seen by what asserts."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from support import cocotb_runner
from support.mutated import Change, ChangeError, changed, mutated

from cryptile.errors import MissingToolError
from cryptile.project import ROOT
from cryptile.systems import tile

HERE = Path(__file__).parent
TESTS = ROOT / "tests"
BENCH = HERE / "mutant_bench.sv"
STEP = (BENCH.name, "count_q <= count_q + 3'd1", "count_q <= count_q + 3'd2")


def changes(path: Path) -> Iterator[Change]:
    """Return the changes in a file of tests: tuples of a file of RTL, a text, and another one."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Tuple) and len(node.elts) >= 3:
            file, old, new, *_ = node.elts
            if isinstance(file, ast.Constant) and str(file.value).endswith((".sv", ".svh")):
                yield file.value, ast.literal_eval(old), ast.literal_eval(new)


OTHERS = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]
TABLES = {path.name: found for path in OTHERS if (found := [*changes(path)])}
FETCHED = ("wt_dcache_mem.sv",)


@cache
def files() -> set[Path]:
    """Return the RTL of the repository, and what CVA6's package gives to the tile SoC."""
    own = {path for folder in ("rtl", "soc") for path in (ROOT / folder).rglob("*.sv*")}
    with suppress(MissingToolError):
        return own | set(tile.sources().files)
    return own


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(change, id=f"{table}-{number}")
        for table, found in TABLES.items()
        for number, change in enumerate(found)
    ],
)
def test_every_change_is_one(change):
    """It changes one place of one file: of a test for the soak nobody would see it for long."""
    if change[0] in FETCHED and not any(path.name in FETCHED for path in files()):
        pytest.skip(f"{change[0]} is of a package that is not installed")
    changed([*files()], change)


def test_who_changes_has_a_table():
    users = {
        path.name
        for path in OTHERS
        if re.search(r"support\.mutated|\bchange=(change|[A-Z]+)\b", path.read_text())
    }
    assert users and users <= TABLES.keys()


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("other.sv", "count_q", "count_d", "0 files"),
        (BENCH.name, "count_d", "count_q", "0 times"),
        (BENCH.name, "count_q", "count_d", "times, not once"),
        (BENCH.name, STEP[1], STEP[1], "as it is"),
    ],
)
def test_what_changes_nothing_is_an_error_of_its_own(file, old, new, told, tmp_path):
    with pytest.raises(ChangeError, match=told) as error:
        mutated([BENCH], (file, old, new), tmp_path)
    assert not isinstance(error.value, AssertionError | RuntimeError | SystemExit)
    assert not list(tmp_path.iterdir())


def simulate(end: str, change: Change | None = STEP) -> None:
    cocotb_runner.run(
        "cryptile:common:all",
        "mutant_bench",
        "tb_mutant",
        test_dir=HERE,
        extra_sources=[BENCH],
        env={"CRYPTILE_END": end},
        see=[],
        light=True,
        short=True,
        change=change,
    )


@pytest.mark.parametrize("end", ["rtl", "compared"])
def test_what_is_sound_passes(end):
    simulate(end, None)


@pytest.mark.parametrize("end", ["rtl", "compared"])
def test_an_assertion_sees_a_change(end):
    simulate(end)


@pytest.mark.parametrize("end", ["good", "import", "error", "dies"])
def test_no_other_end_sees_a_change(end):
    with pytest.raises(AssertionError, match="nothing that asserts has failed"):
        simulate(end)


def test_a_change_that_cannot_be_built_is_not_seen():
    with pytest.raises(RuntimeError):
        simulate("compared", (BENCH.name, STEP[1], "count_q <="))
