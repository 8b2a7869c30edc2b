"""Functions that return a status are declared so that the compiler warns of who ignores it."""

import re
from pathlib import Path

import pytest

from cryptile import library
from cryptile.errors import CryptileError
from cryptile.project import ROOT
from cryptile.toolchain import tools

HEADERS = [
    *sorted(library.INCLUDE.rglob("*.h")),
    *sorted((ROOT / "sw" / "driver").rglob("*.h")),
    *sorted((ROOT / "sw" / "hal").glob("*.h")),
    *sorted((ROOT / "sw" / "apps").glob("*.h")),
]
NEVER_FAIL = {
    f"psa_{kind}_abort" for kind in ("hash", "xof", "mac", "cipher", "aead", "key_derivation")
}


def test_every_status_is_marked() -> None:
    found = {}
    for header in HEADERS:
        for mark, name in re.findall(
            r"^(CRYPTILE_MUST_CHECK )?(?:cryptile|psa)_status_t\s+(\w+)\(", header.read_text(), re.M
        ):
            found[name] = bool(mark)
    assert len(found) > 100
    assert {name for name, marked in found.items() if not marked} == NEVER_FAIL


@pytest.mark.parametrize("way", ["", "(void)"])
def test_the_compiler_warns(tmp_path: Path, way: str) -> None:
    source = tmp_path / "program.c"
    call = 'cryptile_hash(&cryptile_sha256, "abc", 3, digest)'
    command = [
        tools.find("gcc", "gcc"),
        "-Wall",
        "-Werror",
        "-I",
        library.INCLUDE,
        "-c",
        source,
        "-o",
        tmp_path / "program.o",
    ]
    for use, good in ((f"return {call};", True), (f"{way}{call}; return 0;", False)):
        source.write_text(f'#include "cryptile.h"\nint f(unsigned char *digest) {{ {use} }}\n')
        if good:
            tools.run(command)
        else:
            with pytest.raises(CryptileError, match="warn_unused_result"):
                tools.run(command)
