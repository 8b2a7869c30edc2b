"""The PSA tests of Mbed TLS as data, from Debian's source package.

The archive is had over HTTPS once; its hash is checked, and what is read of it is kept in the build
cache. A case is a description, what it depends on, the name of a function, and arguments: text in
quotes is bytes in hexadecimal, everything else an expression of C in the macros of PSA Crypto.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cryptile.toolchain import cache as builds
from support.debian_source import unpack

VERSION = "2.28.3"
_URL = f"https://deb.debian.org/debian/pool/main/m/mbedtls/mbedtls_{VERSION}.orig.tar.gz"
_SHA256 = "3b4953aa55a681e084d31892d9904cc5328d6b4958ea57b90ae4b4f94ae69a8d"
SUITES = ("test_suite_psa_crypto", "test_suite_psa_crypto_hash")


@dataclass(frozen=True)
class Case:
    """A case of a suite; ``arguments`` are as they stand there."""

    title: str
    needs: tuple[str, ...]
    function: str
    arguments: tuple[str, ...]


def _path(suite: str) -> str:
    return f"tests/suites/{suite}.data"


def _fetch(folder: Path) -> None:
    unpack(_URL, _SHA256, tuple(map(_path, SUITES)), folder)


@cache
def cases() -> list[Case]:
    """Return all cases of the suites."""
    folder = builds.build("mbedtls-suites", _SHA256[:20], _fetch)
    found = []
    for suite in SUITES:
        text = re.sub(r"^#.*\n", "", (folder / _path(suite)).read_text(), flags=re.M)
        for block in re.split(r"\n\s*\n", text.strip()):
            title, *lines = block.strip().splitlines()
            needs: tuple[str, ...] = ()
            if lines[0].startswith("depends_on:"):
                needs = tuple(lines.pop(0).split(":")[1:])
            function, *arguments = lines[0].split(":")
            found.append(Case(title, needs, function, tuple(arguments)))
    return found
