"""``cryptile crypt --soc linux``: real files, by OpenSSL with the tile, in a booted system."""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305
from support.paes_tokens import token

KEY, IV, AAD = bytes(range(32)), bytes(range(100, 116)), b"header"


def crypt(*words: object) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "cryptile", "crypt", *map(str, words)]
    environment = {**os.environ, "CRYPTILE_KEY": KEY.hex()}
    return subprocess.run(
        [*command, "--soc", "linux"], capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(random.Random(15).randbytes(5_003))
    return path


def test_gcm(tmp_path: Path, plain: Path) -> None:
    """The output is that of others, it is whole, and records do not have the key."""
    words = ["--alg", "aes-256-gcm", "--iv", IV[:12].hex(), "--aad", AAD.hex()]
    records = tmp_path / "records.json"
    ended = crypt("encrypt", plain, *words, "-o", tmp_path / "sealed", "--json", records)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "sealed").read_bytes() == AESGCM(KEY).encrypt(
        IV[:12], plain.read_bytes(), AAD
    )
    assert "OpenSSL with the tile on Linux" in ended.stderr
    found = {record["metric"]: record["value"] for record in json.loads(records.read_text())}
    assert found["jobs"] == 3
    assert 5_003 / 16 < found["tile_cycles"] < 1_000
    assert KEY.hex() not in records.read_text()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("alg", "iv_len", "seal"),
    [
        ("aes-256-gcm", 12, AESGCM),
        ("aes-256-ccm", 13, AESCCM),
        ("chacha20-poly1305", 12, ChaCha20Poly1305),
    ],
)
def test_wrong_tag(tmp_path: Path, plain: Path, alg: str, iv_len: int, seal: type[AESGCM]) -> None:
    """A right one gives the plaintext, for its owner alone; a wrong one a finding and no file."""
    sealed = seal(KEY).encrypt(IV[:iv_len], plain.read_bytes(), AAD)
    (tmp_path / "sealed").write_bytes(sealed)
    words = ["--alg", alg, "--iv", IV[:iv_len].hex(), "--aad", AAD.hex(), "-o", tmp_path / "out"]
    ended = crypt("decrypt", tmp_path / "sealed", *words)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "out").read_bytes() == plain.read_bytes()
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o600
    (tmp_path / "out").unlink()
    (tmp_path / "sealed").write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    ended = crypt("decrypt", tmp_path / "sealed", *words)
    assert ended.returncode == 1
    assert "wrong tag or padding" in ended.stderr
    assert not (tmp_path / "out").exists()


def test_sealed_key(tmp_path: Path, plain: Path) -> None:
    """A file with a key that only the tile opens is that of OpenSSL with the key itself. A token
    for another wrapping key is told as such, and makes no file.
    """
    root = os.urandom(32)
    (tmp_path / "root").write_bytes(root)
    (tmp_path / "token").write_bytes(token("ctr", KEY, under=root))
    (tmp_path / "other").write_bytes(token("ctr", KEY, under=bytes(32)))
    records, out = tmp_path / "records.json", tmp_path / "out"

    def run(name: str) -> subprocess.CompletedProcess[str]:
        words = ["--alg", "aes-256-ctr", "--iv", IV.hex(), "--key-token", tmp_path / name]
        words += ["--wrapping-key-file", tmp_path / "root", "--json", records, "-o", out]
        return crypt("encrypt", plain, *words)

    ended = run("token")
    assert ended.returncode == 0, ended.stderr
    command = ["openssl", "enc", "-aes-256-ctr", "-K", KEY.hex(), "-iv", IV.hex(), "-in", plain]
    assert out.read_bytes() == subprocess.run(command, capture_output=True, check=True).stdout
    assert "a sealed key" in ended.stderr
    (found,) = json.loads(records.read_text())
    assert (found["metric"], found["value"]) == ("jobs", 1)
    assert root.hex() not in records.read_text() + ended.stderr
    out.unlink()
    ended = run("other")
    assert ended.returncode == 2, ended.stderr
    assert "the tile refuses this token" in ended.stderr
    assert not out.exists()


@pytest.mark.soak
@pytest.mark.parametrize("mode", ["ecb", "cbc", "ctr"])
def test_same_as_openssl(tmp_path: Path, plain: Path, mode: str) -> None:
    iv = [] if mode == "ecb" else ["--iv", IV.hex()]
    ended = crypt("encrypt", plain, "--alg", f"aes-256-{mode}", *iv, "-o", tmp_path / "ours")
    assert ended.returncode == 0, ended.stderr
    iv = [] if mode == "ecb" else ["-iv", IV.hex()]
    command = ["openssl", "enc", f"-aes-256-{mode}", "-K", KEY.hex(), *iv, "-in", plain]
    subprocess.run([*command, "-out", tmp_path / "theirs"], check=True)
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()


@pytest.mark.soak
@pytest.mark.parametrize("alg", ["sha256", "sha3-512"])
def test_digest(plain: Path, alg: str) -> None:
    ended = crypt("digest", plain, "--alg", alg)
    assert ended.returncode == 0, ended.stderr
    digest = hashlib.new(alg.replace("-", "_"), plain.read_bytes()).hexdigest()
    assert ended.stdout == f"{digest}  {plain}\n"


def test_refused(tmp_path: Path, plain: Path) -> None:
    """Before anything boots."""
    sealed = ["--key-token", plain, "--wrapping-key-file", plain]
    plain.write_bytes(bytes(4_000))
    for words, why in (
        (["--alg", "aes-256-ctr", "--iv", IV.hex(), "--core", "ibex"], "leave --core"),
        (["--alg", "hmac-sha256"], "hmac-sha256 does not run on linux"),
        (["--alg", "aes-256-ctr"], "needs --iv"),
        (["--alg", "aes-256-ctr", "--key-token", plain], "say both or none"),
        (["--alg", "aes-256-gcm", "--iv", IV[:12].hex(), *sealed], "takes no sealed key"),
        (["--alg", "aes-256-ctr", "--iv", IV.hex(), *sealed], "no token is as long"),
        (["--alg", "aes-256-ctr", "--iv", IV.hex(), "--key", "00", *sealed], "leave --key"),
    ):
        ended = crypt("encrypt", plain, *words, "-o", tmp_path / "out")
        assert ended.returncode == 2
        assert why in ended.stderr
    long = tmp_path / "long"
    long.write_bytes(bytes(65_537))
    words = ["--alg", "chacha20-poly1305", "--iv", IV[:12].hex(), "-o", tmp_path / "out"]
    ended = crypt("encrypt", long, *words)
    assert ended.returncode == 2
    assert "more than the 65536 bytes" in ended.stderr
