// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The data cache and the tile, which it sees: random copies into lines that the core has, and uses
// meanwhile. Prints what loads from the cache cost, alone and beside the tile, in cycles.

#include <stddef.h>
#include <string.h>

#include "console.h"
#include "gen/tile_regs.h"
#include "test.h"
#include "tile.h"
#include "tile_io.h"

enum { RingLog2 = 2, Bytes = 4096, Limit = 200000, Rounds = 8, Loads = 256 };

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static uint8_t from[Bytes + 64] __attribute__((aligned(64)));
static uint8_t to[Bytes + 64] __attribute__((aligned(64)));
static volatile uint64_t others[1024] __attribute__((aligned(4096)));  // in the sets of `to`
static volatile uint32_t counter;

static uint32_t any(void) {
  static uint64_t seed = 88172645463325252u;
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)(seed >> 16);
}

static void start(const uint8_t *src, uint8_t *dst, uint32_t len) {
  const tile_job_t job = {.opcode = TileCopy,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .src = tile_address(src),
                          .dst = tile_address(dst),
                          .len = len};
  CHECK(cry_tile_submit(&ring, &job, NULL) == CRYPTILE_OK);
  cry_tile_notify(&ring);
}

// What a core does with lines that are being written, and with others of the same sets.
static void meddle(const volatile uint8_t *dst, uint32_t len) {
  uint32_t what = any();
  for (uint32_t i = 0; i < 12; i++)
    (void)dst[(what + 112 * i) % len];
  if (what % 8 == 0)
    (void)others[(what >> 8) % 1024];
  if (what % 16 == 2)
    others[(what >> 9) % 1024] = what;
  if (what % 32 == 1)
    (void)__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
  if (what % 64 == 5)
    forget_cached();
}

// An unaligned copy; its first and last lines hold bytes of the core's, stored meanwhile.
static void try_copy(uint32_t number) {
  uint32_t len = 1 + any() % (number % 2 ? 200 : Bytes), src = any() % 16, dst = 1 + any() % 15;
  uint8_t salt = (uint8_t)any();
  for (uint32_t i = 0; i < len; i++)
    from[src + i] = (uint8_t)(13 * i + salt);
  for (uint32_t i = 0; i < sizeof to; i++)
    (void)((volatile uint8_t *)to)[i];
  start(from + src, to + dst, len);
  volatile uint8_t *const before = to + dst - 1, *const behind = to + dst + len;
  *before = (uint8_t)(salt + 1);
  *behind = (uint8_t)(salt + 2);
  tile_result_t result;
  for (uint32_t looks = 0; !cry_tile_poll(&ring, &result); looks++) {
    meddle(to + dst, len);
    CHECK(looks < Limit);
  }
  CHECK(result.status == CRYPTILE_OK);
  for (uint32_t i = 0; i < len; i++)
    CHECK(to[dst + i] == (uint8_t)(13 * i + salt));
  CHECK(*before == (uint8_t)(salt + 1) && *behind == (uint8_t)(salt + 2));
}

static __attribute__((noinline)) uint64_t loads(void) {
  const uint64_t begin = CSR_READ("mcycle");
  for (int i = 0; i < Loads; i++)
    (void)others[i % 64];
  return CSR_READ("mcycle") - begin;
}

static void report(const char *name, uint64_t cycles) {
  cry_console_text(name);
  cry_console_text(" ");
  cry_console_decimal((uint32_t)cycles);
  cry_console_text("\n");
}

int main(void) {
  const tile_queue_config_t config = {
      .number = 0, .ring = entries, .completions = completions, .ring_log2 = RingLog2};
  CHECK(cry_tile_open(&ring, &config) == CRYPTILE_OK);
  CHECK(cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, TileWindowRead | TileWindowWrite) ==
        CRYPTILE_OK);
  for (uint32_t number = 0; number < Rounds; number++)
    try_copy(number);

  uint64_t alone = UINT64_MAX, beside = 0;
  for (int i = 0; i < 3; i++) {
    uint64_t cycles = loads();
    alone = cycles < alone ? cycles : alone;
  }
  for (int i = 0; i < 3; i++) {
    tile_result_t result;
    start(from, to, Bytes);
    uint64_t cycles = loads();
    CHECK(cry_tile_wait(&ring, Limit, &result) == CRYPTILE_OK);
    beside = cycles > beside ? cycles : beside;
  }
  report("alone", alone);
  report("beside", beside);
  return 0;
}
