// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "bytes.h"
#include "chacha20/chacha20.h"

static uint32_t rotl(uint32_t x, unsigned n) {
  return x << n | x >> (32 - n);
}

static inline void quarter_round(uint32_t x[16], unsigned a, unsigned b, unsigned c, unsigned d) {
  x[a] += x[b];
  x[d] = rotl(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = rotl(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = rotl(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = rotl(x[b] ^ x[c], 7);
}

void cry_chacha20_blocks_c(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks) {
  for (; blocks != 0; --blocks, in += CHACHA20_BLOCK, out += CHACHA20_BLOCK) {
    uint32_t x[16];
    for (unsigned i = 0; i < 16; ++i) {
      x[i] = state[i];
    }
    for (unsigned round = 0; round < 20; round += 2) {
      quarter_round(x, 0, 4, 8, 12);
      quarter_round(x, 1, 5, 9, 13);
      quarter_round(x, 2, 6, 10, 14);
      quarter_round(x, 3, 7, 11, 15);
      quarter_round(x, 0, 5, 10, 15);
      quarter_round(x, 1, 6, 11, 12);
      quarter_round(x, 2, 7, 8, 13);
      quarter_round(x, 3, 4, 9, 14);
    }
    for (unsigned i = 0; i < 16; ++i) {
      store32_le(out + 4 * i, load32_le(in + 4 * i) ^ (x[i] + state[i]));
    }
    ++state[12];
  }
}
