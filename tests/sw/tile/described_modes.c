// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Prints of every opcode and mode whether a job without a key is described, and whether one whose
// tag is too long for the field of a tag is.
#include <stdio.h>

#include "tile_job.h"

int main(void) {
  tile_entry_t entries[2];
  for (unsigned at = 0; at < 256 * 16; at++) {
    tile_job_t job = {.opcode = (uint8_t)(at / 16),
                      .mode = at % 16,
                      .slot = TileNoSlot,
                      .unwrap_slot = TileNoSlot};
    unsigned keyless = cry_tile_describe(&job, entries);
    job.key = 64;
    job.tag_len = 256;
    printf("%u %u\n", keyless != 0, cry_tile_describe(&job, entries) != 0);
  }
  return 0;
}
