"""``cryptile crypt --soc stream`` on real files, against OpenSSL and ``cryptography``."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from cryptile.jobs.oracle import ascon

KEY, NONCE = bytes(range(32)), bytes(range(100, 112))
IV = bytes([5, 0, 0, 0]) + NONCE
AEAD = ["--alg", "chacha20-poly1305", "--key", KEY.hex(), "--iv", NONCE.hex()]

# The worker that has built the model of the stream SoC.
pytestmark = pytest.mark.xdist_group("stream-model")


def crypt(*words: object) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "cryptile", "crypt", *map(str, words)]
    command += ["--soc", "stream"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def plain(tmp_path):
    path = tmp_path / "plain"
    path.write_bytes(random.Random(61).randbytes(20_001))
    return path


def test_chacha20_equals_openssl(tmp_path, plain):
    words = ["--alg", "chacha20", "--key", KEY.hex(), "--iv", IV.hex()]
    result = crypt("encrypt", plain, *words, "-o", tmp_path / "secret")
    assert result.returncode == 0, result.stderr
    assert "opt engine on stream with cv32e40p" in result.stderr
    command = ["openssl", "enc", "-chacha20", "-K", KEY.hex(), "-iv", IV.hex()]
    subprocess.run([*command, "-in", plain, "-out", tmp_path / "openssl"], check=True)
    assert (tmp_path / "secret").read_bytes() == (tmp_path / "openssl").read_bytes()
    result = crypt("decrypt", tmp_path / "secret", *words, "-o", tmp_path / "back")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "back").read_bytes() == plain.read_bytes()


def test_aead(tmp_path, plain):
    secret, aad = tmp_path / "secret", ["--aad", b"header".hex()]
    result = crypt("encrypt", plain, *AEAD, *aad, "-o", secret)
    assert result.returncode == 0, result.stderr
    sealed = ChaCha20Poly1305(KEY).encrypt(NONCE, plain.read_bytes(), b"header")
    assert secret.read_bytes() == sealed
    result = crypt("decrypt", secret, *AEAD, *aad, "-o", tmp_path / "back")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "back").read_bytes() == plain.read_bytes()


def test_ascon(tmp_path, plain):
    """Another engine than ChaCha20-Poly1305, there, back and forged."""
    secret, key, nonce = tmp_path / "secret", KEY[:16], bytes(range(50, 66))
    words = ["--alg", "ascon-aead128", "--key", key.hex(), "--iv", nonce.hex()]
    words += ["--aad", b"header".hex()]
    result = crypt("encrypt", plain, *words, "-o", secret)
    assert result.returncode == 0, result.stderr
    assert "r2 engine on stream" in " ".join(result.stderr.split())
    sealed = b"".join(ascon.aead128(key, nonce, b"header", plain.read_bytes()))
    assert secret.read_bytes() == sealed
    result = crypt("decrypt", secret, *words, "-o", tmp_path / "back")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "back").read_bytes() == plain.read_bytes()
    secret.write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    result = crypt("decrypt", secret, *words, "-o", tmp_path / "none")
    assert result.returncode == 1
    assert "wrong tag" in " ".join(result.stderr.split())
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("damage", ["message", "tag", "aad"])
def test_wrong_tag_leaves_no_file(tmp_path, plain, damage):
    sealed = bytearray(ChaCha20Poly1305(KEY).encrypt(NONCE, plain.read_bytes(), None))
    sealed[0 if damage == "message" else -1] ^= 0 if damage == "aad" else 1
    (tmp_path / "secret").write_bytes(sealed)
    words = ["--aad", "00"] if damage == "aad" else []
    result = crypt("decrypt", tmp_path / "secret", *AEAD, *words, "-o", tmp_path / "back")
    assert result.returncode == 1
    assert "wrong tag" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plain", "secret"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--alg", "aes-128-ctr", "--key", "00" * 16],
            "aes-128-ctr does not run on stream: leave --soc, or say mcu or tile",
        ),
        (["--alg", "chacha20", "--key", "00" * 32, "--iv", NONCE.hex()], "--iv has 12 bytes"),
        ([*AEAD[:2], "--key", "00" * 16, "--iv", NONCE.hex()], "the key has 16 bytes"),
        (
            ["--alg", "chacha20", "--key", "00" * 32, "--iv", IV.hex(), "--aad", "00"],
            "takes no associated data",
        ),
        ([*AEAD, "--aad", "00" * 65], "--aad has 65 bytes"),
        ([*AEAD, "--path", "software"], "encrypts by its engine"),
        ([*AEAD, "--variant", "serial"], "no variant named serial"),
    ],
)
def test_bad_calls(tmp_path, plain, words, message):
    result = crypt("encrypt", plain, *words, "-o", tmp_path / "secret")
    assert result.returncode == 2
    assert message in " ".join(result.stderr.split())
    assert not (tmp_path / "secret").exists()


def test_cut_file_is_refused(tmp_path):
    (tmp_path / "cut").write_bytes(bytes(15))
    result = crypt("decrypt", tmp_path / "cut", *AEAD, "-o", tmp_path / "back")
    assert result.returncode == 2
    assert "truncated" in result.stderr
