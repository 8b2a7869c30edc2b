"""The gate of coverage: each file for itself, and floors that only rise."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from support import coverage
from support.coverage import NOTHING, Tally

FLOORS = {"low.sv": 70}


def test_each_file_is_held_to_its_own_floor():
    good = {"low.sv": Tally(71, 100), "high.sv": Tally(90, 100)}
    assert coverage.complaints(good, FLOORS) == []
    assert coverage.complaints(good | {"high.sv": Tally(899, 1000)}, FLOORS) == [
        "high.sv: 89.9 %, below 90 %"
    ]
    assert coverage.complaints(good | {"low.sv": Tally(699, 1000)}, FLOORS) == [
        "low.sv: 69.9 %, below 70 %"
    ]


def test_a_floor_rises_with_what_stands_on_it():
    for hit in (73, 95):
        assert coverage.risen({"low.sv": Tally(hit, 100)}, FLOORS) == [
            f"low.sv: {hit}.0 %, so that its floor of 70 % is to rise"
        ]
    assert coverage.risen({"low.sv": Tally(72, 100)}, FLOORS) == []


def test_a_file_that_nothing_measures_is_below():
    assert coverage.complaints({"new.sv": NOTHING}, {}) == ["new.sv: 0.0 %, below 90 %"]
    assert coverage.complaints({}, FLOORS) == ["low.sv: 0.0 %, below 70 %"]


def test_points_are_merged_over_simulations(tmp_path):
    file = coverage.ROOT / "rtl/common/cry_fifo.sv"
    for name, counts in {"one": (0, 3), "other": (0, 0)}.items():
        lines = [
            f"C '\x01f\x02{file}\x01l\x02{line}\x01page\x02v_line/cry_fifo\x01h\x02TOP' {count}"
            for line, count in enumerate(counts)
        ]
        (tmp_path / f"{name}.dat").write_text("\n".join(lines))
    tallies = coverage.summarise(coverage.points(tmp_path))
    assert tallies["rtl/common/cry_fifo.sv"] == Tally(1, 2)
    assert tallies.keys() == coverage.modules()
    assert tallies["rtl/shell/tile/cry_tile_guard.sv"] == NOTHING


def test_what_is_named_unreachable_does_not_count_and_is_not_reached():
    def toggle(signal, kind="v_toggle"):
        return coverage.Point("a.sv", kind, "1", "2", f"{signal}:0->1")

    def never(signals, files=r"a\.sv"):
        return coverage.Unreachable(re.compile(files), re.compile(signals))

    rules = [never(r"x\[[01]\]")]
    reached = {toggle("x[0]"): False, toggle("x[2]"): False, toggle("xx[0]"): True}
    reached[toggle("x[0]", kind="v_line")] = False
    assert coverage.summarise(reached)["a.sv"] == Tally(1, 4)
    assert coverage.summarise(reached, rules)["a.sv"] == Tally(1, 3)
    assert coverage.contradictions(reached, rules) == []
    assert coverage.contradictions(reached | {toggle("x[1]"): True}, rules) == [
        "a.sv: x[1] is reached, though named unreachable"
    ]
    assert coverage.contradictions(reached, [never("y"), never("x.*", r"b\.sv")]) == [
        r"a\.sv: no such signal as y",
        r"b\.sv: no such signal as x.*",
    ]


def test_what_is_unreachable_has_a_reason():
    entries = yaml.safe_load(coverage.UNREACHABLE.read_text())
    assert all(entry.keys() == {"why", "files", "signals"} for entry in entries)
    assert len(coverage.unreachable()) >= len(entries)
    for rule in coverage.unreachable():
        assert any(rule.files.fullmatch(name) for name in coverage.modules()), rule


def test_floors_are_of_files_that_are_and_say_what_is_missing():
    entries = yaml.safe_load(coverage.FLOORS.read_text())
    assert entries.keys() <= coverage.modules()
    assert all(0 <= entry["floor"] < coverage.WANTED for entry in entries.values())
    assert all(entry.keys() == {"floor", "missing"} for entry in entries.values())


def test_floors_are_raised_and_dropped_but_never_lowered(monkeypatch):
    monkeypatch.setattr(coverage, "floors", lambda: {"a.sv": 70, "b.sv": 70, "c.sv": 70})
    text = "".join(f"{name}.sv:\n  floor: 70\n  missing: much\n" for name in "abc")
    found = {"a.sv": Tally(75, 100), "b.sv": Tally(60, 100), "c.sv": Tally(95, 100)}
    assert coverage.raised(text, found) == (
        "a.sv:\n  floor: 75\n  missing: much\nb.sv:\n  floor: 70\n  missing: much\n"
    )


@pytest.mark.parametrize("bodies", [["assert 1"], ["assert 0", "assert 1"]])
def test_what_is_below_its_floor_fails_the_session_and_is_said_last(tmp_path, bodies):
    code, printed = session(tmp_path, bodies, FLOORS, "-n", "2")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert printed[-1] == "low.sv: 0.0 %, below 70 %"
    assert ("1 failed tests may be why" in printed[-2]) == ("assert 0" in bodies)


def test_a_session_that_is_not_whole_is_not_judged(tmp_path):
    code, printed = session(tmp_path, ["assert 0", "assert 1"], FLOORS, "-x")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "coverage" not in "".join(printed)


def test_a_session_above_the_floors_ends_as_it_would(tmp_path):
    code, printed = session(tmp_path, ["assert 1"], {})
    assert code == pytest.ExitCode.OK
    assert any("coverage of the RTL" in line for line in printed)
    assert "1 passed" in printed[-1]


def session(folder, bodies, floors, *options):
    """Run tests with these bodies under the gate, with no data; no file is held to 90 %."""
    floors = dict.fromkeys(coverage.modules(), 0) | floors
    (folder / "conftest.py").write_text(
        "from support.coverage_gate import Gate\n"
        "def pytest_configure(config):\n"
        f"    config.pluginmanager.register(Gate(config.rootpath / 'data', {floors}))\n"
    )
    tests = [f"def test_{number}(): {body}\n" for number, body in enumerate(bodies)]
    (folder / "test_it.py").write_text("".join(tests))
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)]
    run = subprocess.run(
        [*command, f"--rootdir={folder}"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return run.returncode, run.stdout.rstrip().splitlines()
