"""``cryptile crypt`` among other programs: pipes, sources of keys, exit codes, which system."""

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cryptile import cli
from cryptile.crypt import choice, key
from cryptile.crypt.choice import Soc
from cryptile.errors import MissingToolError, UsageError
from cryptile.toolchain import tools

CRYPTILE = Path(sys.executable).parent / "cryptile"
KEY, IV = bytes(range(16)), "11" * 16
ALG = next(name for name in choice.ALGORITHMS[Soc.mcu] if name.endswith("-ctr"))
CTR = ["--alg", ALG, "--iv", IV, "--variant", "pipelined"]
TEXT = b"what goes through a pipe" * 9


def crypt(
    *words: object, given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [CRYPTILE, "crypt", *map(str, words)],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def openssl(text: bytes) -> bytes:
    words = ["openssl", "enc", f"-{ALG}", "-K", KEY.hex(), "-iv", IV]
    return subprocess.run(words, input=text, capture_output=True, check=True).stdout


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(TEXT)
    return path


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    path.write_bytes(KEY)
    return path


def test_from_pipe_to_pipe(key_file: Path) -> None:
    made = crypt("encrypt", "-", *CTR, "--key-file", key_file, "-o", "-", given=TEXT)
    assert (made.returncode, made.stdout) == (0, openssl(TEXT)), made.stderr
    assert b"cycles/byte" in made.stderr


def test_from_fifo(tmp_path: Path, key_file: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(TEXT,), daemon=True)
    writer.start()
    made = crypt("encrypt", fifo, *CTR, "--key-file", key_file, "-o", "-")
    assert (made.returncode, made.stdout) == (0, openssl(TEXT)), made.stderr


def test_keys_from_everywhere(plain: Path) -> None:
    words = ["encrypt", plain, *CTR, "-o", "-"]
    digits = KEY.hex()
    assert crypt(*words, "--key", "-", given=f"{digits}\n".encode()).stdout == openssl(TEXT)
    assert crypt(*words, **{key.VARIABLE: digits}).stdout == openssl(TEXT)
    # What is said is stronger than what is lying about.
    assert crypt(*words, "--key", digits, **{key.VARIABLE: "00"}).stdout == openssl(TEXT)


def test_a_terminal_is_asked(plain: Path, tmp_path: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [CRYPTILE, "crypt", "encrypt", plain, *CTR, "-o", tmp_path / "made"],
        stdin=slave,
        stderr=slave,
        stdout=subprocess.DEVNULL,
    )
    os.close(slave)
    shown = b""
    while b"Key in hexadecimal" not in shown:
        shown += os.read(master, 100)
    os.write(master, f"{KEY.hex()}\n".encode())
    assert process.wait(timeout=600) == 0
    assert (tmp_path / "made").read_bytes() == openssl(TEXT)
    assert KEY.hex().encode() not in shown + os.read(master, 10_000)
    os.close(master)


def test_keys_that_cannot_be_had(plain: Path, key_file: Path, tmp_path: Path) -> None:
    def said(*words: object) -> str:
        made = crypt(*words, *CTR, "-o", tmp_path / "made")
        assert made.returncode == 2 and not (tmp_path / "made").exists()
        return made.stderr.decode()

    long = tmp_path / "long"
    long.write_bytes(bytes(key.MAX_FILE + 1))
    assert "say one of them" in said("encrypt", plain, "--key", "00", "--key-file", key_file)
    assert "cannot be both" in said("encrypt", "-", "--key", "-")
    assert "no key is that long" in said("encrypt", plain, "--key-file", long)
    assert "No such file" in said("encrypt", plain, "--key-file", tmp_path / "none")
    assert "needs --key" in said("encrypt", plain)
    assert "cryptile: the key has 0 bytes" in said("encrypt", plain, "--key-file", os.devnull)


def test_list_names_all_algorithms() -> None:
    made = crypt("--list")
    rows = dict(line.split(None, 1) for line in made.stdout.decode().splitlines())
    assert made.returncode == 0 and tuple(rows) == choice.known()
    assert rows[ALG] == "mcu tile linux"


def test_system_is_that_which_can() -> None:
    hashed = next(name for name in choice.known() if choice.systems(name) == (Soc.tile,))
    sealed = next(name for name in choice.known() if choice.systems(name) == (Soc.stream, Soc.tile))
    assert choice.choose(ALG, None) is Soc.mcu
    assert choice.choose(ALG, Soc.tile) is Soc.tile
    assert choice.choose(sealed, None) is Soc.stream
    assert choice.choose(sealed, None, (Soc.tile,)) is Soc.tile
    assert choice.choose(hashed, None) is Soc.tile
    with pytest.raises(UsageError, match=f"{hashed} does not run on mcu: leave --soc, or say tile"):
        choice.choose(hashed, Soc.mcu)
    with pytest.raises(UsageError, match="unknown algorithm 'none'"):
        choice.choose("none", None)


def test_names_in_any_case(plain: Path) -> None:
    made = crypt("encrypt", plain, *CTR, "--alg", ALG.upper(), "--key", KEY.hex(), "-o", "-")
    assert made.stdout == openssl(TEXT)


def test_a_tool_that_a_tool_needs_is_missing() -> None:
    with pytest.raises(MissingToolError, match=r"that env needs is missing: .*no-such-tool"):
        tools.run(["env", "no-such-tool"])


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (FileNotFoundError(2, "No such file or directory", "x/y"), 2, "x/y: No such file"),
        (OSError(28, "No space left on device"), 2, "cryptile: No space left on device"),
        (KeyError("surprise"), 70, "a fault of this program"),
    ],
)
def test_other_errors(
    error: Exception,
    code: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert line in capsys.readouterr().err.splitlines()[-1]
