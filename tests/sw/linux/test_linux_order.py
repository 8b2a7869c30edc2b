"""Memory in order, in what the compiler makes of the kernel's driver."""

import pytest
from support.riscv_flow import LOADS, functions

from cryptile.linux import kbuild

pytestmark = pytest.mark.xdist_group("linux")


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
