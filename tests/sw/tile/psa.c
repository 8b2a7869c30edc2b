// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Opens a queue and makes the tile's engines those of PSA Crypto, for a test that calls it.
#include "tile_app.h"
#include "tile_psa.h"

enum { Limit = 300000, RingLog2 = 2 };

static tile_ring_t ring;
static tile_pka_t pka;
static tile_rsa_t rsa;

int main(void) {
  if (tile_app_open_ring(&ring, 0, RingLog2) != CRYPTILE_OK) {
    return 1;
  }
  cry_tile_pka_use(&pka, &ring, Limit);
  cry_tile_rsa_use(&rsa, &ring, Limit);
  cryptile_psa_set_engine(cry_tile_psa_engine(&pka, &rsa));
  return 0;
}
