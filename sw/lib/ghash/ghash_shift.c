// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Bit by bit, the same bit of all four words of y at once: 32 doublings of the product.
#include "ghash/ghash.h"
#include "ghash/ghash_field.h"

void cry_ghash_blocks_shift_c(ghash_state_t *state, const uint8_t *in, size_t blocks) {
  uint32_t y[4] = {state->y[0], state->y[1], state->y[2], state->y[3]};
  const uint32_t h[4] = {state->h[0], state->h[1], state->h[2], state->h[3]};
  for (; blocks != 0; --blocks, in += GHASH_BLOCK) {
    ghash_add_block(y, in);
    uint32_t z[8] = {0};
    for (unsigned bit = 0; bit < 32; ++bit) {
      for (unsigned i = 7; i > 0; --i) {
        z[i] = z[i] << 1 | z[i - 1] >> 31;
      }
      z[0] <<= 1;
      for (unsigned i = 0; i < 4; ++i) {
        uint32_t mask = 0u - (y[i] >> 31);
        y[i] <<= 1;
        for (unsigned j = 0; j < 4; ++j) {
          z[i + j] ^= h[j] & mask;
        }
      }
    }
    ghash_reduce(y, z);
  }
  for (unsigned i = 0; i < 4; ++i) {
    state->y[i] = y[i];
  }
}
