"""What the ciphers leave behind when an engine does the work: nothing, in memory or in registers.

The drivers run on the instruction-set simulator, with registers that are plain memory. So a job is
over at once, or never, and ends as the test has it.
"""

from collections.abc import Callable
from itertools import product

import pytest
from support.hal_registers import MAPS, addresses
from support.iss_builds import program
from support.left_calls import LONG, Left, cipher_params

from cryptile.library_sources import c_files
from cryptile.project import ROOT
from cryptile.sim.iss import Machine

HAL = ROOT / "sw" / "hal"
TILE, CLINT, PLIC = 0x5000_0000, 0x0200_0000, 0x0C00_0000
QUEUE_0 = TILE + 0x8000
SIZES, IDLE, WINDOW = TILE + 0x0C, QUEUE_0 + 0x20, QUEUE_0 + 0x80
ALL = 0xFFFF_FFFF
OK, LENGTH, TIMEOUT, FAULT = 0, -3, -6, -8
CTR = 2
NOP = (0x13).to_bytes(4, "little")

ENGINE = """// What the linker wants.
#include "cryptile.h"
const void *const kept[] = {
    &cryptile_aes_engine_poll, &cryptile_aes_engine_sleep, cryptile_cipher_init,
    cryptile_cipher_update, cryptile_cipher_final,   cryptile_cipher_crypt};
void _start(void) {}
"""
QUEUE = """// A queue whose jobs are over, and ended with `code`, before they begin.
#include "cryptile.h"
#include "tile_engine.h"
const void *const kept[] = {
    &cryptile_aes_tile_poll, &cryptile_aes_tile_sleep, cryptile_cipher_init,
    cryptile_cipher_update, cryptile_cipher_final,   cryptile_cipher_crypt};
static tile_entry_t entries[64];
static tile_completion_t records[64];
static tile_ring_t ring;
void open_queue(unsigned code, unsigned ends) {
  for (unsigned i = 0; i < 64; i++) {
    records[i].w[0] = code | (uint64_t)(2 * i) << 16 | (uint64_t)(ends ? i + 1 : 0) << 32;
    records[i].w[1] = 5;
  }
  ring = (tile_ring_t){
      .page = 0x10000, .entries = entries, .completions = records, .count = {.size = 64}};
  cry_tile_engine_use(&ring);
}
void _start(void) {}
"""


def build(main: str, march: str, names: tuple[str, ...], *defines: str) -> Left:
    """Build drivers and ciphers for the simulator, without what it does not know of the core."""
    folders = [f"-I{ROOT / 'sw' / name}" for name in ("include", "lib", "driver/core", "hal")]
    flags = ("-O2", "-fno-tree-loop-distribute-patterns", *folders, *defines)
    parts = (HAL / f"{name}.c" for name in names)
    core = sorted((ROOT / "sw/driver/core").glob("*.c")) if "tile" in names else ()
    sources = (*parts, *core, HAL / "mem.c", *c_files(("cipher",)))
    headers = tuple(sorted((ROOT / "sw").rglob("*.h")))
    machine = Machine(
        program(main, march=march, sources=sources, flags=flags, headers=headers), march
    )
    for part in machine._image.segments:
        for at in range(0, len(part.data) - 3 if part.executable else 0, 4):
            word = int.from_bytes(part.data[at : at + 4], "little")
            writes = word & 0x7F == 0x73 and (word >> 12 & 7 not in (0, 2) or word >> 15 & 31)
            if writes or word == 0x10500073:  # or it is wfi
                machine.write(part.address + at, NOP)
    return Left(machine)


def ciphers(left: Left, impl: str, status: int, begin: Callable[[], object]) -> None:
    """Call every function that has work done, in all modes; jobs end with a status."""
    symbol = left.symbol(f"cryptile_aes_{impl}")
    source, target, count = left.secret(LONG), left.room(1200), left.room(8)
    for mode, decrypt, key_len in product((0, 1, 2), (0, 1), (16, 32)):
        params = cipher_params(left, mode, decrypt, 0, key_len)
        for size in (64, 1040):
            begin()
            left.call(
                "cryptile_cipher_crypt",
                symbol,
                params,
                source,
                size,
                target,
                1200,
                count,
                status=status,
            )
        context = left.room()
        for size in (16, 7):
            begin()
            left.call("cryptile_cipher_init", context, symbol, params)
            left.call(
                "cryptile_cipher_update",
                context,
                source,
                size,
                target,
                1200,
                count,
                status=status if size == 16 else OK,
            )
        last = status if mode == CTR else LENGTH
        left.call("cryptile_cipher_final", context, target, 16, count, status=last)
    assert {name: count for name, count in left.left.items() if count} == {}
    assert {name: count for name, count in left.dirty.items() if count} == {}


@pytest.mark.parametrize("impl", ["engine_poll", "engine_sleep"])
@pytest.mark.parametrize(
    ("status", "registers"),
    [(OK, (0, 0)), (FAULT, (0x0404, 0)), (TIMEOUT, (0, 0x0101))],
    ids=["ok", "fault", "timeout"],
)
def test_nothing_is_left_above_the_engine(impl, status, registers):
    left = build(ENGINE, "rv32im_zicsr", ("engine", "hwpe", "timer"))
    left.m.map(MAPS["mcu"], 0x1_0000, "rw")
    for name, value in zip(("RESULT", "STATUS"), registers, strict=True):
        left.m.write(addresses()[f"hwpe.{name}"], value.to_bytes(4, "little"))
    ciphers(left, impl, status, lambda: None)


@pytest.mark.parametrize("impl", ["tile_poll", "tile_sleep"])
@pytest.mark.parametrize(
    ("status", "code", "ends"),
    [(OK, 0, 1), (FAULT, 4, 1), (TIMEOUT, 0, 0)],
    ids=["ok", "fault", "timeout"],
)
def test_nothing_is_left_above_the_tile(impl, status, code, ends):
    left = build(QUEUE, "rv64im_zicsr", ("soc_tile", "tile", "tile_engine", "tile_jobs"))
    for address in (
        TILE,
        QUEUE_0,
        TILE + 0x1_0000,
        CLINT + 0x4000,
        CLINT + 0xB000,
        PLIC,
        PLIC + 0x2000,
        PLIC + 0x20_0000,
    ):
        left.m.map(address, 0x1000, "rw")
    # One queue, one window, which lets it write everywhere; the queue is idle.
    for register, value in ((SIZES, 1 | 1 << 16), (WINDOW + 8, ALL), (WINDOW + 0x10, 7), (IDLE, 1)):
        left.m.write(register, value.to_bytes(4, "little"))
    ciphers(left, impl, status, lambda: left.m.call("open_queue", code, ends))
