// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What is the same for every representation of elements.
#include "curve25519/fe25519.h"

#include "bytes.h"

void cry_fe25519_copy(fe25519_t r, const fe25519_t a) {
#pragma GCC unroll 8
  for (int i = 0; i < FE25519_WORDS; i++) {
    r[i] = a[i];
  }
}

void cry_fe25519_set(fe25519_t r, uint32_t a) {
  r[0] = a;
  for (int i = 1; i < FE25519_WORDS; i++) {
    r[i] = 0;
  }
}

void cry_fe25519_cmov(fe25519_t r, const fe25519_t a, fe25519_word_t mask) {
#pragma GCC unroll 8
  for (int i = 0; i < FE25519_WORDS; i++) {
    r[i] ^= mask & (r[i] ^ a[i]);
  }
}

void cry_fe25519_from_bytes(fe25519_t r, const uint8_t bytes[32]) {
  uint32_t words[8];
  for (int i = 0; i < 8; i++) {
    words[i] = load32_le(bytes + 4 * i);
  }
  cry_fe25519_from_words(r, words);
}

void cry_fe25519_to_bytes(uint8_t bytes[32], const fe25519_t a) {
  uint32_t words[8];
  cry_fe25519_to_words(words, a);
  for (int i = 0; i < 8; i++) {
    store32_le(bytes + 4 * i, words[i]);
  }
}

uint32_t cry_fe25519_is_zero(const fe25519_t a) {
  uint32_t words[8];
  cry_fe25519_to_words(words, a);
  uint32_t any = 0;
  for (int i = 0; i < 8; i++) {
    any |= words[i];
  }
  return 1 ^ (any | (0 - any)) >> 31;
}

uint32_t cry_fe25519_is_odd(const fe25519_t a) {
  uint32_t words[8];
  cry_fe25519_to_words(words, a);
  return words[0] & 1;
}

// r = a^(2^250 - 1), a11 = a^11: eleven multiplications for the whole inversion.
static void pow_2_250_1(fe25519_t r, fe25519_t a11, const fe25519_t a) {
  fe25519_t t, x;
  cry_fe25519_sqrn(t, a, 1);    // 2
  cry_fe25519_sqrn(x, t, 2);    // 8
  cry_fe25519_mul(x, x, a);     // 9
  cry_fe25519_mul(a11, x, t);   // 11
  cry_fe25519_sqrn(t, a11, 1);  // 22
  cry_fe25519_mul(x, t, x);     // 31 = 2^5 - 1
  cry_fe25519_sqrn(t, x, 5);
  cry_fe25519_mul(x, t, x);  // 2^10 - 1
  cry_fe25519_sqrn(t, x, 10);
  cry_fe25519_mul(t, t, x);  // 2^20 - 1
  cry_fe25519_sqrn(r, t, 20);
  cry_fe25519_mul(t, r, t);  // 2^40 - 1
  cry_fe25519_sqrn(t, t, 10);
  cry_fe25519_mul(x, t, x);  // 2^50 - 1
  cry_fe25519_sqrn(t, x, 50);
  cry_fe25519_mul(t, t, x);  // 2^100 - 1
  cry_fe25519_sqrn(r, t, 100);
  cry_fe25519_mul(t, r, t);  // 2^200 - 1
  cry_fe25519_sqrn(t, t, 50);
  cry_fe25519_mul(r, t, x);  // 2^250 - 1
}

void cry_fe25519_invert(fe25519_t r, const fe25519_t a) {
  fe25519_t t, a11;
  pow_2_250_1(t, a11, a);
  cry_fe25519_sqrn(t, t, 5);
  cry_fe25519_mul(r, t, a11);  // 2^255 - 21 = p - 2
}

void cry_fe25519_pow22523(fe25519_t r, const fe25519_t a) {
  fe25519_t t, a11;
  pow_2_250_1(t, a11, a);
  cry_fe25519_sqrn(t, t, 2);
  cry_fe25519_mul(r, t, a);  // 2^252 - 3
}
