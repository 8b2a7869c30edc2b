"""The portable C of SHA-2, HMAC and HKDF on the host, under the sanitizers."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hash_calls import PARTS
from support.nist_sha2 import monte_carlo

from cryptile import library
from cryptile.library_sources import c_files
from cryptile.toolchain import tools

SOURCE = Path(__file__).with_name("hash_on_host.c")
NAMES = {
    "sha224": ("SHA-224", hashes.SHA224()),
    "sha256": ("SHA-256", hashes.SHA256()),
    "sha384": ("SHA-384", hashes.SHA384()),
    "sha512": ("SHA-512", hashes.SHA512()),
    "sha512_224": ("SHA-512/224", hashes.SHA512_224()),
    "sha512_256": ("SHA-512/256", hashes.SHA512_256()),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("hash") / "hash_on_host"
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


@pytest.mark.parametrize("name", NAMES)
def test_monte_carlo(program, name):
    seed, expected = monte_carlo(name)
    title, reference = NAMES[name]
    lines = tools.run([program, title, seed.hex(), str(len(expected))]).split()
    assert [bytes.fromhex(line) for line in lines[:-1]] == expected
    size = reference.digest_size
    okm = HKDF(reference, 255 * size, None, b"").derive(seed)
    assert bytes.fromhex(lines[-1]) == okm[-size:]
