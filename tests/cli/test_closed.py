"""Descriptors that the caller closed, or that are full: no secret goes where it should not."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cryptile import project
from cryptile.crypt import choice
from cryptile.crypt.choice import Soc

ALG = next(name for name in choice.ALGORITHMS[Soc.mcu] if name.endswith("-ctr"))

PROGRAM = """
import os, sys
from cryptile import cli
from cryptile.systems.harness import memory_file
def work():
    with memory_file(b"secret") as made:
        print(made.descriptor, file=open(sys.argv[1], "w"))
        os.system("echo a tool prints; echo and complains >&2")
        assert made.path.read_bytes() == b"secret"
cli.app = work
cli.main()
"""


def close(command, closed, **streams):
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command], check=False, timeout=60, **streams
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_nothing_secret_has_the_number_of_a_standard_descriptor(tmp_path, closed):
    told = tmp_path / "descriptor"
    ended = close([sys.executable, "-c", PROGRAM, told], closed)
    assert ended.returncode == 0
    assert int(told.read_text()) > 2


def cryptile(*words):
    return [sys.executable, "-c", "from cryptile.cli import main; main()", *map(str, words)]


def test_an_output_that_cannot_be_had_is_an_error(tmp_path):
    (tmp_path / "plain").write_bytes(b"text")
    words = cryptile(
        "crypt",
        "encrypt",
        tmp_path / "plain",
        "--alg",
        ALG,
        "--key",
        "00" * 16,
        "--iv",
        "11" * 16,
        "-o",
        "-",
    )
    ended = close(words, ">&-", stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stderr) == (2, "cryptile: standard output is closed\n")


@pytest.mark.parametrize(
    ("direction", "alg", "options"),
    [
        ("sign", "ed25519", ["-", "--key-file", "plain", "-o", "out"]),
        ("sign", "ed25519", ["plain", "--key-file", "-", "-o", "out"]),
        ("verify", "ed25519", ["plain", "--key-file", "public", "--signature", "-"]),
        ("encrypt", ALG, ["-", "--key", "00" * 16, "--iv", "11" * 16, "-o", "out"]),
        ("encrypt", ALG, ["plain", "--key", "-", "--iv", "11" * 16, "-o", "out"]),
    ],
)
def test_an_input_that_cannot_be_had_is_an_error(tmp_path, direction, alg, options):
    (tmp_path / "plain").write_bytes(b"text")
    key = ed25519.Ed25519PrivateKey.generate().public_key()
    public = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "public").write_bytes(public)
    words = cryptile("crypt", direction, *options, "--alg", alg)
    ended = close(words, "<&-", stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (2, "cryptile: standard input is closed\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_nobody_is_asked_who_cannot_answer(tmp_path, closed):
    (tmp_path / "plain").write_bytes(b"text")
    words = cryptile("crypt", "encrypt", "plain", "--alg", ALG, "--iv", "11" * 16, "-o", "out")
    ended = close(words, closed, stdout=subprocess.PIPE, cwd=tmp_path)
    assert ended.returncode == 2


def test_a_full_standard_error_is_no_finding(tmp_path):
    """Its exit code is not that of a wrong tag."""
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            cryptile("crypt", "encrypt", tmp_path / "none", "--alg", ALG),
            stderr=full,
            check=False,
            timeout=60,
        )
    assert ended.returncode == 2


def test_a_folder_that_may_not_be_looked_into(monkeypatch):
    """It holds no checkout; a command says so, or works on its own."""

    def refuse(folder):
        raise PermissionError(errno.EACCES, "no permission", folder)

    monkeypatch.setattr(project, "is_checkout", refuse)
    assert project._here() is None
