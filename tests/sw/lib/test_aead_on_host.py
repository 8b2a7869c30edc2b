"""The portable C of authenticated encryption on the host, under the sanitizers."""

import random
import subprocess
from pathlib import Path

import pytest
from aead_calls import PARTS
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

from cryptile import library, tools

SOURCE = Path(__file__).with_name("aead_on_host.c")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("aead") / "aead_on_host"
    sources = [source for part in PARTS for source in (library.LIB / part).glob("*.c")]
    tools.run([
        tools.find("gcc", "gcc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-g",
        "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-I", library.INCLUDE,
        "-I", library.LIB, SOURCE, *sources, "-o", path,
    ])  # fmt: skip
    return path


@pytest.mark.parametrize("name", ["gcm", "chacha"])
def test_against_another_implementation(program, name):
    rng, lines, expected = random.Random(name), [], []
    for length in range(258):
        key = rng.randbytes(rng.choice([16, 24, 32]) if name == "gcm" else 32)
        nonce = rng.randbytes(rng.choice([12, 12, 8, 60]) if name == "gcm" else 12)
        aad, text = rng.randbytes(rng.randrange(40)), rng.randbytes(length)
        words = [data.hex() or "-" for data in (key, nonce, aad, text)]
        lines.append(f"{name} {' '.join(words)} {rng.choice([1, 15, 16, 64, 100, 300])}")
        cipher = AESGCM(key) if name == "gcm" else ChaCha20Poly1305(key)
        expected.append(cipher.encrypt(nonce, text, aad).hex())
    result = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == expected
