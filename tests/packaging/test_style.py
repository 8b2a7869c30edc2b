"""What no formatter checks: lines of 100 columns, and a comment on each port and parameter."""

import ast
import re
import subprocess
from collections.abc import Sequence

import pytest

from cryptile.project import ROOT

COLUMNS = 100

MODULE = re.compile(r"^module\s+\w+.*?^\s*\);", re.MULTILINE | re.DOTALL)
DECLARED = re.compile(r"(parameter|input|output|inout)\b")
OBVIOUS = re.compile(r"\b(clk_i|rst_ni)\b")


def files(
    *endings: str, folders: Sequence[str] = ("rtl", "soc", "sim", "src", "tests", "sw")
) -> list[str]:
    """Sources with one of these endings, but those that are generated."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", *folders], capture_output=True, text=True, check=True
    ).stdout.split()
    return [path for path in listed if path.endswith(endings) and "/gen/" not in path]


def uncommented(text: str) -> list[int]:
    """Numbers of the lines of module headers that declare a port or parameter without comment.

    The comment is on the line, or on one above a group of lines; an empty line ends a group.
    """
    found = []
    for module in MODULE.finditer(text):
        grouped = False
        first = text.count("\n", 0, module.start()) + 1
        for number, line in enumerate(module[0].splitlines(), first):
            words = line.strip()
            if words.startswith("//"):
                grouped = True
            elif words in ("", "#(", ") (", ");"):
                grouped = False
            elif DECLARED.match(words) and not (grouped or "//" in words or OBVIOUS.search(words)):
                found.append(number)
    return found


def long_lines() -> dict[str, list[int]]:
    """Lines beyond the last column; those of Python are ruff's."""
    return {
        path: [
            number
            for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
            if len(line) > COLUMNS
        ]
        for path in files(".sv", ".svh", ".c", ".h", ".cpp")
    }


def bare_ports() -> dict[str, list[int]]:
    """Ports and parameters without a comment; test benches need none."""
    paths = [path for path in files(".sv") if path.startswith(("rtl/", "soc/"))]
    return {path: uncommented((ROOT / path).read_text()) for path in paths}


TABLE = 7
"""Lines of a statement with calls that may be a table to the reader."""


def skipped(text: str) -> list[int]:
    """Number the lines with ``fmt: skip`` behind anything but a table.

    The formatter gives each cell of a table a line of its own; of all else it knows better.
    Options of programs are readable as ``tools.words("-a -b")``.
    """
    lines = text.splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith("# fmt: skip")}
    tables = {
        statement.end_lineno
        for statement in ast.walk(ast.parse(text))
        if isinstance(statement, ast.stmt)
        and statement.end_lineno in marked
        and (
            statement.end_lineno - statement.lineno + 1 >= TABLE
            or not any(isinstance(part, ast.Call) for part in ast.walk(statement))
        )
    }
    return sorted(marked - tables)


def test_the_formatter_is_followed():
    found = {
        path: lines
        for path in files(".py", folders=("src", "tests", "examples"))
        if (lines := skipped((ROOT / path).read_text()))
    }
    assert found == {}


def test_a_skip_behind_a_call_is_found():
    call = "f(\n    1,\n)  # fmt: skip\n"
    table = "T = [\n    1, 2,\n]  # fmt: skip\n"
    assert skipped(call + table) == [3]


@pytest.mark.parametrize("find", [long_lines, bare_ports])
def test_nothing_is_long_or_bare(find):
    assert {path: lines for path, lines in find().items() if lines} == {}


def test_benches_are_named_apart_from_benchmarks():
    """A test bench of cocotb is ``tb_NAME``; bench is the word for benchmarks."""
    assert list((ROOT / "tests").rglob("bench_*.py")) == []


def test_a_bare_port_is_found():
    text = (
        "module m #(\n  parameter int A = 1,\n  parameter int B = 2  // bits\n) (\n"
        "  input logic clk_i,\n  // Group\n  input logic a_i,\n  output logic b_o,\n\n"
        "  input logic c_i,\n  input logic d_i  // level\n);\n  // input\nendmodule\n"
    )
    assert uncommented(text) == [2, 10]


def test_assertions_have_names():
    """All are made by the macros, so that they are off in reset and in synthesis; ``Name_A``."""
    called = re.compile(r"`CRY_ASSERT(?:_KNOWN(?:_IF)?)?\(\s*(\w+)")
    bare = re.compile(r"\b(?:assert|assume)\s+(?:property|final|#)")
    names, without = [], []
    for path in files(".sv"):
        text = re.sub(r"//.*", "", (ROOT / path).read_text())
        names += called.findall(text)
        without += [path for _ in bare.findall(text)]
    assert len(names) > 100
    assert [name for name in names if not re.fullmatch(r"[A-Z]\w*_A", name)] == []
    assert without == []
