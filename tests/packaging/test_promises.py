"""What a README says that a test holds is held by one of that name."""

import ast
import re

import pytest

from cryptile.project import ROOT

HEADER = "| promise | held by |"
READMES = ("rtl/shell/tile/README.md", "soc/tile/README.md")
HOLDER = re.compile(r"`(\w+)`: ((?:`\w+`(?:, )?)+)")


def rows(text):
    """Return the rows of the table of promises: what, and by what it is held."""
    lines = text.partition(f"{HEADER}\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines]


def defined():
    """Return the tests of each file: of pytest, and of cocotb."""
    found = {}
    for path in (ROOT / "tests").rglob("*.py"):
        if path.name.startswith(("test_", "tb_")):
            assert path.stem not in found, path
            functions = (
                node
                for node in ast.parse(path.read_text()).body
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            )
            found[path.stem] = {
                node.name
                for node in functions
                if node.name.startswith("test_")
                or any("cocotb.test" in ast.unparse(one) for one in node.decorator_list)
            }
    return found


@pytest.mark.parametrize("readme", READMES)
def test_each_promise_is_held_by_a_test_that_exists(readme):
    known = defined()
    table = rows((ROOT / readme).read_text())
    assert len(table) >= 10
    for promise, holders in table:
        named = [
            (file, name)
            for file, names in HOLDER.findall(holders)
            for name in re.findall(r"\w+", names)
        ]
        assert named, promise
        assert not re.sub(r"[; ]", "", HOLDER.sub("", holders)), promise
        for file, name in named:
            assert name in known.get(file, ()), f"{promise}: no test {name} in {file}"


@pytest.mark.parametrize("folder", ["tests/shell/tile", "tests/shell/tile_lane"])
def test_no_bench_of_the_tile_is_forgotten(folder):
    """Each of its tests holds a promise of the README."""
    text = (ROOT / "rtl/shell/tile/README.md").read_text()
    named = {
        (file, name)
        for _, holders in rows(text)
        for file, names in HOLDER.findall(holders)
        for name in re.findall(r"\w+", names)
    }
    known = defined()
    for path in (ROOT / folder).glob("tb_*.py"):
        for name in known[path.stem]:
            assert (path.stem, name) in named, f"{name} of {path.name}"
