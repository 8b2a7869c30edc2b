"""``cryptile figures``: what is kept of a run, and how a document names a figure."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cryptile.errors import CryptileError, UsageError
from cryptile.figures import document
from cryptile.figures.select import Figures
from cryptile.figures.store import Store
from cryptile.records import Record

COMMAND = "cryptile bench toy"
ORIGIN = {"commit": "01234567", "tools": {}, "command": f"{COMMAND} --json x", "seed": 1}


def measured(folder: Path, *figures: tuple[str, float, dict[str, Any]], **origin: Any) -> Path:
    path = folder / "records.json"
    items = [
        {"suite": "toy", "metric": metric, "value": value, "unit": "u", "params": params}
        for metric, value, params in figures
    ]
    path.write_text(json.dumps([{**item, "provenance": {**ORIGIN, **origin}} for item in items]))
    return path


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A folder in which a suite is kept."""
    folder = tmp_path / "figures"
    figures = [("cycles", n * 1000, {"impl": impl, "n": n}) for impl in "ab" for n in (1, 2)]
    long = ("cycles", 4000.25, {"impl": "a", "n": 4, "extrapolated": True})
    keep(measured(tmp_path, *figures, long), folder)
    return folder


def keep(path: Path, folder: Path) -> None:
    """Add records to a folder, and keep all that it has."""
    store = Store(folder)
    store.add(path)
    store.write(store.records("toy"))


def written(folder: Path, toy: Path, text: str) -> str:
    path = folder / "text.md"
    path.write_text(text)
    return document.write(path, Figures(Store(toy)))


def test_a_second_run_takes_the_place_of_what_it_measured_again(tmp_path: Path, toy: Path) -> None:
    again = measured(tmp_path, ("cycles", 7, {"impl": "a", "n": 1}), commit="ffff")
    keep(again, toy)
    assert [path.name for path in toy.iterdir()] == ["toy.json"]
    first, second = Store(toy).runs("toy")
    assert [record.value for record in first.records] == [2000, 1000, 2000, 4000.25]
    assert second.records == [Record("toy", "cycles", 7, "u", {"impl": "a", "n": 1})]
    assert second.provenance["commit"] == "ffff"
    assert second.provenance["command"] == COMMAND
    everything = [(record.metric, 1, record.params) for record in Store(toy).records("toy")]
    keep(measured(tmp_path, *everything), toy)
    assert len(Store(toy).runs("toy")) == 1


def test_what_no_document_states_is_dropped(tmp_path: Path, toy: Path) -> None:
    store = Store(toy)
    store.add(measured(tmp_path, ("cycles", 2000, {"impl": "a", "n": 2})))
    figures = Figures(store)
    path = tmp_path / "text.md"
    path.write_text("<!-- figure toy {metric: cycles, impl: a, n: 2} -->1<!-- end -->")
    assert list(document.stale([path], figures)) == [path]
    assert len(Store(toy).records("toy")) == 5, "nothing is written before it is asked for"
    store.write(figures.used)
    assert [record.value for record in Store(toy).records("toy")] == [2000]
    store.add(measured(tmp_path, ("cycles", 1, {"impl": "z"})))
    store.write([])
    assert Store(toy).records("toy") == [] and not list(toy.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "holds no records"),
        ('[{"suite": "toy"}]', "holds no records"),
        ("no JSON", "holds no records"),
        (None, "cannot read"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "records.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=message):
        Store(tmp_path).add(path)


def test_a_run_that_nobody_can_repeat_is_refused(tmp_path: Path) -> None:
    path = measured(tmp_path, ("cycles", 1, {}), commit="0123-dirty")
    with pytest.raises(UsageError, match="not committed"):
        Store(tmp_path).add(path)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("{metric: cycles, impl: a, n: 2}", "2,000"),
        ("{metric: cycles, n: 2}", "2,000"),  # both are the same
        ("{metric: cycles, impl: a, n: [1, 2]}", "1,000 / 2,000"),
        ("{metric: cycles, n: 4, as: '{:.1f}', mark: ' *'}", "4000.2 *"),
        ("{metric: cycles, n: 1, mark: ' *'}", "1,000"),
        ("{metric: cycles, n: 1, impl: null}", "1,000"),
        ("{metric: cycles, impl: a, n: 4, over: {n: 1}, as: '{:.3f}'}", "4.000"),
        ("{metric: cycles, impl: a, n: [2, 4], over: {n: 1}}", "2 / 4"),
    ],
)
def test_a_figure_in_a_line(tmp_path: Path, toy: Path, words: str, shown: str) -> None:
    text = f"It takes <!-- figure toy {words} -->9<!-- end --> cycles.\n"
    assert written(tmp_path, toy, text) == text.replace(">9<", f">{shown}<")


TABLE = """<!-- figures toy
heading: of | by
where: {metric: cycles}
columns:
  one: {n: 1}
  two: {n: 2, bold: true}
rows:
  x | a: {impl: a}
  "| b": {impl: b, blank: [one]}
-->
"""


def test_a_table(tmp_path: Path, toy: Path) -> None:
    made = written(tmp_path, toy, f"before\n\n{TABLE}old\n<!-- end -->\n\nafter\n")
    assert made == (
        f"before\n\n{TABLE}"
        "| of | by | one | two |\n|---|---|---:|---:|\n| x | a | 1,000 | **2,000** |\n"
        "| | b |  | **2,000** |\n<!-- end -->\n\nafter\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<!-- figure toy {metric: cycles} -->1<!-- end -->",
            "several .* say extrapolated or impl",
        ),
        ("<!-- figure toy {metric: seconds} -->1<!-- end -->", "no figure of toy has metric"),
        ("<!-- figure toy {metric: cycles, n: 1, from: hearsay} -->1<!-- end -->", "hearsay"),
        ("<!-- figure toy {metric: [} -->1<!-- end -->", "text.md, near line 3: while parsing"),
        ("<!-- figure toy {metric: cycles, n: 1} -->1", "not as it should be"),
        ("<!-- figure toy metric: cycles -->1<!-- end -->", "not as it should be"),
        (f"{TABLE}old\n", "not as it should be"),
        (f"{TABLE.replace('two', 'one')}old\n<!-- end -->", "'one' stands twice"),
        (f"{TABLE.replace('where', 'were')}old\n<!-- end -->", "were"),
        (f"{TABLE.replace('[one]', '[three]')}old\n<!-- end -->", "three"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, toy: Path, text: str, message: str
) -> None:
    with pytest.raises(CryptileError, match=message):
        written(tmp_path, toy, f"a\n\n{text}\n")


def test_documents_state_what_was_measured() -> None:
    command = [Path(sys.executable).parent / "cryptile", "figures", "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")
