// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "tile_random.h"

#include "rbg.h"
#include "wipe.h"

static tile_ring_t *source;

static cryptile_status_t run_jobs(tile_ring_t *ring, uint8_t *out, size_t len, uint32_t limit) {
  cryptile_status_t status = CRYPTILE_OK;
  while (status == CRYPTILE_OK && len != 0) {
    uint32_t part = len < TileRandomBytes ? (uint32_t)len : TileRandomBytes;
    tile_job_t job = {.opcode = TileRandom,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot,
                      .tag = tile_address(out),
                      .tag_len = part};
    status = cry_tile_run(ring, &job, limit);
    out += part;
    len -= part;
  }
  return status;
}

cryptile_status_t cry_tile_random(tile_ring_t *ring, uint8_t *out, size_t len, uint32_t limit) {
  if (out == NULL && len != 0) {
    return CRYPTILE_ERR_PARAM;
  }
  cryptile_status_t status = ring != NULL ? cry_rbg_check() : CRYPTILE_ERR_PARAM;
  if (status == CRYPTILE_OK) {
    status = run_jobs(ring, out, len, limit);
  }
  if (status == CRYPTILE_OK) {
    status = cry_rbg_check();
  }
  if (status != CRYPTILE_OK && len != 0) {
    wipe(out, len);
  }
  return status;
}

void cry_tile_random_use(tile_ring_t *ring) {
  source = ring;
}

bool cry_tile_random_source(uint8_t *out, size_t len) {
  return cry_tile_random(source, out, len, TileRandomLimit) == CRYPTILE_OK;
}
