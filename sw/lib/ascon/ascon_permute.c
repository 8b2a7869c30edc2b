// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "ascon/ascon.h"
#include "ascon/lanes.h"

static uint64_t rotate(uint64_t x, unsigned n) {
  return x >> n | x << (64 - n);
}

static void permute(uint64_t x[5], unsigned rounds) {
  for (unsigned round = 12 - rounds; round < 12; round++) {
    x[2] ^= (15 - round) << 4 | round;
    x[0] ^= x[4];
    x[4] ^= x[3];
    x[2] ^= x[1];
    uint64_t t[5];
    for (unsigned n = 0; n < 5; n++)
      t[n] = ~x[n] & x[(n + 1) % 5];
    for (unsigned n = 0; n < 5; n++)
      x[n] ^= t[(n + 1) % 5];
    x[1] ^= x[0];
    x[0] ^= x[4];
    x[3] ^= x[2];
    x[2] = ~x[2];
    x[0] ^= rotate(x[0], 19) ^ rotate(x[0], 28);
    x[1] ^= rotate(x[1], 61) ^ rotate(x[1], 39);
    x[2] ^= rotate(x[2], 1) ^ rotate(x[2], 6);
    x[3] ^= rotate(x[3], 10) ^ rotate(x[3], 17);
    x[4] ^= rotate(x[4], 7) ^ rotate(x[4], 41);
  }
}

void cry_ascon_permute_c(uint64_t state[5], unsigned rounds) {
  for (unsigned n = 0; n < 5; n++)
    state[n] = ascon_from_state(state[n]);
  permute(state, rounds);
  for (unsigned n = 0; n < 5; n++)
    state[n] = ascon_to_state(state[n]);
}

void cry_ascon_blocks_c(uint64_t state[5], const void *in, void *out, size_t blocks, int mode) {
  const uint8_t *from = in;
  uint8_t *to = out;
  for (; blocks != 0; blocks--) {
    for (unsigned n = 0; n < 2; n++, from += 8) {
      const uint64_t word = ascon_load_lane(from), mixed = ascon_from_state(state[n]) ^ word;
      if (mode != ASCON_ABSORB) {
        ascon_store_lane(to, mixed);
        to += 8;
      }
      state[n] = ascon_to_state(mode == ASCON_DECRYPT ? word : mixed);
    }
    cry_ascon_permute_c(state, 8);
  }
}
