"""Ciphers of OpenSSL with keys that nobody but the tile has, by the provider and the kernel."""

import os
import re
import shlex
from functools import partial
from pathlib import Path

from support import paes_tokens
from support.linux_kernels import modules

from cryptile.jobs.oracle import aes
from cryptile.linux import kbuild, provider, wrapping
from cryptile.linux.boot import boot
from cryptile.linux.kernels import Kernel
from cryptile.linux.selftests import NO_TESTS

KEK = os.urandom(32)
LENGTHS = {"ecb": (128, 192, 256), "cbc": (128, 192, 256), "ctr": (128, 256), "xts": (128, 256)}
REFUSED = "message"
token = partial(paes_tokens.token, under=KEK)


def asked(name, alg, sealed, iv, text, way="encrypt"):
    words = [name, alg, sealed.hex(), iv.hex() or "-", text.hex(), way]
    return f"provider_sealed {shlex.join(words)}\n"


def test_sealed_keys(tmp_path):
    """Each mode and length both ways, in odd pieces; tokens that are spoilt, of another tile or for
    something else; the kernel without a wrapping key.
    """
    script, expected = "", {}
    for mode, lengths in LENGTHS.items():
        for bits in lengths:
            name, key = f"{mode} {bits}", os.urandom(bits // 8 * (1 + (mode == "xts")))
            iv = os.urandom(0 if mode == "ecb" else 16)
            text = os.urandom(777)
            pad = 16 - len(text) % 16 if mode in ("ecb", "cbc") else 0
            padded = text + bytes([pad]) * pad
            cipher, _ = aes.crypt(paes_tokens.MODES[mode], key, iv, padded, b"")
            alg, sealed = f"AES-{bits}-{mode.upper()}", token(mode, key)
            script += asked(name, alg, sealed, iv, text)
            script += asked(f"{name} back", alg, sealed, iv, cipher, "decrypt")
            expected |= {name: cipher.hex(), f"{name} back": text.hex()}
    key, iv, text = os.urandom(16), os.urandom(16), bytes(64)
    good = token("cbc", key)
    spoilt = good[:40] + bytes([good[40] ^ 1]) + good[41:]
    for name, alg, sealed, way, failing in (
        ("spoilt", "AES-128-CBC", spoilt, "encrypt", REFUSED),
        ("of another tile", "AES-128-CBC", token("cbc", key, under=bytes(32)), "encrypt", REFUSED),
        ("of another mode", "AES-128-CTR", good, "encrypt", REFUSED),
        ("one way", "AES-128-CBC", token("cbc", key, decrypt=False), "decrypt", REFUSED),
        ("of another length", "AES-192-CBC", token("cbc", bytes(32)), "encrypt", "token"),
        ("for a slot", "AES-128-CBC", token("cbc", key, slot=5), "encrypt", "token"),
        ("cut", "AES-128-CBC", good[:-1], "encrypt", "token"),
        ("of no cipher of the kernel's", "AES-128-GCM", good, "encrypt", REFUSED),
    ):
        script += asked(name, alg, sealed, iv, text, way)
        expected[name] = failing
    driver = kbuild.driver(Kernel.debian.tree)
    config = tmp_path / "openssl.cnf"
    config.write_text(provider.config())
    begin = "export OPENSSL_CONF=/openssl.cnf\nexec 2>&1\ninsmod /cryptile.ko\n"
    for firmware, script_of_firmware, wanted in (
        (wrapping.properties(KEK), wrapping.script(KEK), expected),
        ({}, "", {name: "token" for name in expected if failing_later(expected[name])}),
    ):
        said = boot(
            f"{script_of_firmware}{begin}{script}",
            sets=["openssl"],
            modules=modules(Kernel.debian, driver, "algif_skcipher"),
            files={
                "/cryptile.ko": driver,
                "/openssl.cnf": config,
                "/bin/provider_sealed": provider.program(
                    Path(__file__).parent / "guest/provider_sealed.c"
                ),
                **provider.files(),
            },
            firmware=firmware,
            command_line=[NO_TESTS],
        ).output.decode()
        told = dict(re.findall(r"^([\w ']+): ([0-9a-f]+|\w+)$", said, re.MULTILINE))
        assert {name: told.get(name) for name in wanted} == wanted, said


def failing_later(answer):
    """Tell whether a token was taken where there is a wrapping key."""
    return answer not in ("token", REFUSED)
