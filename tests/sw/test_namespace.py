"""Global names of the library and of the drivers: cryptile_ and psa_ in headers, cry_ inside."""

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


@pytest.mark.parametrize("app", ["crypt", "bench_stream", "selftest_stream", "crypt_tile"])
def test_drivers(app: str) -> None:
    folder = firmware.build(app).parent
    drivers = [
        item for item in folder.glob("*.o") if (ROOT / "sw" / "hal" / f"{item.stem}.c").is_file()
    ]
    assert len(drivers) > 4
    others = defined(*drivers) - FREESTANDING
    assert {n for n in others if not n.startswith(("cry_", "cryptile_aes_"))} == set()
