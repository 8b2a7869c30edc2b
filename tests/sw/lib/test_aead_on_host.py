"""The portable C of authenticated encryption on the host, under the sanitizers."""

import random
import subprocess
from pathlib import Path

import pytest
from aead_calls import PARTS
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305

from cryptile import library
from cryptile.jobs.oracle import ascon
from cryptile.library_sources import c_files
from cryptile.toolchain import tools

SOURCE = Path(__file__).with_name("aead_on_host.c")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("aead") / "aead_on_host"
    sources = c_files(PARTS)
    tools.run(
        [
            tools.find("gcc", "gcc"),
            *tools.words(
                "-std=c11 -Wall -Wextra -Werror -O1 -g -fsanitize=address,undefined "
                "-fno-sanitize-recover=all"
            ),
            "-I",
            library.INCLUDE,
            "-I",
            library.LIB,
            SOURCE,
            *sources,
            "-o",
            path,
        ]
    )
    return path


def reference(name, key, nonce, aad, text):
    if name == "ascon":
        return b"".join(ascon.aead128(key, nonce, aad, text))
    return (AESGCM if name == "gcm" else ChaCha20Poly1305)(key).encrypt(nonce, text, aad)


@pytest.mark.parametrize(
    ("name", "key_lengths", "nonce_lengths"),
    [("gcm", [16, 24, 32], [12, 12, 8, 60]), ("chacha", [32], [12]), ("ascon", [16], [16])],
)
def test_against_another_implementation(program, name, key_lengths, nonce_lengths):
    rng, lines, expected = random.Random(name), [], []
    for length in range(258):
        key = rng.randbytes(rng.choice(key_lengths))
        nonce = rng.randbytes(rng.choice(nonce_lengths))
        aad, text = rng.randbytes(rng.randrange(40)), rng.randbytes(length)
        words = [data.hex() or "-" for data in (key, nonce, aad, text)]
        lines.append(f"{name} {' '.join(words)} {rng.choice([1, 15, 16, 64, 100, 300])}")
        expected.append(reference(name, key, nonce, aad, text).hex())
    result = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == expected
