// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Opens a queue and makes the tile's engines those of PSA Crypto, for a test that calls it.
#include "soc_tile.h"
#include "tile_psa.h"

enum { Limit = 300000, RingLog2 = 2 };

static tile_entry_t entries[1 << RingLog2];
static tile_completion_t completions[1 << RingLog2];
static tile_ring_t ring;
static tile_pka_t pka;
static tile_rsa_t rsa;

int main(void) {
  const tile_queue_config_t config = {.number = 0,
                                      .ring = entries,
                                      .completions = completions,
                                      .ring_log2 = RingLog2,
                                      .key_mask = UINT32_MAX,
                                      .make_keys = true};
  if (cry_tile_open(&ring, &config) != CRYPTILE_OK ||
      cry_tile_window(0, 0, SOC_MEMORY_BASE, SOC_MEMORY_SIZE, TileWindowRead | TileWindowWrite) !=
          CRYPTILE_OK) {
    return 1;
  }
  cry_tile_pka_use(&pka, &ring, Limit);
  cry_tile_rsa_use(&rsa, &ring, Limit);
  cryptile_psa_set_engine(cry_tile_psa_engine(&pka, &rsa));
  return 0;
}
