"""`make soak` says how long it will take: what is written of its files."""

import pytest
from support import soak, spent

from cryptile.project import ROOT

TESTS = ROOT / "tests"


def test_every_file_for_a_soak_is_listed():
    marked = "pytest.mark." + "soak"
    found = {
        str(path.relative_to(ROOT))
        for path in TESTS.rglob("test_*.py")
        if marked in path.read_text()
    }
    assert soak.seconds().keys() == found


def test_the_forecast():
    lines = soak.forecast({"a": 60, "b": None, "c": 180})
    assert lines[0] == "soak: 240 seconds of the processor, 2 minutes of 2"
    assert [line.split() for line in lines[1:3]] == [["180", "c"], ["60", "a"]]
    assert lines[3] == "soak: files whose time nobody has measured: 1"
    assert lines[4].split() == ["?", "b"]
    assert soak.forecast({"b": None})[0] == lines[3]
    assert len(soak.forecast({"a": 60})) == 2


def test_what_a_run_took_is_what_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(soak, "RECORD", tmp_path / "seconds.yaml")
    soak.RECORD.write_text("a: 7\nc: null\nd: 4\n")
    for measured in ({"a": 1.2}, {"b": 2.6}):
        soak.keep(measured, tmp_path / "measured.yaml")
    assert soak.seconds(tmp_path / "measured.yaml") == {"a": 1, "b": 3, "c": None, "d": 4}


@pytest.mark.parametrize(("known", "counted"), [({"processor": 1.5}, 1.5), ({}, 0.0)])
def test_a_report_of_a_dead_worker_is_counted_as_nothing(known, counted):
    """It comes from pytest-xdist, and not through the hook that adds the time."""
    report = pytest.TestReport("a.py::test", ("a.py", 0, ""), {}, "failed", "crashed", "call")
    vars(report).update(known)
    measured = spent.Spent()
    measured.pytest_runtest_logreport(report)
    assert measured.phases["a.py"] == {"call": counted, "all": counted}
