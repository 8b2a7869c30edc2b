// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Radix 2^32. As r is clamped, its words above the lowest are multiples of 4, and what such a word
// brings above 2^128 comes back below as the word times 5/4: exactly, without a shift of the sum.
// All column sums fit 64 bits: the words of r are below 2^28.
#include "bytes.h"
#include "poly1305/poly1305.h"

// Returns a * b. Without a multiplier, the compiler's own routine has run times that depend on the
// operands; this has not. There, b must be below 2^29.
static inline uint64_t multiply(uint32_t a, uint32_t b) {
#if defined __riscv && !defined __riscv_mul
  uint64_t product = 0;
  for (uint32_t bit = 1u << 28; bit != 0; bit >>= 1) {
    product = (product << 1) + (a & (0u - (uint32_t)((b & bit) != 0)));
  }
  return product;
#else
  return (uint64_t)a * b;
#endif
}

void cry_poly1305_blocks_c(poly1305_state_t *state, const uint8_t *in, size_t blocks,
                           uint32_t hibit) {
  const uint32_t *r = state->r;
  uint32_t s1 = r[1] + (r[1] >> 2), s2 = r[2] + (r[2] >> 2), s3 = r[3] + (r[3] >> 2);
  uint32_t *h = state->h;
  for (; blocks != 0; --blocks, in += POLY1305_BLOCK) {
    uint64_t d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      d += (uint64_t)h[i] + load32_le(in + 4 * i);
      h[i] = (uint32_t)d;
      d >>= 32;
    }
    h[4] += (uint32_t)d + hibit;  // at most 6

    uint64_t d0 =
        multiply(h[0], r[0]) + multiply(h[1], s3) + multiply(h[2], s2) + multiply(h[3], s1);
    uint64_t d1 = multiply(h[0], r[1]) + multiply(h[1], r[0]) + multiply(h[2], s3) +
                  multiply(h[3], s2) + multiply(h[4], s1);
    uint64_t d2 = multiply(h[0], r[2]) + multiply(h[1], r[1]) + multiply(h[2], r[0]) +
                  multiply(h[3], s3) + multiply(h[4], s2);
    uint64_t d3 = multiply(h[0], r[3]) + multiply(h[1], r[2]) + multiply(h[2], r[1]) +
                  multiply(h[3], r[0]) + multiply(h[4], s3);
    d1 += d0 >> 32;
    d2 += d1 >> 32;
    d3 += d2 >> 32;
    uint32_t top = (uint32_t)(d3 >> 32) + (uint32_t)multiply(h[4], r[0]);

    // What lies above 2^130 comes back below, times 5.
    d = (uint64_t)(uint32_t)d0 + (top & ~3u) + (top >> 2);
    h[0] = (uint32_t)d;
    d = (d >> 32) + (uint32_t)d1;
    h[1] = (uint32_t)d;
    d = (d >> 32) + (uint32_t)d2;
    h[2] = (uint32_t)d;
    d = (d >> 32) + (uint32_t)d3;
    h[3] = (uint32_t)d;
    h[4] = (top & 3) + (uint32_t)(d >> 32);
  }
}
