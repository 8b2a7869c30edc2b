// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_app.h"

// At the end of memory, which the start-up code need not clear.
typedef struct {
  tile_entry_t entries[1 << TileAppMaxRingLog2];
  tile_completion_t completions[1 << TileAppMaxRingLog2];
} rings_t;

static rings_t *const kRings =
    (rings_t *)(SOC_HEAP_BASE + SOC_HEAP_SIZE - TileAppQueues * sizeof(rings_t));

cryptile_status_t tile_app_open_ring(tile_ring_t *ring, unsigned number, unsigned ring_log2) {
  if (number >= TileAppQueues || ring_log2 > TileAppMaxRingLog2) {
    return CRYPTILE_ERR_PARAM;
  }
  const tile_queue_config_t config = {.number = number,
                                      .ring = kRings[number].entries,
                                      .completions = kRings[number].completions,
                                      .ring_log2 = ring_log2,
                                      .key_mask = UINT32_MAX};
  cryptile_status_t status = cry_tile_open(ring, &config);
  return status == CRYPTILE_OK ? cry_tile_window(number, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE,
                                                 TileWindowRead | TileWindowWrite)
                               : status;
}

cryptile_status_t tile_app_open(tile_ring_t *ring, unsigned number) {
  return tile_app_open_ring(ring, number, TileAppRingLog2);
}

uint32_t tile_app_limit(size_t len) {
  // The slowest engines take 14 cycles for 16 bytes; memory may be slow, other queues busy.
  return (uint32_t)(1000000 + 64 * len);
}
