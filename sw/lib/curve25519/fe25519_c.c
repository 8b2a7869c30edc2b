// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Elements in eight 32-bit words.
#include "curve25519/fe25519.h"

#define MASK31 0x7fffffffu

// r = a + top * 2^255, where bit 255 of `a` goes up too; top is less than 2^30.
static void fold(uint32_t r[8], const uint32_t a[8], uint32_t top) {
  uint64_t carry = (uint64_t)19 * (top << 1 | a[7] >> 31);
  for (int i = 0; i < 7; i++) {
    carry += a[i];
    r[i] = (uint32_t)carry;
    carry >>= 32;
  }
  r[7] = (a[7] & MASK31) + (uint32_t)carry;
}

void cry_fe25519_mul_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  uint32_t t[16] = {0};
  for (int i = 0; i < 8; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 8; j++) {
      carry += (uint64_t)a[i] * b[j] + t[i + j];
      t[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    t[i + 8] = (uint32_t)carry;
  }
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (uint64_t)t[i + 8] * 38 + t[i];
    t[i] = (uint32_t)carry;
    carry >>= 32;
  }
  fold(r, t, (uint32_t)carry);
}

void cry_fe25519_sqrn_c(uint32_t r[8], const uint32_t a[8], uint32_t n) {
  cry_fe25519_mul_c(r, a, a);
  while (--n > 0) {
    cry_fe25519_mul_c(r, r, r);
  }
}

void cry_fe25519_add_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  uint32_t t[8];
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (uint64_t)a[i] + b[i];
    t[i] = (uint32_t)carry;
    carry >>= 32;
  }
  fold(r, t, (uint32_t)carry);
}

void cry_fe25519_sub_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]) {
  // a + 4 p - b, where 4 p = 2^257 - 76. Each word of 2^32 - 1 leaves carries from 0 to 1.
  uint32_t t[8];
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    const uint32_t word = i == 0 ? 0u - 76u : 0xffffffffu;
    carry += (uint64_t)word + a[i] - b[i] + (1ull << 32);
    t[i] = (uint32_t)carry;
    carry = (carry >> 32) - 1;
  }
  fold(r, t, (uint32_t)carry + 1);
}

void cry_fe25519_mul_small_c(uint32_t r[8], const uint32_t a[8], uint32_t b) {
  uint32_t t[8];
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (uint64_t)a[i] * b;
    t[i] = (uint32_t)carry;
    carry >>= 32;
  }
  fold(r, t, (uint32_t)carry);
}

void cry_fe25519_from_words_c(uint32_t r[8], const uint32_t a[8]) {
  for (int i = 0; i < 7; i++) {
    r[i] = a[i];
  }
  r[7] = a[7] & MASK31;
}

void cry_fe25519_to_words_c(uint32_t r[8], const uint32_t a[8]) {
  uint32_t t[8];
  fold(t, a, 0);
  // Now less than 2^255: it is p or more if adding 19 reaches 2^255.
  uint64_t carry = 19;
  for (int i = 0; i < 8; i++) {
    carry = (carry + t[i]) >> (i < 7 ? 32 : 31);
  }
  carry *= 19;
  for (int i = 0; i < 8; i++) {
    carry += t[i];
    r[i] = (uint32_t)carry;
    carry >>= 32;
  }
  r[7] &= MASK31;
}
