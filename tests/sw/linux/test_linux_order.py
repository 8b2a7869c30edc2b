"""Memory in order, in what the compiler makes of the kernel's driver."""

import re

from support.riscv_flow import LOADS, STORES, fence, functions

from cryptile.linux import kbuild
from cryptile.project import ROOT


def test_a_record_is_read_behind_its_number():
    """``dma_rmb()`` is all in the driver that orders loads alone; a record follows each of them."""
    behind = []
    for function in functions(kbuild.driver()).values():
        for at, instruction in enumerate(function.code):
            if instruction.name == "fence" and instruction.operands == ["ir", "ir"]:
                loads = (item for item in function.code[at:] if item.name in LOADS)
                behind.append(next((item.name, item.operands[1]) for item in loads))
    assert behind
    assert all(name == "ld" and place.startswith("0(") for name, place in behind), behind


def test_what_is_written_is_there_before_a_register_tells_of_it():
    """A job before its doorbell: ``writel()`` is a fence, and no other store comes between them."""
    folder = ROOT / "sw/linux/driver"
    texts = {file.name: file.read_text() for file in sorted(folder.glob("*.[ch]"))}
    assert [name for name in texts if re.search("_relaxed|__raw_|iowrite", texts[name])] == []
    behind = []
    for function in functions(kbuild.driver()).values():
        for at in range(len(function.code)):
            if fence(function, at, "w", "o"):
                stores = (item.name for item in function.code[at:] if item.name in STORES)
                behind.append(next(stores))
    assert set(behind) == {"sw"}
