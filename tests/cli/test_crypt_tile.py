"""``cryptile crypt --soc tile`` on real files, against OpenSSL, hashlib and ``cryptography``."""

import hashlib
import hmac
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cryptile.jobs.oracle import ascon

KEY, IV, AAD = bytes(range(32)), bytes(range(100, 116)), b"header"

# The worker that has built the model of the tile SoC.
pytestmark = pytest.mark.xdist_group("tile-model")


def crypt(*words: object) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "cryptile", "crypt", *map(str, words)]
    return subprocess.run([*command, "--soc", "tile"], capture_output=True, text=True, check=False)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    path = tmp_path / "plain"
    path.write_bytes(random.Random(62).randbytes(5_001))
    return path


def test_cbc_equals_openssl(tmp_path: Path, plain: Path) -> None:
    words = ["--alg", "aes-256-cbc", "--key", KEY.hex(), "--iv", IV.hex()]
    result = crypt("encrypt", plain, *words, "-o", tmp_path / "secret")
    assert result.returncode == 0, result.stderr
    assert "pipelined engine on tile with cva6" in result.stderr
    command = ["openssl", "enc", "-aes-256-cbc", "-K", KEY.hex(), "-iv", IV.hex()]
    subprocess.run([*command, "-in", plain, "-out", tmp_path / "openssl"], check=True)
    assert (tmp_path / "secret").read_bytes() == (tmp_path / "openssl").read_bytes()


def seal_gcm(text: bytes) -> bytes:
    return AESGCM(KEY).encrypt(IV[:12], text, AAD)


def seal_ascon(text: bytes) -> bytes:
    return b"".join(ascon.aead128(KEY[:16], IV, AAD, text))


@pytest.mark.parametrize(
    ("alg", "key_len", "iv_len", "seal"),
    [("aes-256-gcm", 32, 12, seal_gcm), ("ascon-aead128", 16, 16, seal_ascon)],
)
def test_aead(
    tmp_path: Path, plain: Path, alg: str, key_len: int, iv_len: int, seal: Callable[[bytes], bytes]
) -> None:
    words = ["--alg", alg, "--key", KEY[:key_len].hex(), "--iv", IV[:iv_len].hex()]
    words += ["--aad", AAD.hex()]
    secret = tmp_path / "secret"
    assert crypt("encrypt", plain, *words, "-o", secret).returncode == 0
    sealed = seal(plain.read_bytes())
    assert secret.read_bytes() == sealed
    assert crypt("decrypt", secret, *words, "-o", tmp_path / "back").returncode == 0
    assert (tmp_path / "back").read_bytes() == plain.read_bytes()
    forged = bytearray(sealed)
    forged[7] ^= 1
    secret.write_bytes(forged)
    result = crypt("decrypt", secret, *words, "-o", tmp_path / "forged")
    assert (result.returncode, "wrong tag" in " ".join(result.stderr.split())) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back", "plain", "secret"]


def test_output_of_any_length(tmp_path: Path, plain: Path) -> None:
    text = plain.read_bytes()
    result = crypt("digest", plain, "--alg", "shake128", "--length", "500", "-o", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "out").read_bytes() == hashlib.shake_128(text).digest(500)


def test_hash(plain: Path) -> None:
    _, digest = ascon.end(ascon.HASH256, ascon.begin(ascon.HASH256), plain.read_bytes(), 32)
    assert crypt("digest", plain, "--alg", "ascon-hash256").stdout.startswith(digest.hex())


def test_codes(plain: Path) -> None:
    key = KEY * 3  # longer than the engine's, shorter than the hash's block
    words = ["--alg", "hmac-sha512", "--key", key.hex()]
    code = hmac.new(key, plain.read_bytes(), "sha512").hexdigest()
    assert crypt("digest", plain, *words).stdout.startswith(code)
    assert "verified 5,001 bytes" in crypt("verify", plain, *words, "--tag", code).stderr
    result = crypt("verify", plain, *words, "--tag", "00" + code[2:])
    assert (result.returncode, "wrong tag" in " ".join(result.stderr.split())) == (1, True)


def test_wrong_padding(tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(bytes(32))
    words = ["--alg", "aes-128-ecb", "--key", "00" * 16, "-o", tmp_path / "back"]
    result = crypt("decrypt", tmp_path / "cut", *words)
    assert (result.returncode, "bad padding" in " ".join(result.stderr.split())) == (1, True)
    assert not (tmp_path / "back").exists()
