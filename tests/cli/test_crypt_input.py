"""Bad input to ``cryptile crypt``: one clear line, exit code 2, no output file."""

import subprocess
import sys
from pathlib import Path

import pytest

KEY = "00" * 16
IV = "11" * 16


def crypt(*words: object, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "cryptile", "crypt", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, input=given)


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "plain.bin"
    path.write_bytes(b"x" * 33)
    return path


CASES = {
    "key too short": (
        ["encrypt", "{plain}", "--alg", "aes-128-ctr", "--key", "00" * 15, "--iv", IV],
        "the key has 15 bytes; aes-128 needs 16",
    ),
    "key of another size": (
        ["encrypt", "{plain}", "--alg", "aes-256-ctr", "--key", KEY, "--iv", IV],
        "the key has 16 bytes; aes-256 needs 32",
    ),
    "key not hexadecimal": (
        ["encrypt", "{plain}", "--alg", "aes-128-ctr", "--key", "zz" * 16, "--iv", IV],
        "the key is not an even number of hexadecimal digits",
    ),
    "odd number of digits": (
        ["encrypt", "{plain}", "--alg", "aes-128-ctr", "--key", KEY + "0", "--iv", IV],
        "the key is not an even number of hexadecimal digits",
    ),
    "IV too long": (
        ["encrypt", "{plain}", "--alg", "aes-128-cbc", "--key", KEY, "--iv", "00" * 17],
        "--iv has 17 bytes; CBC needs 16",
    ),
    "IV missing": (
        ["encrypt", "{plain}", "--alg", "aes-128-ctr", "--key", KEY],
        "CTR needs --iv",
    ),
    "IV with ECB": (
        ["encrypt", "{plain}", "--alg", "aes-128-ecb", "--key", KEY, "--iv", IV],
        "ECB takes no IV",
    ),
    "unknown algorithm": (
        ["encrypt", "{plain}", "--alg", "des-cbc", "--key", KEY, "--iv", IV],
        "unknown algorithm 'des-cbc'",
    ),
    "no such file": (
        ["encrypt", "{dir}/missing", "--alg", "aes-128-ctr", "--key", KEY, "--iv", IV],
        "no such file",
    ),
    "a folder": (
        ["encrypt", "{dir}", "--alg", "aes-128-ctr", "--key", KEY, "--iv", IV],
        "not a regular file",
    ),
    "truncated ciphertext": (
        ["decrypt", "{plain}", "--alg", "aes-128-cbc", "--key", KEY, "--iv", IV],
        "not a multiple of 16",
    ),
    "unpadded partial block": (
        ["encrypt", "{plain}", "--alg", "aes-128-ecb", "--key", KEY, "--padding", "none"],
        "not a multiple of 16",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name, plain, tmp_path):
    words, message = CASES[name]
    output = tmp_path / "out.bin"
    words = [word.format(plain=plain, dir=tmp_path) for word in words]
    result = crypt(*words, "-o", output)
    assert result.returncode == 2
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == [plain]


@pytest.mark.parametrize(
    "words",
    [
        ["encrypt", "/dev/stdin", "--key", "-", "--alg", "aes-128-ctr", "--iv", IV],
        ["sign", "-", "--key-file", "/dev/stdin", "--alg", "ed25519"],
        ["sign", "/dev/fd/0", "--key-file", "-", "--alg", "ed25519"],
    ],
)
def test_one_stream_is_not_read_twice(words, tmp_path):
    """By whatever names: what one has taken of a pipe the other would miss."""
    result = crypt(*words, "-o", tmp_path / "out.bin", given=KEY + "\ntext")
    assert result.returncode == 2
    assert "standard input cannot be both the file and the key" in result.stderr
    assert not list(tmp_path.iterdir())


def test_existing_output_is_kept(plain, tmp_path):
    output = tmp_path / "out.bin"
    output.write_bytes(b"precious")
    options = ["--alg", "aes-128-ctr", "--key", KEY, "--iv", IV]
    result = crypt("encrypt", plain, *options, "-o", output)
    assert (result.returncode, output.read_bytes()) == (2, b"precious")
    assert "--force" in result.stderr
    result = crypt("encrypt", plain, *options, "-o", plain, "--force")
    assert (result.returncode, plain.read_bytes()) == (2, b"x" * 33)
    assert "same file" in result.stderr
    result = crypt("encrypt", plain, *options, "-o", tmp_path / "no" / "out.bin")
    assert result.returncode == 2
    assert "no such folder" in result.stderr


def test_unknown_option_value(plain, tmp_path):
    options = ["--alg", "aes-128-ctr", "--key", KEY, "--iv", IV, "--variant", "quantum"]
    result = crypt("encrypt", plain, *options, "-o", tmp_path / "out.bin")
    assert result.returncode == 2
    assert "quantum" in result.stderr
