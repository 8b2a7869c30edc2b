// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A queue of the tile for random bytes.
#pragma once

#include "soc_tile.h"
#include "tile_random.h"

enum { RandomQueue = 1, RandomRingLog2 = 2 };

static tile_entry_t random_entries[1 << RandomRingLog2];
static tile_completion_t random_completions[1 << RandomRingLog2];
static tile_ring_t random_queue;

// Opens it, lets it use all memory, and gives it to cry_tile_random_source().
static inline cryptile_status_t random_queue_open(void) {
  const tile_queue_config_t config = {.number = RandomQueue,
                                      .ring = random_entries,
                                      .completions = random_completions,
                                      .ring_log2 = RandomRingLog2,
                                      .key_mask = UINT32_MAX,
                                      .make_keys = true};
  cryptile_status_t status = cry_tile_open(&random_queue, &config);
  if (status == CRYPTILE_OK) {
    status = cry_tile_window(RandomQueue, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                             TileWindowRead | TileWindowWrite);
  }
  cry_tile_random_use(&random_queue);
  return status;
}
