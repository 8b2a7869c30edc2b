"""Where the output of ``cryptile crypt`` goes: modes, links, devices; nothing is simulated."""

import errno
import itertools
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cryptile.commands import crypt as command
from cryptile.crypt import destination, run
from cryptile.errors import CryptileError, UsageError

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


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("records", ["source", "output", "key", "folder"])
def test_records_take_the_place_of_nothing_else(
    tmp_path: Path, source: Path, records: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    key = tmp_path / "key"
    key.write_bytes(bytes(16))
    monkeypatch.chdir(tmp_path)
    words = ["encrypt", source, *CTR[:2], "--key-file", key, *CTR[4:], "-o", "output"]
    ended = CliRunner().invoke(app, [*map(str, words), "--json", str(tmp_path / records)])
    assert isinstance(ended.exception, UsageError)
    assert source.read_bytes() == TEXT
    assert key.read_bytes() == bytes(16)
    assert not Path("output").exists()
    for other in ("folder/../output", "linked/output"):
        assert not Path("output").exists()
        (tmp_path / "linked").symlink_to(tmp_path, target_is_directory=True)
        ended = CliRunner().invoke(app, [*map(str, words), "--json", str(tmp_path / other)])
        assert isinstance(ended.exception, UsageError), other
        (tmp_path / "linked").unlink()
    ended = CliRunner().invoke(app, [*map(str, words), "--json", str(tmp_path / "records")])
    assert ended.exit_code == 0
    assert Path("output").read_bytes() == TEXT


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("records", ["/proc/none/records", "key/records", "shut/records", "shut"])
def test_records_that_cannot_be_written(
    tmp_path: Path, source: Path, records: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found before there is an output, which the next try would find in its way."""
    (tmp_path / "key").write_bytes(bytes(16))
    (tmp_path / "shut").symlink_to("/proc/none")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert "cannot write" in crypt("encrypt", source, "-o", "output", "--json", records)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.usefixtures("system")
def test_records_in_folders_to_be_made(tmp_path: Path, source: Path) -> None:
    (tmp_path / "old").write_text("[]")
    for name in ("old", "new", "a/b/new"):
        records = tmp_path / name
        assert crypt("encrypt", source, "-f", "-o", tmp_path / "out", "--json", records) == ""
        assert "crypt_cycles" not in records.read_text() and "aes-128-ctr" in records.read_text()


STREAMS = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]


@pytest.mark.parametrize(
    ("kind", "output", "records"),
    [
        *((kind, "-", name) for kind in ("pipe", "file") for name in STREAMS),
        *((kind, name, "-") for kind in ("pipe", "file") for name in STREAMS),
        ("file", "-", "sink"),
    ],
)
def test_output_and_records_are_not_one_stream(
    tmp_path: Path, source: Path, kind: str, output: str, records: str
) -> None:
    """By whatever names: a reader could not tell them apart, or one is written over the other."""
    program = [sys.executable, "-c", "from cryptile.cli import main; main()", "crypt", "encrypt"]
    words = [*program, source, *CTR, "-f", "-o", output, "--json", records]
    with (tmp_path / "sink").open("wb") as file:
        ended = subprocess.run(
            list(map(str, words)),
            stdout=file if kind == "file" else subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
            cwd=tmp_path,
        )
    assert ended.returncode == 2
    assert b"standard output cannot be both" in ended.stderr
    assert not ended.stdout and not (tmp_path / "sink").read_bytes()


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
        "folder",
        "link",
        "source",
        "target",
        "twin",
    ]


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


class Calls:
    """In the place of ``os`` and ``shutil``: something happens before or after one of the calls."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.before: Callable[[str], object] = lambda name: None
        self.after: Callable[[str], object] = lambda name: None
        self.at: int | None = None
        """The number of the call at which it happens; None: all."""
        self.nameless = True
        """Whether the file system knows files without a name."""

    def of(self, module: Any) -> Any:
        def attribute(name: str) -> Any:
            value = getattr(module, name)
            return self.watch(name, value) if callable(value) else value

        watched = type("Watched", (), {"__getattr__": lambda _, name: attribute(name)})
        return watched()

    def watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            now = self.at in (None, len(self.names))
            self.names.append(name)
            if now:
                self.before(name)
            try:
                if not self.nameless and name == "open":
                    refuse_nameless(arguments[1])
                return function(*arguments, **options)
            finally:
                if now:
                    self.after(name)

        return call


def refuse_nameless(flags: int) -> None:
    if flags & os.O_TMPFILE == os.O_TMPFILE:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, system: System) -> Calls:
    made = Calls()
    monkeypatch.setattr(destination, "os", made.of(os))
    monkeypatch.setattr(destination, "shutil", made.of(destination.shutil))
    return made


WAYS = pytest.mark.parametrize(
    ("force", "nameless"), [(False, True), (True, True), (False, False), (True, False)]
)


def each_call(
    folder: Path, calls: Calls, source: Path, *, force: bool, nameless: bool
) -> Iterator[tuple[Path, list[object]]]:
    """Return output and words of a run to be disturbed at its first call, its second, and so on."""
    calls.nameless = nameless
    calls.at, most = -1, 1
    while calls.at < most:
        output = folder / str(calls.at) / "output"
        output.parent.mkdir()
        if force:
            output.write_bytes(b"old")
            output.chmod(0o600)
        words = ["decrypt", source, "-o", output, *(["-f"] if force else [])]
        calls.names.clear()
        if calls.at < 0:
            assert crypt(*words) == "" and output.read_bytes() == TEXT
            most = len(calls.names)
        else:
            yield output, words
        calls.at += 1


def left_beside(output: Path) -> list[Path]:
    """Check that all of the output is there or nothing, and return the other files."""
    if output.exists():
        assert output.read_bytes() in (TEXT, b"old")
    assert all(mode(path) == 0o600 for path in output.parent.iterdir())
    return [path for path in output.parent.iterdir() if path != output]


@WAYS
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_whole_or_not_at_all_after_a_signal(
    tmp_path: Path, source: Path, calls: Calls, sent: int, force: bool, nameless: bool
) -> None:
    """Sent after each call of the system."""
    left = []
    calls.after = lambda _: os.kill(os.getpid(), sent)
    for output, words in each_call(tmp_path, calls, source, force=force, nameless=nameless):
        child = os.fork()
        if child == 0:
            with suppress(BaseException):
                crypt(*words)
            os._exit(0)
        os.waitpid(child, 0)
        left += left_beside(output)
        assert output.exists() or not force
    # Only to be killed in the moment before a file is replaced, or without nameless files, leaves
    # a file, which is for its owner alone.
    if sent == signal.SIGTERM or nameless:
        assert len(left) <= (1 if sent == signal.SIGKILL and force else 0)


@WAYS
def test_whole_or_not_at_all_after_a_failure(
    tmp_path: Path, source: Path, calls: Calls, force: bool, nameless: bool
) -> None:
    """Of each call of the system but those that clean up."""

    def fail(name: str) -> None:
        if name not in ("unlink", "close"):
            failed.append(name)
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    failed: list[str] = []
    calls.before = fail
    for output, words in each_call(tmp_path, calls, source, force=force, nameless=nameless):
        failures = len(failed)
        told = crypt(*words)
        assert left_beside(output) == []
        if len(failed) > failures:
            assert "cannot write" in told
            assert output.read_bytes() == b"old" if force else not output.exists()
    assert {"open", "fchmod", "copyfileobj", "rename" if force else "link"} <= set(failed)


@pytest.mark.parametrize("nameless", [True, False])
def test_what_others_write_meanwhile_is_kept(
    tmp_path: Path, source: Path, calls: Calls, nameless: bool
) -> None:
    """After each call of the system another program adds to the file, or makes it."""

    def add(_: str) -> None:
        with output.open("ab") as file:
            file.write(b"new")

    output = tmp_path
    calls.after = add
    for output, words in each_call(tmp_path, calls, source, force=False, nameless=nameless):
        told = crypt(*words)
        assert told == "" or "exists already" in told
        assert output.read_bytes() == (b"new" if told else TEXT + b"new")
        assert list(output.parent.iterdir()) == [output]


@pytest.mark.parametrize("was", ["device", "fifo"])
@pytest.mark.parametrize("comes", ["file", "link", "folder"])
def test_what_takes_the_place_of_a_device_is_kept(
    tmp_path: Path, source: Path, calls: Calls, was: str, comes: str
) -> None:
    output, other = tmp_path / "output", tmp_path / "other"
    other.write_bytes(b"new")

    def swap(name: str) -> None:
        if name == "open":
            output.unlink()
            {
                "file": lambda: os.link(other, output),
                "link": lambda: output.symlink_to(other),
                "folder": output.mkdir,
            }[comes]()

    if was == "device":
        output.symlink_to("/dev/null")
    else:
        os.mkfifo(output)
    calls.before = swap
    assert str(output) in crypt("decrypt", source, "-o", output, "-f")
    assert other.read_bytes() == b"new"
    assert sorted(tmp_path.iterdir()) == [other, output, source]


def test_file_system_without_links(tmp_path: Path, source: Path, calls: Calls) -> None:
    """Such as FAT, which has no nameless files either."""

    def refuse(name: str) -> None:
        if name == "link":
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    calls.nameless, calls.before = False, refuse
    output = tmp_path / "output"
    assert "no hard links" in crypt("decrypt", source, "-o", output)
    assert list(tmp_path.iterdir()) == [source]
    assert crypt("decrypt", source, "-o", output, "-f") == ""
    assert (output.read_bytes(), mode(output)) == (TEXT, 0o600)
    assert sorted(tmp_path.iterdir()) == [output, source]


def test_no_core_files(tmp_path: Path, source: Path, system: System) -> None:
    """Limit 1 is what the kernel's hand-over of core files to a program heeds: core(5)."""
    before = resource.getrlimit(resource.RLIMIT_CORE)
    seen = []
    system.meanwhile = lambda: seen.append(resource.getrlimit(resource.RLIMIT_CORE))
    for soft in {before[1], before[0]}:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, before[1]))
        assert crypt("decrypt", source, "-o", tmp_path / "output", "-f") == ""
        assert seen.pop() == (1 if before[1] else 0, before[1])
        assert resource.getrlimit(resource.RLIMIT_CORE) == (soft, before[1])
    resource.setrlimit(resource.RLIMIT_CORE, before)


KILLED = """
import os, signal, sys
from cryptile.cli import app
from cryptile.crypt import run

def simulate(*, input, output, **_):
    output.path.write_bytes(input.read_bytes())
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)  # a shell's background jobs ignore it
    os.kill(os.getpid(), signal.SIGQUIT)

run._prepare = lambda *_: simulate
app(sys.argv[1:])
"""
"""The command, in a process of its own that is killed while it holds the key and the output."""


@pytest.mark.parametrize("may_dump", [True, False])
def test_killed_run_dumps_no_core(tmp_path: Path, source: Path, may_dump: bool) -> None:
    words = ["crypt", "decrypt", source, "-o", tmp_path / "output", *CTR]
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1] if may_dump else 0
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, *map(str, words)],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)),
    )
    status = os.waitpid(process.pid, 0)[1]
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == -signal.SIGQUIT and not os.WCOREDUMP(status)
    assert list(tmp_path.iterdir()) == [source]
