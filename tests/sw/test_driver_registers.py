"""Drivers on registers that are plain memory: what they make of states that are hard to come by.

The instruction-set simulator runs the drivers' code. A register keeps what the test or the driver
has written, so that a device that never ends what it does is a constant.
"""

import pytest
from support.hal_registers import MAPS, addresses
from support.iss_builds import program

from cryptile.library_sources import c_files
from cryptile.project import ROOT
from cryptile.sim.iss import Machine

OK, PARAM, BUSY, TIMEOUT, BUS = 0, -1, -5, -6, -7
FAULT, SUPPORT, AUTH, KEY = -8, -9, -10, -11
MARCH = "rv32im_zicsr"

HAL = ROOT / "sw" / "hal"
MAIN = """// What the linker wants, and jobs to start.
#include "axis_engine.h"
#include "host.h"
#include "stream.h"
static uint32_t key[8];
int start(unsigned with_key, uint32_t key_bytes) {
  axis_job_t job = {.key = with_key ? key : NULL, .key_bytes = key_bytes};
  return cry_axis_engine_start(&job);
}
size_t cry_host_read(void *buffer, size_t len) {
  (void)buffer;
  return len == 64 ? 16 : 0;
}
void cry_host_write(const void *buffer, size_t len) {
  (void)buffer;
  (void)len;
}
static cryptile_status_t fail(unsigned id, uint32_t limit) {
  (void)id;
  (void)limit;
  return CRYPTILE_ERR_FAULT;
}
int stream(void) {
  cryptile_cipher_params_t params = {
      .key = (const uint8_t *)key, .key_len = 16, .iv = (uint8_t *)key};
  return stream_engine(fail, &params, 64);
}
void _start(void) {}
"""
DRAIN, CONTEXTS = 1 << 16, 0x0101
ACTIVE, DONE, ERROR, QUIET, VALID, LOCKED = 1, 2, 4, 8, 1 << 31, 2


class Device(Machine):
    """A core with the drivers, and memory in the place of registers and descriptors."""

    def __init__(self) -> None:
        files = tuple(HAL / f"{name}.c" for name in ("axis_edac", "axis_engine", "hwpe", "timer"))
        folders = (ROOT / "sw" / name for name in ("include", "lib", "hal", "apps"))
        # Or memcpy() is made of calls of memcpy().
        flags = ("-O2", "-fno-tree-loop-distribute-patterns", *(f"-I{at}" for at in folders))
        sources = (*files, HAL / "mem.c", ROOT / "sw/apps/stream_engine.c", *c_files(("cipher",)))
        headers = tuple(sorted((ROOT / "sw").rglob("*.h")))
        elf = program(MAIN, march=MARCH, sources=sources, flags=flags, headers=headers)
        super().__init__(elf, MARCH)
        for address in sorted({base & ~0xFFF for base in MAPS.values()}):
            self.map(address, 0x1000, "rw")
            self.write(address, bytes(0x1000))
        self.map(0x80FF_F000, 0x1000, "rw")

    def get(self, name: str) -> int:
        return int.from_bytes(self.read(addresses()[name], 4), "little")

    def put(self, **values: int) -> None:
        for name, value in values.items():
            self.write(addresses()[name.replace("__", ".")], value.to_bytes(4, "little"))

    def registers(self) -> list[bytes]:
        return [self.read(base, 0x100) for base in MAPS.values()]

    def status(self, function: str, *arguments: int) -> int:
        """Call a function and return its status."""
        value = self.call(function, *arguments, max_instructions=2_000_000).value
        return value - (1 << 32) if value >> 31 else value


@pytest.fixture
def device() -> Device:
    return Device()


def idle(device: Device, **more: int) -> None:
    """Everything at rest and quiet, but for what is given."""
    states = dict.fromkeys(("axis__STATUS", "dma__MM2S__STATUS", "dma__S2MM__STATUS"), QUIET)
    device.put(**(states | more))


def test_clear_of_the_hwpe_waits_for_the_last_access(device: Device) -> None:
    assert device.status("cry_hwpe_clear") == OK
    device.put(hwpe__STATUS=DRAIN)
    assert device.status("cry_hwpe_clear") == BUSY
    device.put(hwpe__STATUS=CONTEXTS)
    for job in range(2):
        assert device.status("cry_hwpe_wait_poll", job, 100) == TIMEOUT
    device.put(hwpe__STATUS=CONTEXTS | DRAIN)
    for job in range(2):
        assert device.status("cry_hwpe_wait_poll", job, 100) == BUSY


def test_a_stream_that_fails_tells_of_a_clear_that_does_not_end(device: Device) -> None:
    assert device.status("stream") == FAULT
    device.put(hwpe__STATUS=DRAIN)
    assert device.status("stream") == BUSY


def test_every_end_of_a_job_of_the_hwpe(device: Device) -> None:
    expected = {0: OK, 1: AUTH, 2: SUPPORT, 3: OK, 4: FAULT, 5: BUS, 7: KEY, 8: FAULT}
    for code in range(16):
        for job in range(4):
            device.put(hwpe__RESULT=code << 8 * (job & 1))
            assert device.status("cry_hwpe_wait_poll", job, 100) == expected.get(code, FAULT)


@pytest.mark.parametrize("busy", ["axis__STATUS", "dma__MM2S__STATUS", "dma__S2MM__STATUS"])
def test_clear_of_the_stream_that_does_not_end(device: Device, busy: str) -> None:
    """Everything stays held, and nothing is started."""
    idle(device, dma__MM2S__CONTROL=2, dma__S2MM__CONTROL=4)
    assert device.status("cry_axis_engine_clear") == OK
    assert device.get("axis.CONTROL") == 0
    assert (device.get("dma.MM2S.CONTROL"), device.get("dma.S2MM.CONTROL")) == (2, 4)
    device.put(**{busy: 0})
    assert device.status("cry_axis_engine_clear") == BUSY
    assert device.get("axis.CONTROL") == 1
    assert (device.get("dma.MM2S.CONTROL"), device.get("dma.S2MM.CONTROL")) == (3, 5)
    assert device.status("start", 1, 16) == BUSY
    assert (
        device.status("cry_axis_engine_wait", 100) == BUSY
    )  # no result, and the clear does not end
    idle(device)
    assert device.status("cry_axis_engine_clear") == OK
    assert device.status("start", 1, 16) == OK


def test_no_end_of_the_dma_is_left_for_the_next_job(device: Device) -> None:
    """A clear forgets errors and ends of both channels, but not before it is quiet."""
    for left in (0, DONE, ERROR, DONE | ERROR):
        for channel in ("MM2S", "S2MM"):
            idle(device)
            device.put(**{f"dma__{channel}__STATUS": QUIET | left})
            assert device.status("cry_axis_engine_clear") == OK
            # Write 1 to clear, in memory.
            written = [device.get(f"dma.{name}.STATUS") for name in ("MM2S", "S2MM")]
            assert written == [DONE | ERROR, DONE | ERROR]
            device.put(**{f"dma__{channel}__STATUS": left})
            assert device.status("cry_axis_engine_clear") == BUSY
            assert device.get(f"dma.{channel}.STATUS") == left


def test_an_error_behind_the_result_is_this_job_s(device: Device) -> None:
    """The input's channel may still be busy, with writing a descriptor back."""
    idle(device, axis__RESULT=VALID, axis__CONTROL=0, dma__MM2S__STATUS=ACTIVE)
    # In memory, what clears the ends is the error that comes.
    assert device.status("cry_axis_engine_wait", 100) == BUSY
    assert device.get("axis.CONTROL") == 1
    for end, status in ((QUIET, OK), (QUIET | DONE, OK), (QUIET | ERROR, BUS)):
        idle(device, axis__CONTROL=0, dma__MM2S__STATUS=end)
        assert device.status("settle", ACTIVE) == status
        assert device.status("settle", 0) == OK
        idle(device)
        assert device.status("settle", ERROR) == BUS
    idle(device, axis__CONTROL=0, dma__MM2S__STATUS=ACTIVE)
    assert device.status("settle", ACTIVE) == BUSY  # it never ends


def test_every_result_of_the_stream(device: Device) -> None:
    """Without VALID nothing is a result, whatever the other bits say: all is cleared.

    In memory, a write of 1 to STATUS clears ``quiet`` too, so that the clear does not end.
    """
    expected = {0: OK, 1: AUTH, 2: SUPPORT, 3: OK, 4: FAULT, 5: BUS, 7: KEY, 8: FAULT}
    for code in range(16):
        idle(device, axis__RESULT=code | 7 << 8, axis__CONTROL=0)
        assert device.status("cry_axis_engine_wait", 100) == BUSY
        assert device.get("axis.CONTROL") == 1
        idle(device, axis__RESULT=VALID | code | 7 << 8, axis__CONTROL=0)
        assert device.status("cry_axis_engine_wait", 100) == expected.get(code, FAULT)


def test_start_wants_a_key_and_an_idle_engine(device: Device) -> None:
    for size in range(65):
        good = size in (16, 24, 32)
        idle(device)
        assert device.status("cry_axis_engine_clear") == OK
        assert device.status("start", 0, size) == (KEY if good else PARAM)
        assert device.status("start", 1, size) == (OK if good else PARAM)
        for other in (16, 24, 32) if good else ():
            assert device.status("start", 0, other) == (OK if other == size else KEY)
        if good:
            idle(device)
            assert device.status("cry_axis_engine_clear") == OK
            assert device.status("start", 0, size) == KEY
            assert device.status("start", 1, size) == OK
    # Running, waiting, four numbers of results that were not taken; either channel of the DMA.
    states = [("axis__STATUS", QUIET | bit) for bit in (1, 2, 1 << 4, 2 << 4, 3 << 4, 4 << 4)]
    states += [("dma__MM2S__STATUS", 1), ("dma__S2MM__STATUS", 1), ("axis__CONTROL", 1)]
    for name, value in states:
        device.put(**{name: value})
        assert device.status("start", 1, 32) == BUSY, name
        device.put(**{name: 0 if name == "axis__CONTROL" else QUIET})


CHANGES = {
    "cry_axis_edac_inject_error_trigger": (),
    "cry_axis_edac_error_log_clear": (),
    "cry_axis_edac_errors_clear": (),
    "cry_axis_edac_notify_set": (1, 0, 7),  # a callback, which is not called
}
"""What changes the fault registers, with arguments."""


def test_locked_fault_registers_are_respected(device: Device) -> None:
    """LOCKED is what the pin gives too; every function, with and without it."""
    assert device.status("cry_axis_edac_inject_set_error_type", 1) == OK
    for name, arguments in CHANGES.items():
        device.put(axis__FAULT_LOCK=LOCKED)
        before = device.registers()
        assert device.status(name, *arguments) == SUPPORT, name
        assert device.registers() == before, name
        device.put(axis__FAULT_LOCK=0)
        assert device.status(name, *arguments) == OK, name
        assert device.registers() != before, name


def test_notice_leaves_other_interrupts_alone(device: Device) -> None:
    for before in range(8):
        for notify in (0, device.symbols["_start"]):
            device.put(axis__IRQ_ENABLE=before)
            assert device.status("cry_axis_edac_notify_set", notify, 0, 0) == OK
            assert device.get("axis.IRQ_ENABLE") == before & 1 | (6 if notify else 0)


def test_notice_is_taken_back_while_locked(device: Device) -> None:
    """Or a callback whose context is gone would be called."""
    pointers = [device.symbols[f"notify_{name}"] for name in ("user", "context")]
    assert device.status("cry_axis_edac_notify_set", 0x100, 0x200, 3) == OK
    assert [int.from_bytes(device.read(at, 4), "little") for at in pointers] == [0x100, 0x200]
    device.put(axis__FAULT_LOCK=LOCKED)
    assert device.status("cry_axis_edac_notify_set", 0, 0, 7) == OK
    assert [device.read(at, 4) for at in pointers] == [bytes(4), bytes(4)]
    assert (device.get("axis.IRQ_ENABLE"), device.get("axis.FAULT_THRESHOLD")) == (0, 3)


def test_selftest_leaves_the_job_of_another_alone(device: Device) -> None:
    scratch = 0x80FF_F000
    idle(device)
    assert device.status("start", 1, 32) == OK
    device.put(axis__STATUS=ACTIVE)
    before = device.registers()
    assert device.status("cry_axis_edac_selftest", scratch) == BUSY
    assert device.registers() == before
    assert device.read(scratch, 256)[:140] == bytes(140)
    idle(device)
    assert device.status("start", 0, 32) == OK  # the key is still there
    # A wrong answer: then all is cleared, and scratch zeroed.
    idle(device, axis__RESULT=VALID)
    assert device.status("cry_axis_edac_selftest", scratch) == FAULT
    assert device.read(scratch, 256)[:140] == bytes(140)
    idle(device)
    assert device.status("start", 0, 32) == KEY
