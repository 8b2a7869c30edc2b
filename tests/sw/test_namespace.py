"""Names of the library and of the drivers: cryptile_ and psa_ in headers, cry_ inside."""

import re
from pathlib import Path

import pytest

from cryptile import firmware, library
from cryptile.export import dispatch
from cryptile.project import ROOT
from cryptile.toolchain import tools

FREESTANDING = {"memcpy", "memmove", "memset", "memcmp"}
"""What a compiler calls by these names."""
PUBLIC = {*dispatch.entry_points(), *dispatch.descriptors()}


def defined(*files: Path) -> set[str]:
    """Return the global symbols that archives or object files define."""
    nm = tools.find("riscv64-unknown-elf-nm", "binutils-riscv64-unknown-elf")
    lines = tools.run([nm, "--defined-only", "--extern-only", *files]).splitlines()
    return {fields[2] for fields in map(str.split, lines) if len(fields) == 3}


@pytest.mark.parametrize("isa", ["rv32i", "rv32im_zkn", "rv32im_zbb_zbc", "rv64im", "rv64im_zkn"])
def test_library(isa: str) -> None:
    names = defined(library.build(isa).archive)
    assert len(names & PUBLIC) > 80
    others = names - PUBLIC - FREESTANDING
    assert len(others) > 100
    assert {name for name in others if not name.startswith("cry_")} == set()


def test_public_headers(tmp_path: Path) -> None:
    """Nor do they have a type, a tag, an inline function, an enumerator or a macro without one."""
    headers = [str(path.relative_to(library.INCLUDE)) for path in library.INCLUDE.rglob("*.h")]
    source = tmp_path / "all.c"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    command = [tools.find("gcc"), "-I", library.INCLUDE, "-E", "-dD", source]
    found: set[str] = set()
    is_ours = False
    text = ""
    for line in tools.run(command).splitlines():
        if mark := re.match(r'# \d+ "(.*?)"', line):
            is_ours = mark[1].startswith(str(library.INCLUDE))
        elif is_ours and (macro := re.match(r"#define (\w+)", line)):
            found.add(macro[1])
        elif is_ours:
            text += line + "\n"
    found |= set(re.findall(r"^\} (\w+);", text, re.M))
    found |= set(re.findall(r"^typedef [^;{]*?(\w+);", text, re.M))
    found |= set(re.findall(r"\b(?:struct|union|enum) (\w+)", text))
    found |= set(re.findall(r"^static inline [^;{]*?\b(\w+)\(", text, re.M))
    for body in re.findall(r"\benum \w*\s*\{(.*?)\}", text, re.S):
        found |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
    assert len(found) > 150
    prefixes = ("cryptile_", "CRYPTILE_", "psa_", "PSA_")
    assert {name for name in found if not name.startswith(prefixes)} == set()


@pytest.mark.parametrize("app", ["crypt", "bench_stream", "selftest_stream", "crypt_tile"])
def test_drivers(app: str) -> None:
    folder = firmware.build(app).parent
    drivers = [
        item
        for item in folder.glob("*.o")
        if any((ROOT / "sw" / part / f"{item.stem}.c").is_file() for part in ("hal", "driver/core"))
    ]
    assert len(drivers) > 4
    others = defined(*drivers) - FREESTANDING
    assert {n for n in others if not n.startswith(("cry_", "cryptile_aes_"))} == set()
