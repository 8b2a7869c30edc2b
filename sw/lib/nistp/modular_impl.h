// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <stddef.h>

#include "nistp/modular.h"

// Montgomery multiplication word by word (Koç, Acar, Kaliski, "Analyzing and comparing Montgomery
// multiplication algorithms", IEEE Micro 16(3), 1996: CIOS).
void modular_mul_c(word_t *r, const word_t *a, const word_t *b, const modulus_t *modulus) {
  word_t t[WORDS + 2] = {0};
  for (int i = 0; i < WORDS; i++) {
    wide_t carry = 0;
    for (int j = 0; j < WORDS; j++) {
      carry += (wide_t)a[i] * b[j] + t[j];
      t[j] = (word_t)carry;
      carry >>= WORD_BITS;
    }
    carry += t[WORDS];
    t[WORDS] = (word_t)carry;
    t[WORDS + 1] = (word_t)(carry >> WORD_BITS);

    word_t factor = t[0] * modulus->inverse;
    carry = ((wide_t)factor * modulus->m[0] + t[0]) >> WORD_BITS;
    for (int j = 1; j < WORDS; j++) {
      carry += (wide_t)factor * modulus->m[j] + t[j];
      t[j - 1] = (word_t)carry;
      carry >>= WORD_BITS;
    }
    carry += t[WORDS];
    t[WORDS - 1] = (word_t)carry;
    t[WORDS] = t[WORDS + 1] + (word_t)(carry >> WORD_BITS);
  }
  // t is less than 2 m; t[WORDS] is what lies above R.
  word_t reduced[WORDS];
  word_t less = words_sub(reduced, t, modulus->m) & (t[WORDS] - 1);
  words_select(reduced, t, less);
  for (int i = 0; i < WORDS; i++) {
    r[i] = reduced[i];
  }
}

void modular_sqr_c(word_t *r, const word_t *a, const modulus_t *modulus) {
  modular_mul_c(r, a, a, modulus);
}

void modular_add_c(word_t *r, const word_t *a, const word_t *b, const word_t *m) {
  word_t sum[WORDS];
  wide_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (wide_t)a[i] + b[i];
    sum[i] = (word_t)carry;
    carry >>= WORD_BITS;
  }
  word_t less = words_sub(r, sum, m) & ((word_t)carry - 1);
  words_select(r, sum, less);
}

void modular_sub_c(word_t *r, const word_t *a, const word_t *b, const word_t *m) {
  word_t negative = words_sub(r, a, b);
  wide_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (wide_t)r[i] + (m[i] & negative);
    r[i] = (word_t)carry;
    carry >>= WORD_BITS;
  }
}

word_t words_sub(word_t *r, const word_t *a, const word_t *m) {
  wide_t borrow = 0;
  for (int i = 0; i < WORDS; i++) {
    borrow = (wide_t)a[i] - m[i] - borrow;
    r[i] = (word_t)borrow;
    borrow = borrow >> WORD_BITS & 1;
  }
  return 0u - (word_t)borrow;
}

void words_from_bytes(word_t *r, const uint8_t bytes[CURVE_BYTES]) {
  enum { kBytes = sizeof(word_t), kWhole = CURVE_BYTES / kBytes, kRest = CURVE_BYTES % kBytes };
  for (int i = 0; i < WORDS; i++) {
    const int end = CURVE_BYTES - i * kBytes;  // -2 for the last word of P-521 on 32 bits
    word_t word = 0;
    for (int j = i < kWhole ? -kBytes : i == kWhole ? -kRest : 0; j < 0; j++) {
      word = word << 8 | bytes[end + j];
    }
    r[i] = word;
  }
}

void words_to_bytes(uint8_t bytes[CURVE_BYTES], const word_t *a) {
  for (size_t i = 0; i < CURVE_BYTES; i++) {
    bytes[CURVE_BYTES - 1 - i] = (uint8_t)(a[i / sizeof *a] >> (8 * (i % sizeof *a)));
  }
}

word_t words_are_zero(const word_t *a) {
  word_t any = 0;
  for (int i = 0; i < WORDS; i++) {
    any |= a[i];
  }
  return ((any | (0u - any)) >> (WORD_BITS - 1)) - 1;
}

void words_select(word_t *r, const word_t *a, word_t mask) {
  for (int i = 0; i < WORDS; i++) {
    r[i] ^= (r[i] ^ a[i]) & mask;
  }
}
