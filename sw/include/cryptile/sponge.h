// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The state of a sponge on Keccak-f[1600], for the contexts of hashes and extendable outputs.
#ifndef CRYPTILE_SPONGE_H
#define CRYPTILE_SPONGE_H

#include <stdint.h>

// The size is public so that a caller can place it; the members are private.
typedef struct {
  uint64_t state[25];  // in the order of bits that the permutation at hand prefers
  uint8_t rate;        // bytes absorbed or squeezed per permutation
  uint8_t suffix;      // domain bits and the first bit of the padding
  uint8_t position;    // bytes of the rate that are used up
  uint8_t squeezing;   // the padding is in
} cryptile_sponge_t;

#endif  // CRYPTILE_SPONGE_H
