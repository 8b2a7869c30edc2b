// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Random bits: the generator is started, seeded by its source, and gives jobs of the tile their
// bytes; off there are none.

#include <stddef.h>
#include <string.h>

#include "gen/rbg_regs.h"
#include "gen/tile_regs.h"
#include "test.h"
#include "tile.h"
#include "tile_prepare.h"

enum { Queue = 1, RingLog2 = 2, Limit = 100000, Bytes = 100, Start = 400000 };
enum { Running = 3 };  // of the source

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static uint8_t given[3][Bytes + 4] __attribute__((aligned(64)));

static volatile rbg_t *const rbg = (volatile rbg_t *)SOC_RBG_BASE;

static uint64_t cycles(void) {
  uint64_t now;
  __asm__ volatile("csrr %0, mcycle" : "=r"(now));
  return now;
}

// Asks for bytes, and returns how the job ended.
static cryptile_status_t ask(uint8_t *to) {
  const tile_job_t job = {.opcode = TileRandom,
                          .slot = TileNoSlot,
                          .unwrap_slot = TileNoSlot,
                          .iv = {Bytes},
                          .tag = tile_address(to)};
  return cry_tile_run(&ring, &job, Limit);
}

static bool all_zero(const uint8_t *bytes) {
  uint8_t any = 0;
  for (size_t i = 0; i < Bytes; i++)
    any |= bytes[i];
  return any == 0;
}

int main(void) {
  const tile_queue_config_t config = {
      .number = Queue, .ring = entries, .completions = completions, .ring_log2 = RingLog2};
  CHECK(cry_tile_open(&ring, &config) == CRYPTILE_OK);
  CHECK(cry_tile_window(Queue, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                        TileWindowRead | TileWindowWrite) == CRYPTILE_OK);
  CHECK(ask(given[0]) == CRYPTILE_ERR_FAULT && all_zero(given[0]));

  rbg->CONTROL = RBG__CONTROL__ENABLE_bm;
  const uint64_t begun = cycles();
  while (!(rbg->STATUS & RBG__STATUS__SEEDED_bm))
    CHECK(cycles() - begun < Start);
  CHECK((rbg->STATUS & RBG__STATUS__SOURCE_bm) == Running);
  CHECK(!(rbg->STATUS & (RBG__STATUS__STOPPED_bm | RBG__STATUS__ALARM_bm)));
  for (size_t i = 0; i < 3; i++)
    CHECK(ask(given[i]) == CRYPTILE_OK && !all_zero(given[i]));
  CHECK(memcmp(given[0], given[1], Bytes) != 0 && memcmp(given[1], given[2], Bytes) != 0);
  // The life cycle permits no read-out.
  rbg->CONTROL = RBG__CONTROL__ENABLE_bm | 1u << RBG__CONTROL__READ_bp;
  CHECK((rbg->STATUS & RBG__STATUS__SOURCE_bm) == Running && rbg->READ_LO == 0);

  rbg->CONTROL = 0;
  CHECK(!(rbg->STATUS & RBG__STATUS__SEEDED_bm));
  return 0;
}
