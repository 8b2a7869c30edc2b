// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Elements in five limbs of 51 bits, with 128-bit products.
#include "curve25519/fe25519.h"

#if defined(__SIZEOF_INT128__)

#define MASK51 0x7ffffffffffffull

__extension__ typedef unsigned __int128 wide_t;

// Brings limbs below 2^63 down to 51 bits, limb 0 to a little more.
static inline void carry_limbs(uint64_t r[5], const uint64_t a[5]) {
  uint64_t carry = 0;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const uint64_t limb = a[i] + carry;
    r[i] = limb & MASK51;
    carry = limb >> 51;
  }
  r[0] += 19 * carry;
}

static inline void carry_wide(uint64_t r[5], const wide_t t[5]) {
  wide_t carry = 0;
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const wide_t limb = t[i] + carry;
    r[i] = (uint64_t)limb & MASK51;
    carry = limb >> 51;
  }
  // The carry may have 64 bits and more: limb 0 passes on what it cannot hold.
  const wide_t lowest = carry * 19 + r[0];
  r[0] = (uint64_t)lowest & MASK51;
  r[1] += (uint64_t)(lowest >> 51);
}

void cry_fe25519_mul_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]) {
  const uint64_t b1 = 19 * b[1], b2 = 19 * b[2], b3 = 19 * b[3], b4 = 19 * b[4];
  const wide_t t[5] = {
      (wide_t)a[0] * b[0] + (wide_t)a[1] * b4 + (wide_t)a[2] * b3 + (wide_t)a[3] * b2 +
          (wide_t)a[4] * b1,
      (wide_t)a[0] * b[1] + (wide_t)a[1] * b[0] + (wide_t)a[2] * b4 + (wide_t)a[3] * b3 +
          (wide_t)a[4] * b2,
      (wide_t)a[0] * b[2] + (wide_t)a[1] * b[1] + (wide_t)a[2] * b[0] + (wide_t)a[3] * b4 +
          (wide_t)a[4] * b3,
      (wide_t)a[0] * b[3] + (wide_t)a[1] * b[2] + (wide_t)a[2] * b[1] + (wide_t)a[3] * b[0] +
          (wide_t)a[4] * b4,
      (wide_t)a[0] * b[4] + (wide_t)a[1] * b[3] + (wide_t)a[2] * b[2] + (wide_t)a[3] * b[1] +
          (wide_t)a[4] * b[0],
  };
  carry_wide(r, t);
}

static void sqr(uint64_t r[5], const uint64_t a[5]) {
  const uint64_t d0 = 2 * a[0], d1 = 2 * a[1], d2 = 2 * a[2];
  const uint64_t a3 = 19 * a[3], a4 = 19 * a[4];
  const wide_t t[5] = {
      (wide_t)a[0] * a[0] + (wide_t)d1 * a4 + (wide_t)d2 * a3,
      (wide_t)d0 * a[1] + (wide_t)d2 * a4 + (wide_t)a[3] * a3,
      (wide_t)d0 * a[2] + (wide_t)a[1] * a[1] + (wide_t)(2 * a[3]) * a4,
      (wide_t)d0 * a[3] + (wide_t)d1 * a[2] + (wide_t)a[4] * a4,
      (wide_t)d0 * a[4] + (wide_t)d1 * a[3] + (wide_t)a[2] * a[2],
  };
  carry_wide(r, t);
}

void cry_fe25519_sqrn_51(uint64_t r[5], const uint64_t a[5], uint32_t n) {
  sqr(r, a);
  while (--n > 0) {
    sqr(r, r);
  }
}

void cry_fe25519_add_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]) {
  uint64_t t[5];
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    t[i] = a[i] + b[i];
  }
  carry_limbs(r, t);
}

void cry_fe25519_sub_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]) {
  // 4 p, whose limbs are all greater than those of b.
  uint64_t t[5];
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    t[i] = a[i] + 4 * MASK51 - (i == 0 ? 72 : 0) - b[i];
  }
  carry_limbs(r, t);
}

void cry_fe25519_mul_small_51(uint64_t r[5], const uint64_t a[5], uint32_t b) {
  wide_t t[5];
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    t[i] = (wide_t)a[i] * b;
  }
  carry_wide(r, t);
}

void cry_fe25519_from_words_51(uint64_t r[5], const uint32_t a[8]) {
  uint64_t w[4];
  for (int i = 0; i < 4; i++) {
    w[i] = a[2 * i] | (uint64_t)a[2 * i + 1] << 32;
  }
  r[0] = w[0] & MASK51;
  r[1] = (w[0] >> 51 | w[1] << 13) & MASK51;
  r[2] = (w[1] >> 38 | w[2] << 26) & MASK51;
  r[3] = (w[2] >> 25 | w[3] << 39) & MASK51;
  r[4] = w[3] >> 12 & MASK51;
}

void cry_fe25519_to_words_51(uint32_t r[8], const uint64_t a[5]) {
  uint64_t t[5];
  carry_limbs(t, a);
  carry_limbs(t, t);
  // Now less than 2^255 + 2^51: what adding 19 carries out of bit 254 is the quotient.
  uint64_t quotient = 19;
  for (int i = 0; i < 5; i++) {
    quotient = (quotient + t[i]) >> 51;
  }
  uint64_t carry = 19 * quotient;
  for (int i = 0; i < 5; i++) {
    carry += t[i];
    t[i] = carry & MASK51;
    carry >>= 51;
  }
  const uint64_t w[4] = {
      t[0] | t[1] << 51,
      t[1] >> 13 | t[2] << 38,
      t[2] >> 26 | t[3] << 25,
      t[3] >> 39 | t[4] << 12,
  };
  for (int i = 0; i < 4; i++) {
    r[2 * i] = (uint32_t)w[i];
    r[2 * i + 1] = (uint32_t)(w[i] >> 32);
  }
}

#endif
