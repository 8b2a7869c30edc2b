"""Where the output of ``cryptile crypt`` goes: modes, links, devices; nothing is simulated."""

import itertools
import os
import socket
import stat
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cryptile.crypt import command, run
from cryptile.errors import CryptileError

app = typer.Typer()
app.command()(command.crypt)

CTR = ["--alg", "aes-128-ctr", "--key", "00" * 16, "--iv", "11" * 16]
TEXT = b"what is encrypted" * 1000


class System:
    """In the place of a system-on-chip: copies its input, and calls what a test wants meanwhile."""

    def __init__(self) -> None:
        self.exit_code = 0
        self.meanwhile: Callable[[], object] = lambda: None

    def prepare(self, *_: object) -> Callable[..., Any]:
        return self.simulate

    def simulate(self, *, input: Path, output: Any, **_: object) -> SimpleNamespace:
        output.path.write_bytes(input.read_bytes())
        self.meanwhile()
        console = "R crypt_cycles 1\n"
        return SimpleNamespace(exit_code=self.exit_code, console=console, cycles=1, sleep_cycles=0)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    made = System()
    monkeypatch.setattr(run, "_prepare", made.prepare)
    return made


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source"
    path.write_bytes(TEXT)
    return path


def crypt(*words: object) -> str:
    """Call the command without a process of its own; return what a user is told if it fails."""
    result = CliRunner().invoke(app, [*map(str, words), *CTR])
    if result.exception is None:
        return ""
    assert isinstance(result.exception, CryptileError), repr(result.exception)
    return str(result.exception)


@contextmanager
def under(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


MODES = (0o400, 0o600, 0o644, 0o666, 0o777, 0o1755, 0o2755, 0o4755, 0o6777)
MASKS = (0, 0o002, 0o022, 0o027, 0o077, 0o200)


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_modes(tmp_path: Path, source: Path, direction: str) -> None:
    """Neither the input's mode nor that of a file that is replaced has a say."""
    output = tmp_path / "output"
    for given, mask, old in itertools.product(MODES, MASKS, (None, 0o4777, 0o400)):
        source.chmod(given)
        output.unlink(missing_ok=True)
        if old is not None:
            output.touch()
            output.chmod(old)
        with under(mask):
            assert crypt(direction, source, "-o", output, *(["-f"] if old else [])) == ""
        assert mode(output) == (0o600 if direction == "decrypt" else 0o666) & ~mask
        assert output.read_bytes() == TEXT
    assert sorted(tmp_path.iterdir()) == [output, source]


@pytest.mark.usefixtures("system")
def test_fifo(tmp_path: Path, source: Path) -> None:
    fifo, got = tmp_path / "fifo", []
    os.mkfifo(fifo)
    assert "exists already" in crypt("decrypt", source, "-o", fifo)
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
    reader.start()
    assert crypt("decrypt", source, "-o", fifo, "-f") == ""
    reader.join(10)
    assert got == [TEXT] and fifo.is_fifo()


@pytest.mark.usefixtures("system")
def test_devices(tmp_path: Path, source: Path) -> None:
    """By links, lest a defect replace the devices themselves."""
    master, slave = os.openpty()
    tty.setraw(slave)
    source.write_bytes(TEXT[:1000])
    terminal, full, null = (tmp_path / name for name in ("terminal", "full", "null"))
    terminal.symlink_to(os.ttyname(slave))
    full.symlink_to("/dev/full")
    null.symlink_to("/dev/null")
    for device in (terminal, full, null):
        assert "exists already" in crypt("decrypt", source, "-o", device)
    assert crypt("decrypt", source, "-o", terminal, "-f") == ""
    assert os.read(master, 2000) == TEXT[:1000]
    assert crypt("decrypt", source, "-o", null, "-f") == ""
    assert "No space left" in crypt("decrypt", source, "-o", full, "-f")
    assert all(link.is_symlink() and link.is_char_device() for link in (terminal, full, null))
    os.close(master)
    os.close(slave)


@pytest.mark.usefixtures("system")
def test_links(tmp_path: Path, source: Path) -> None:
    """A link stays, and what it points to is replaced; another name of that keeps the old one."""
    (tmp_path / "folder").mkdir()
    target, twin, link = (tmp_path / name for name in ("folder/target", "twin", "link"))
    target.write_bytes(b"old")
    os.link(target, twin)
    link.symlink_to("folder/target")
    assert "exists already" in crypt("decrypt", source, "-o", link)
    assert crypt("decrypt", source, "-o", link, "-f") == ""
    assert link.is_symlink() and not target.is_symlink()
    assert (target.read_bytes(), twin.read_bytes(), mode(target)) == (TEXT, b"old", 0o600)
    target.unlink()
    assert "exists already" in crypt("decrypt", source, "-o", link)  # it points to nothing
    assert not target.exists()
    assert crypt("decrypt", source, "-o", link, "-f") == ""
    assert (link.is_symlink(), target.read_bytes()) == (True, TEXT)
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "folder", "link", "source", "target", "twin",
    ]  # fmt: skip


@pytest.mark.usefixtures("system")
def test_what_cannot_be_made(tmp_path: Path, source: Path) -> None:
    for name, to in (("circle", "circle"), ("nowhere", "no/where"), ("self", "source")):
        (tmp_path / name).symlink_to(to)
    with socket.socket(socket.AF_UNIX) as server, (tmp_path / "gone").open("w") as gone:
        server.bind(str(tmp_path / "socket"))
        (tmp_path / "gone").unlink()
        (tmp_path / "folder").mkdir()
        before = sorted(tmp_path.rglob("*"))
        for output, message in {
            tmp_path / "circle": "nothing that could be replaced",
            tmp_path / "nowhere": "no such folder",
            tmp_path / "self": "same file",
            tmp_path / "folder": "a folder",
            tmp_path / "no" / "out": "no such folder",
            tmp_path / "socket": "a socket",
            Path(f"/dev/fd/{gone.fileno()}"): "nothing that could be replaced",
            Path("/proc/output"): "cannot write",
        }.items():
            assert message in crypt("decrypt", source, "-o", output, "-f"), output
    assert sorted(tmp_path.rglob("*")) == before
    assert source.read_bytes() == TEXT


def test_failure_changes_nothing(tmp_path: Path, source: Path, system: System) -> None:
    output = tmp_path / "output"
    output.write_bytes(b"old")
    system.exit_code = 4  # bad padding
    assert "bad padding" in crypt("decrypt", source, "-o", output, "-f")
    assert output.read_bytes() == b"old"
    output.unlink()
    assert "bad padding" in crypt("decrypt", source, "-o", output)
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("comes", ["file", "link"])
def test_nothing_is_replaced_that_came_meanwhile(
    tmp_path: Path, source: Path, system: System, comes: str
) -> None:
    output, other = tmp_path / "output", tmp_path / "other"
    make = {"file": lambda: output.write_bytes(b"new"), "link": lambda: output.symlink_to(other)}
    system.meanwhile = make[comes]
    assert "exists already" in crypt("decrypt", source, "-o", output)
    assert output.read_bytes() == b"new" if comes == "file" else output.is_symlink()
    assert sorted(tmp_path.iterdir()) == [output, source]
