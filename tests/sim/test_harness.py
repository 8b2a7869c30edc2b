"""Running simulators, with a script in the place of one."""

import stat
from pathlib import Path

import pytest

from cryptile.errors import UsageError
from cryptile.systems import harness

SCRIPT = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --result) echo '{"ended": true, "exit_code": 7, "cycles": 5, "sleep_cycles": 2,' \
                   '"bytes_in": 3, "bytes_out": 4, "own": 1}' > "$2"; shift 2 ;;
    --console) echo hello > "$2"; shift 2 ;;
    --params) shift 2 ;;
    --restore) cat "$2" > /dev/null || exit 1; shift 2 ;;
    --*) echo secret > "$2"; shift 2 ;;
    *) echo secret > "${1##*+}"; shift ;;
  esac
done
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return path


MADE = ("output", "trace", "save", "coverage")


def run(model: Path, **files: Path) -> None:
    coverage = files.pop("coverage", None)
    harness.run(model, files, image=None, params=b"", coverage=coverage)


def test_result(model: Path) -> None:
    result, raw = harness.run(model, {}, image=None, params=b"")
    assert result == harness.Result(7, 5, 2, 3, 4, "hello\n")
    assert raw["own"] == 1
    model.write_text(SCRIPT.replace("true", "false"))
    assert harness.run(model, {}, image=None, params=b"")[0].exit_code is None


@pytest.mark.parametrize("there", ["nothing", "file", "link", "second name"])
@pytest.mark.parametrize("name", MADE)
def test_files_are_for_their_owner_alone(
    tmp_path: Path, model: Path, name: str, there: str
) -> None:
    """Also those that took the place of others, whom others may have opened already."""
    made, other = tmp_path / "made", tmp_path / "other"
    other.write_text("old")
    other.chmod(0o644)
    if there == "file":
        made.write_text("old")
        made.chmod(0o666)
    elif there == "link":
        made.symlink_to(other)
    elif there == "second name":
        made.hardlink_to(other)
    run(model, **{name: made})
    assert made.read_text() == "secret\n"
    assert stat.S_IMODE(made.lstat().st_mode) == 0o600
    assert (other.read_text(), stat.S_IMODE(other.stat().st_mode)) == ("old", 0o644)


@pytest.mark.parametrize("name", MADE)
def test_devices_stay(tmp_path: Path, model: Path, name: str) -> None:
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    run(model, **{name: link})
    assert link.is_char_device()


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("read", ["input", "restore"])
def test_what_is_read_is_not_removed(tmp_path: Path, model: Path, name: str, read: str) -> None:
    source, link = tmp_path / "source", tmp_path / "link"
    source.write_text("old")
    link.symlink_to(source)
    with pytest.raises(UsageError, match="is read"):
        run(model, **{read: source, name: link})
    assert source.read_text() == "old" and link.is_symlink()
