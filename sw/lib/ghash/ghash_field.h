// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the portable versions of GHASH share.
#ifndef CRYPTILE_LIB_GHASH_FIELD_H
#define CRYPTILE_LIB_GHASH_FIELD_H

#include <stdint.h>

#include "bytes.h"

// Adds a block to y.
static inline void ghash_add_block(uint32_t y[4], const uint8_t *in) {
  for (unsigned i = 0; i < 4; ++i) {
    y[i] ^= load32_be(in + 12 - 4 * i);
  }
}

// Sets y to a product: its upper half plus its lower half, reduced word by word with
// x^128 = x^7 + x^2 + x + 1.
static inline void ghash_reduce(uint32_t y[4], uint32_t z[8]) {
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t w = z[i];
    z[i + 3] ^= w << 25 ^ w << 30 ^ w << 31;
    z[i + 4] ^= w >> 7 ^ w >> 2 ^ w >> 1 ^ w;
  }
  for (unsigned i = 0; i < 4; ++i) {
    y[i] = z[i + 4];
  }
}

#endif  // CRYPTILE_LIB_GHASH_FIELD_H
