// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// A tile with the opcode `random` alone, whose jobs take the generator's blocks at once.

#include <string.h>

#include "native_rbg.h"
#include "tile.h"

unsigned native_tile_jobs;      // so far
unsigned native_tile_alarm_in;  // in which job, counted from 1, it waits for an alarm at its end

cryptile_status_t cry_tile_run(tile_ring_t *ring, const tile_job_t *job, uint32_t limit) {
  uint8_t *out = (uint8_t *)(uintptr_t)job->tag;
  uint8_t block[16];
  (void)ring;
  (void)limit;
  native_tile_jobs++;
  if (job->opcode != TileRandom || job->tag_len == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  for (uint32_t left = job->tag_len; left != 0;) {
    uint32_t part = left < sizeof block ? left : (uint32_t)sizeof block;
    if (!native_rbg_take(block)) {
      memset(out, 0, left);
      return CRYPTILE_ERR_FAULT;
    }
    memcpy(out, block, part);
    out += part;
    left -= part;
  }
  while (native_tile_jobs == native_tile_alarm_in && !native_rbg_alarm()) {
    (void)rbg_load(RBG_AT(STATUS));
  }
  return CRYPTILE_OK;
}
