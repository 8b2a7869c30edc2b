// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "ghash/ghash.h"

#include <string.h>

#include "bytes.h"

void ghash_init(ghash_state_t *state, const uint8_t key[GHASH_BLOCK]) {
  memset(state->y, 0, sizeof state->y);
  uint32_t carry = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t word = load32_be(key + 12 - 4 * i);
    state->h[i] = word << 1 | carry;
    carry = word >> 31;
  }
  // What falls out is x^-1 = x^127 + x^6 + x + 1.
  state->h[0] ^= carry;
  state->h[3] ^= 0xc2000000u & (0u - carry);
}

void ghash_update(ghash_state_t *state, const uint8_t *in, size_t len) {
  size_t whole = len / GHASH_BLOCK, rest = len % GHASH_BLOCK;
  if (whole != 0) {
    ghash_blocks(state, in, whole);
  }
  if (rest != 0) {
    _Alignas(8) uint8_t last[GHASH_BLOCK] = {0};
    memcpy(last, in + (len - rest), rest);
    ghash_blocks(state, last, 1);
  }
}

void ghash_value(const ghash_state_t *state, uint8_t out[GHASH_BLOCK]) {
  for (unsigned i = 0; i < 4; ++i) {
    store32_be(out + 4 * i, state->y[3 - i]);
  }
}
