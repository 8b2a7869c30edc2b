"""NIST's vectors on the C library: known answers, multi-block messages, Monte Carlo."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from native_lib import IMPLS, OK, Job, Stream, crypt
from support.nist_aes import FOLDER, vectors

FILES = sorted([*FOLDER.glob("ECB/*.rsp"), *FOLDER.glob("CBC/*.rsp"), *FOLDER.glob("CTR/*.txt")])
MONTE_CARLO_KEYS = 10  # NIST's procedure has 100


@pytest.mark.parametrize("impl", IMPLS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_known_answers(impl: str, path: Path) -> None:
    count = 0
    for decrypt, fields in vectors(path):
        plain, cipher = fields["PLAINTEXT"], fields["CIPHERTEXT"]
        source, target = (cipher, plain) if decrypt else (plain, cipher)
        job = Job(impl, path.parent.name.lower(), fields["KEY"], fields.get("IV"), decrypt)
        assert crypt(job, source) == (OK, target), fields
        count += 1
    assert count >= 3


Step = Callable[[bytes], bytes]


def ours(impl: str, mode: str, key: bytes, iv: bytes, decrypt: bool) -> Step:
    return Stream(Job(impl, mode, key, iv, decrypt)).update


def reference(mode: str, key: bytes, iv: bytes, decrypt: bool) -> Step:
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv) if mode == "cbc" else modes.ECB())
    return (cipher.decryptor() if decrypt else cipher.encryptor()).update


def monte_carlo(
    start: Callable[[bytes, bytes], Step], mode: str, key: bytes, iv: bytes, block: bytes
) -> list[bytes]:
    """The Monte Carlo procedure of the AES validation suite, section 6.4."""
    results = []
    for _ in range(MONTE_CARLO_KEYS):
        step = start(key, iv)
        before = last = iv
        for number in range(1000):
            before, last = last, step(block)
            block = last if mode == "ecb" else before if number else iv
        results.append(last)
        mask = (before + last)[-len(key) :]
        key = bytes(a ^ b for a, b in zip(key, mask, strict=True))
        iv = last
    return results


@pytest.mark.parametrize("decrypt", [False, True], ids=["encrypt", "decrypt"])
@pytest.mark.parametrize("bits", [128, 192, 256])
@pytest.mark.parametrize("mode", ["ecb", "cbc"])
@pytest.mark.parametrize("impl", IMPLS)
def test_monte_carlo(impl: str, mode: str, bits: int, decrypt: bool) -> None:
    key, iv, block = (
        bytes(range(start, start + n)) for start, n in [(1, bits // 8), (77, 16), (3, 16)]
    )
    got = monte_carlo(lambda k, v: ours(impl, mode, k, v, decrypt), mode, key, iv, block)
    want = monte_carlo(lambda k, v: reference(mode, k, v, decrypt), mode, key, iv, block)
    assert got == want
