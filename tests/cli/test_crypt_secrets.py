"""Secrets of ``cryptile crypt``: in no file, command line or record, however a run ends."""

import base64
import contextlib
import faulthandler
import json
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from support.commands import commands
from typer.testing import CliRunner

from cryptile import firmware, records
from cryptile.cli import app
from cryptile.crypt import simulated
from cryptile.project import BUILD, ROOT
from cryptile.systems import mcu, stream, tile

CRYPTILE = Path(sys.executable).parent / "cryptile"
SLOW = ["--path", "software", "--impl", "compact", "--variant", "pipelined"]
"""Makes a run of some 30 seconds out of 100 kB."""

ENDS = [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT]
"""How a run is ended; the last one is sent to its simulator."""

SHARED = {Path(name) for name in (tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm")}
"""Where programs put files that nobody told them to make."""


def forms(key: bytes) -> list[bytes]:
    """Return how a key may be written: raw, in digits, and with the bytes of words turned round."""
    raw = [key]
    for size in (4, 8):
        words = [key[at : at + size] for at in range(0, len(key), size)]
        raw += [b"".join(word[::-1] for word in words), b"".join(words[::-1])]
    raw.append(key[::-1])
    halves = [part for text in raw for part in (text[:16], text[16:]) if part]
    digits = [part.hex().encode() for part in halves]
    return [*halves, *digits, *(text.upper() for text in digits), base64.b64encode(key)[:40]]


def files_since(start: float, *folders: Path) -> Iterator[Path]:
    """Return the files in folders that have been written; others of them come and go."""
    for folder in folders:
        for place, _, names in os.walk(folder):
            for path in (Path(place, name) for name in names):
                with contextlib.suppress(OSError):
                    if path.is_file() and path.stat().st_mtime >= start - 1:
                        yield path


def holders(key: bytes, start: float, *folders: Path) -> list[Path]:
    """Return the files in folders, and new ones in those that programs share, that hold a key."""
    found = []
    for path in files_since(start, *folders, *SHARED):
        with contextlib.suppress(OSError):
            if find(key, path.read_bytes()):
                found.append(path)
    return found


def find(key: bytes, text: bytes) -> bool:
    return any(form in text for form in forms(key))


def look_at(process: int, key: bytes) -> None:
    """Check the command line, environment and named open files of a running process."""
    place = Path(f"/proc/{process}")
    try:
        for name in ("cmdline", "environ"):
            assert not find(key, (place / name).read_bytes()), name
        for link in (place / "fd").iterdir():
            target = link.readlink()
            if target.is_relative_to("/") and target.is_file():  # not memory, pipes, devices
                assert not find(key, target.read_bytes()), target
    except (FileNotFoundError, ProcessLookupError):
        pass  # it has ended


def simulators_of(process: int) -> list[int]:
    """Return the children that are simulators, and not tools that are asked for their version."""
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
        below = [int(word) for word in text.split()]
        return [
            child for child in below if b"--params" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return []


def allow_core_files() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)


def end_early(
    folder: Path,
    words: list[str],
    key: bytes,
    number: int,
    after: float,
    *,
    simulating: bool = True,
) -> None:
    """Start a run, end it by a signal, and look for its key in all files that it may have made.

    The signal comes ``after`` seconds, counted from the start of the simulation or of the command.
    """
    (folder / "tmp").mkdir(parents=True)
    start = time.time()
    command = [CRYPTILE, "crypt", *words, "--key", key.hex()]
    process = subprocess.Popen(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=allow_core_files,
    )
    simulators: list[int] = []
    while simulating and not simulators and process.poll() is None:
        time.sleep(0.02)
        simulators = simulators_of(process.pid)
    time.sleep(after)
    for simulator in simulators:
        look_at(simulator, key)
    os.kill(simulators[0] if number == signal.SIGABRT else process.pid, number)
    process.wait(timeout=20)
    limit = time.time() + 20
    while any(Path(f"/proc/{simulator}").exists() for simulator in simulators):
        assert time.time() < limit, "the simulator goes on"
        time.sleep(0.05)
    assert process.returncode != 0
    assert holders(key, start, folder, BUILD) == []
    assert [path.name for path in folder.iterdir()] == ["tmp"]
    assert not list((folder / "tmp").iterdir())


@pytest.mark.parametrize("number", ENDS)
def test_ended_run_leaves_no_key(tmp_path: Path, number: int) -> None:
    """At random moments: before the simulation, at its start, in its midst."""
    mcu.build(variant="pipelined")
    firmware.build("crypt")
    rng = random.Random(number)
    plain = tmp_path / "plain"
    plain.write_bytes(rng.randbytes(100_000))
    for turn in range(3):
        key = rng.randbytes(32)
        alg = ["--alg", "aes-256-ctr", "--iv", "00" * 16]
        words = ["encrypt", str(plain), *alg, *SLOW, "-o", "secret"]
        simulating = turn > 0 or number == signal.SIGABRT
        end_early(tmp_path / str(turn), words, key, number, rng.random(), simulating=simulating)


@pytest.mark.xdist_group("stream-model")
@pytest.mark.parametrize("number", ENDS)
def test_stream_leaves_no_key(tmp_path: Path, number: int) -> None:
    stream.build()
    firmware.build("crypt_stream")
    leaves_no_key(tmp_path, number, ["--soc", "stream", "--alg", "chacha20", "--iv", "00" * 16])


@pytest.mark.xdist_group("tile-model")
@pytest.mark.parametrize("number", ENDS)
def test_tile_leaves_no_key(tmp_path: Path, number: int) -> None:
    tile.build()
    firmware.build("crypt_tile")
    leaves_no_key(tmp_path, number, ["--soc", "tile", "--alg", "aes-256-ctr", "--iv", "00" * 16])


def leaves_no_key(folder: Path, number: int, words: list[str]) -> None:
    plain = folder / "plain"
    plain.write_bytes(bytes(2_000_000))
    key = random.Random("stream and tile").randbytes(32)  # no other test writes these bytes
    words = ["encrypt", str(plain), *words, "-o", "secret"]
    end_early(folder / "run", words, key, number, 0.5)


WORK = {
    "sign": ["peer", "--alg", "ed25519", "--key-file", "signer"],
    "agree": ["peer", "--alg", "x25519", "--key-file", "partner"],
    "keygen": ["--alg", "ed25519"],
}
"""What the software library does with a private key, out of files of these names."""


@pytest.fixture(scope="module")
def keys() -> dict[str, bytes]:
    """Private keys, and the public key of a peer."""
    private = Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    public = Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
    return {
        "signer": Ed25519PrivateKey.generate().private_bytes(*private),
        "partner": X25519PrivateKey.generate().private_bytes(*private),
        "peer": X25519PrivateKey.generate().public_key().public_bytes(*public),
    }


def bytes_of(private: bytes) -> bytes:
    """Return a private key without what is around it."""
    key = load_pem_private_key(private, None)
    assert isinstance(key, Ed25519PrivateKey | X25519PrivateKey)
    return key.private_bytes_raw()


def status_of_a_child(words: list[str]) -> int:
    """Run ``cryptile crypt`` in a child of this process, which may be killed there."""
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            faulthandler.disable()  # pytest's, which would write of the signal
            allow_core_files()
            code = CliRunner().invoke(app, ["crypt", *words]).exit_code
        os._exit(code)
    return os.waitpid(child, 0)[1]


@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("direction", WORK)
def test_ended_work_leaves_no_private_key(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keys: dict[str, bytes],
    direction: str,
    number: int,
) -> None:
    """The software library's is ended behind each of its calls, until a run makes its output."""
    left = 0
    inner = simulated.Library.call

    def call(*given: Any, **more: Any) -> int:
        nonlocal left
        status = inner(*given, **more)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), number)
        return status

    monkeypatch.setattr(simulated.Library, "call", call)
    monkeypatch.setattr(os, "urandom", random.Random(0).randbytes)  # the same key in each run
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name, text in keys.items():
        Path(name).write_bytes(text)
    start, calls = time.time(), 0
    while not Path("made").exists():
        left = calls = calls + 1
        status = status_of_a_child([direction, *WORK[direction], "-o", "made"])
        assert not os.WCOREDUMP(status)
        assert (status == 0) == Path("made").exists()
        assert {path.name for path in tmp_path.iterdir()} - {"made"} == set(keys)
    assert calls > 1
    made = Path("made").read_bytes()
    Path("made").unlink()
    secrets = {
        "sign": [bytes_of(keys["signer"])],
        "agree": [bytes_of(keys["partner"]), made],
        "keygen": [bytes_of(made)] if direction == "keygen" else [],
    }
    for secret in secrets[direction]:
        assert holders(secret, start, tmp_path, BUILD) == []


GUEST = """
import sys
from cryptile.linux import boot, image
guest, key = sys.argv[1:], sys.stdin.read()
image.make = lambda *_: bytes.fromhex(key)
boot._command = lambda *_: guest
boot.boot("")
"""
"""Boots what has a key among its files; in the place of QEMU is what never ends."""


def test_guest_ends_with_the_command(tmp_path: Path) -> None:
    """It has the key in its memory, and nothing else would stop it."""
    key, start = random.Random("guest").randbytes(32), time.time()
    guest = [sys.executable, "-c", "import time; time.sleep(100)"]
    process = subprocess.Popen(
        [sys.executable, "-c", GUEST, *guest],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(key.hex().encode())
    process.stdin.close()
    place = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    began = b"\0".join(map(os.fsencode, guest))
    below: list[str] = []
    while not below or not Path(f"/proc/{below[0]}/cmdline").read_bytes().startswith(began):
        assert process.poll() is None and time.time() < start + 60
        time.sleep(0.05)
        below = place.read_text().split()
    look_at(int(below[0]), key)
    process.kill()
    process.wait()
    limit = time.time() + 20
    while Path(f"/proc/{below[0]}").exists():
        assert time.time() < limit, "the guest goes on"
        time.sleep(0.05)
    assert holders(key, start, tmp_path, BUILD) == []


SECRET, PUBLIC = "5ec0de" * 8, "ab" * 16


def test_no_record_holds_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a command calls its secrets, and however they are given to it."""
    found = commands()
    assert {("crypt",), ("bench", "mcu"), ("faults", "run")} <= found.keys()
    for words, command in found.items():
        holds_no_secret(words, command, tmp_path / "json", monkeypatch)


def holds_no_secret(
    words: tuple[str, ...], command: Any, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {name for param in command.params for name in param.opts if name[:2] == "--"}
    secrets = ("key", "tag", "secret", "pass", "token", "pin", "code")
    likely = {
        name for name in names if any(word.startswith(secrets) for word in name[2:].split("-"))
    }
    assert likely <= records.SECRET_OPTIONS, words
    given = ["--iv", PUBLIC]
    for name in sorted(records.SECRET_OPTIONS):
        given += [name, SECRET, f"{name}={SECRET}"]
    monkeypatch.setattr(sys, "argv", ["/usr/bin/cryptile", *words, *given, "--json", "a b"])
    records.write_json([records.Record("x", "y", 1, "z")], str(made))
    text = made.read_text()
    assert SECRET not in text, words
    line = shlex.split(json.loads(text)[0]["provenance"]["command"])
    assert line[: len(words) + 1] == ["cryptile", *words]
    assert line[-2:] == ["--json", "a b"] and PUBLIC in line
    assert len(line) == 1 + len(words) + 4 + 3 * len(records.SECRET_OPTIONS)


def test_command_lines_are_recorded_in_one_place() -> None:
    places = [path for path in (ROOT / "src").rglob("*.py") if "sys.argv" in path.read_text()]
    assert [path.name for path in places] == ["records.py"]


def test_record_of_a_run(tmp_path: Path) -> None:
    plain, key = tmp_path / "plain", random.Random(3).randbytes(16)
    plain.write_bytes(bytes(100))
    words = ["encrypt", plain, "--alg", "aes-128-ctr", "--iv", PUBLIC, "--variant", "pipelined"]
    output = ["-o", tmp_path / "out", "--json", tmp_path / "json"]
    for form in (["--key", key.hex()], [f"--key={key.hex()}"]):
        subprocess.run([CRYPTILE, "crypt", *words, *form, *output, "-f"], check=True)
        text = (tmp_path / "json").read_bytes()
        assert not find(key, text) and PUBLIC.encode() in text and b"REDACTED" in text
    # There are no other ways to name the option.
    short = subprocess.run([CRYPTILE, "crypt", *words, "--ke", key.hex(), *output], check=False)
    assert short.returncode == 2
