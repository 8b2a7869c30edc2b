"""Global names of the library: cryptile_ and psa_ in headers, cry_ inside."""

from pathlib import Path

import pytest

from cryptile import library
from cryptile.export import dispatch
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
