// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the programs of the tile SoC share: queues over all of memory, and the host's bytes.
#ifndef CRYPTILE_APPS_TILE_APP_H
#define CRYPTILE_APPS_TILE_APP_H

#include "host.h"
#include "tile.h"
#include "tile_io.h"
#include "tile_prepare.h"

enum { TileAppQueues = 4, TileAppRingLog2 = 7, TileAppMaxRingLog2 = 9 };

// Opens a queue, with a ring of its own of 2^ring_log2 entries, that may use all of memory and all
// key slots.
CRYPTILE_MUST_CHECK cryptile_status_t tile_app_open_ring(tile_ring_t *ring, unsigned number,
                                                         unsigned ring_log2);

// The same with 2^TileAppRingLog2 entries.
CRYPTILE_MUST_CHECK cryptile_status_t tile_app_open(tile_ring_t *ring, unsigned number);

// Cycles after which a job of so many bytes is late.
uint32_t tile_app_limit(size_t len);

// As in host.h. The core's cache does not see what the host writes.
static inline size_t tile_app_read(void *buffer, size_t len) {
  size_t got = cry_host_read(buffer, len);
  soc_forget_cached();
  return got;
}

static inline void tile_app_write(const void *buffer, size_t len) {
  tile_publish();
  cry_host_write(buffer, len);
}

static inline size_t tile_app_params(void *buffer, size_t len) {
  size_t got = cry_host_params(buffer, len);
  soc_forget_cached();
  return got;
}

#endif  // CRYPTILE_APPS_TILE_APP_H
