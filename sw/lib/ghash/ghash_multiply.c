// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Carry-less products from integer products of numbers with holes: with every fourth bit kept, at
// most 8 ones meet in a bit of the product of two words, so carries stay within three bits above it
// and are masked away. (The idea is that of BearSSL's "ctmul".) Words are put together by
// Karatsuba's method, twice.
#if !defined __riscv || defined __riscv_mul
#include "ghash/ghash.h"
#include "ghash/ghash_field.h"

static inline uint64_t multiply(uint32_t a, uint32_t b) {
  const uint32_t hole = 0x11111111u;
  uint32_t a0 = a & hole, a1 = a & hole << 1, a2 = a & hole << 2, a3 = a & hole << 3;
  uint32_t b0 = b & hole, b1 = b & hole << 1, b2 = b & hole << 2, b3 = b & hole << 3;
  uint64_t z0 = (uint64_t)a0 * b0 ^ (uint64_t)a1 * b3 ^ (uint64_t)a2 * b2 ^ (uint64_t)a3 * b1;
  uint64_t z1 = (uint64_t)a0 * b1 ^ (uint64_t)a1 * b0 ^ (uint64_t)a2 * b3 ^ (uint64_t)a3 * b2;
  uint64_t z2 = (uint64_t)a0 * b2 ^ (uint64_t)a1 * b1 ^ (uint64_t)a2 * b0 ^ (uint64_t)a3 * b3;
  uint64_t z3 = (uint64_t)a0 * b3 ^ (uint64_t)a1 * b2 ^ (uint64_t)a2 * b1 ^ (uint64_t)a3 * b0;
  const uint64_t wide = 0x1111111111111111u;
  return (z0 & wide) | (z1 & wide << 1) | (z2 & wide << 2) | (z3 & wide << 3);
}

// Sets z to a * b.
static inline void multiply2(uint32_t z[4], uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
  uint64_t low = multiply(a0, b0);
  uint64_t high = multiply(a1, b1);
  uint64_t middle = multiply(a0 ^ a1, b0 ^ b1) ^ low ^ high;
  z[0] = (uint32_t)low;
  z[1] = (uint32_t)(low >> 32) ^ (uint32_t)middle;
  z[2] = (uint32_t)high ^ (uint32_t)(middle >> 32);
  z[3] = (uint32_t)(high >> 32);
}

void cry_ghash_blocks_multiply_c(ghash_state_t *state, const uint8_t *in, size_t blocks) {
  uint32_t *y = state->y;
  const uint32_t *h = state->h;
  for (; blocks != 0; --blocks, in += GHASH_BLOCK) {
    ghash_add_block(y, in);
    uint32_t z[8], middle[4];
    multiply2(z, y[0], y[1], h[0], h[1]);
    multiply2(z + 4, y[2], y[3], h[2], h[3]);
    multiply2(middle, y[0] ^ y[2], y[1] ^ y[3], h[0] ^ h[2], h[1] ^ h[3]);
    for (unsigned i = 0; i < 4; ++i) {
      middle[i] ^= z[i] ^ z[i + 4];
    }
    for (unsigned i = 0; i < 4; ++i) {
      z[i + 2] ^= middle[i];
    }
    ghash_reduce(y, z);
  }
}
#endif
