"""The order of memory and device registers, in the compiled drivers.

A device is started behind a fence that orders what it will read, with no store to memory in
between; a device's word that it is done is followed by a fence before memory is read. The compiler
may move accesses to memory across accesses to registers, so the sources alone say nothing.
"""

from functools import cache
from pathlib import Path

import pytest
from support.hal_registers import names
from support.riscv_flow import Function, fence, flow, functions

from cryptile import catalog, firmware
from cryptile.toolchain import tools
from cryptile.toolchain.gcc import compiler

STARTS = {"hwpe.TRIGGER", "dma.MM2S.HEAD", "dma.S2MM.HEAD", "mcu.HOST.CMD"}
"""A store here makes a device read or write memory. The stream shell's START makes none: the DMA
has been started before, by its HEAD registers."""

ENDS = {"hwpe.RESULT", "axis.RESULT", "mcu.HOST.RESULT"}
"""A load from here tells that the device is done."""

CLEARS = {
    "cry_hwpe_clear": {"hwpe.STATUS"},
    "cry_axis_engine_clear": {"axis.STATUS", "dma.MM2S.STATUS", "dma.S2MM.STATUS"},
}
"""What tells of the end elsewhere tells here that the last access is over."""

PROGRAMS = ["bench", "crypt", "selftest", "bench_stream", "crypt_stream", "selftest_stream"]


DEVICES = [
    region
    for system in ("mcu", "stream")
    for name, region in catalog.system(system).map.items()
    if name in ("periph", "hwpe", "dma", "axis")
]


def is_device(address: int | None) -> bool:
    return address is not None and any(
        region.base <= address < region.base + region.size for region in DEVICES
    )


def starts(function: Function) -> dict[int, str]:
    """Stores that start a device."""
    found = {}
    for at in function.before:
        access = function.access(at)
        if access and access.store and names().get(access.address or 0) in STARTS:
            found[at] = names()[access.address or 0]
    return found


def unfenced_starts(function: Function) -> list[str]:
    """Starts that a store to memory may reach without a fence between."""

    def step(at: int, loose: bool) -> bool:
        access = function.access(at)
        if fence(function, at, "rw", "o"):
            return False
        stores = access is not None and access.store and not is_device(access.address)
        return loose or stores or function.code[at].is_call

    loose = flow(function, True, step)
    return [f"{function.name}: {name}" for at, name in starts(function).items() if loose[at]]


def ends(function: Function) -> dict[int, str]:
    """Loads that tell that a device is done."""
    telling = ENDS | CLEARS.get(function.name, set())
    found = {}
    for at in function.before:
        access = function.access(at)
        if access and not access.store and names().get(access.address or 0) in telling:
            found[at] = names()[access.address or 0]
    return found


def unfenced_ends(function: Function) -> list[str]:
    """Loads from memory, calls and returns behind an end, without a fence between."""
    known = ends(function)

    def step(at: int, open_end: bool) -> bool:
        return at in known or (open_end and not fence(function, at, "i", "rw"))

    behind = flow(function, False, step)
    found = []
    for at in function.before:
        access = function.access(at)
        touches = access is not None and not is_device(access.address)
        if behind[at] and (touches or function.code[at].is_call or function.leaves(at)):
            found.append(f"{function.name}: {function.code[at]}")
    return found


@cache
def program(name: str, core: str) -> dict[str, Function]:
    return functions(firmware.build(name, core=core))


@pytest.mark.parametrize("core", ["cv32e40p", "ibex-rv32b"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_fences(name: str, core: str):
    found = program(name, core).values()
    assert [line for function in found for line in unfenced_starts(function)] == []
    assert [line for function in found for line in unfenced_ends(function)] == []


def test_every_start_and_end_is_seen():
    """Or the test above would say nothing of it."""
    seen_starts, seen_ends, clears = set(), set(), set()
    for name in PROGRAMS:
        for function in program(name, "cv32e40p").values():
            seen_starts |= set(starts(function).values())
            seen_ends |= set(ends(function).values())
            if function.name in CLEARS:
                clears.add(function.name)
    assert seen_starts == STARTS
    assert seen_ends == ENDS.union(*CLEARS.values())
    assert clears == set(CLEARS)


@pytest.mark.parametrize("core", ["cv32e40p", "ibex-rv32b"])
def test_a_callback_is_exchanged_while_its_interrupts_are_masked(core: str):
    function = program("selftest_stream", core)["cry_axis_edac_notify_set"]
    accesses = []
    for at in sorted(function.before):
        access = function.access(at)
        if access and function.code[at].operands[-1].find("(sp)") < 0:
            name = names().get(access.address or 0, "memory")
            accesses.append(("store " if access.store else "load ") + name)
    exchange = [at for at, text in enumerate(accesses) if text == "store memory"]
    assert len(exchange) >= 2  # function and context, on every path
    for at in exchange:
        first = at - (accesses[at - 1] == "store memory")
        assert accesses[first - 2 : first] == ["store axis.IRQ_ENABLE", "load axis.IRQ_ENABLE"]


START = "lui a5, 0x1a200\n sw zero, 32(a5)\n"
END = "lui a5, 0x1a201\n lw a0, 12(a5)\n"
RIGHT = f"fence rw, o\n {START} {END} fence i, rw\n ret"
WRONG = {
    "store behind the fence": f"fence rw, o\n sw a0, 0(a1)\n {START} ret",
    "call behind the fence": f"fence rw, o\n call g\n {START} ret",
    "no fence": f"{START} ret",
    "fence of another kind": f"fence r, o\n {START} ret",
    "fence on one path": f"beqz a0, 1f\n fence rw, o\n1: {START} ret",
    "load before the fence": f"{END} lw a1, 0(a1)\n fence\n ret",
    "call before the fence": f"{END} call g\n fence\n ret",
    "fence on one path of two": f"{END} beqz a0, 1f\n fence\n1: ret",
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_orders_are_found(tmp_path: Path, case: str):
    source, target = tmp_path / "program.S", tmp_path / "program.elf"
    source.write_text(f".globl g\n f:\n {WRONG[case]}\n g:\n {RIGHT}\n")
    flags = ["-march=rv32imc", "-mabi=ilp32", "-nostdlib", "-Wl,-e,g"]
    tools.run([compiler(), *flags, source, "-o", target])
    found = functions(target)
    assert unfenced_starts(found["f"]) + unfenced_ends(found["f"])
    assert not unfenced_starts(found["g"]) + unfenced_ends(found["g"])
