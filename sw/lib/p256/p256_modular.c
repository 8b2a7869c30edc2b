// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_modular.h"

#include <stddef.h>

// Montgomery multiplication word by word (Koç, Acar, Kaliski, "Analyzing and comparing Montgomery
// multiplication algorithms", IEEE Micro 16(3), 1996: CIOS).
void cry_p256_modular_mul_c(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                            const p256_modulus_t *modulus) {
  p256_word_t t[P256_WORDS + 2] = {0};
  for (int i = 0; i < P256_WORDS; i++) {
    p256_wide_t carry = 0;
    for (int j = 0; j < P256_WORDS; j++) {
      carry += (p256_wide_t)a[i] * b[j] + t[j];
      t[j] = (p256_word_t)carry;
      carry >>= P256_WORD_BITS;
    }
    carry += t[P256_WORDS];
    t[P256_WORDS] = (p256_word_t)carry;
    t[P256_WORDS + 1] = (p256_word_t)(carry >> P256_WORD_BITS);

    p256_word_t factor = t[0] * modulus->inverse;
    carry = ((p256_wide_t)factor * modulus->m[0] + t[0]) >> P256_WORD_BITS;
    for (int j = 1; j < P256_WORDS; j++) {
      carry += (p256_wide_t)factor * modulus->m[j] + t[j];
      t[j - 1] = (p256_word_t)carry;
      carry >>= P256_WORD_BITS;
    }
    carry += t[P256_WORDS];
    t[P256_WORDS - 1] = (p256_word_t)carry;
    t[P256_WORDS] = t[P256_WORDS + 1] + (p256_word_t)(carry >> P256_WORD_BITS);
  }
  // t is less than 2 m; t[P256_WORDS] is its bit 256.
  p256_word_t reduced[P256_WORDS];
  p256_word_t less = cry_p256_words_sub(reduced, t, modulus->m) & (t[P256_WORDS] - 1);
  cry_p256_words_select(reduced, t, less);
  for (int i = 0; i < P256_WORDS; i++) {
    r[i] = reduced[i];
  }
}

void cry_p256_modular_add(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                          const p256_word_t *m) {
  p256_word_t sum[P256_WORDS];
  p256_wide_t carry = 0;
  for (int i = 0; i < P256_WORDS; i++) {
    carry += (p256_wide_t)a[i] + b[i];
    sum[i] = (p256_word_t)carry;
    carry >>= P256_WORD_BITS;
  }
  p256_word_t less = cry_p256_words_sub(r, sum, m) & ((p256_word_t)carry - 1);
  cry_p256_words_select(r, sum, less);
}

void cry_p256_modular_sub(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                          const p256_word_t *m) {
  p256_word_t negative = cry_p256_words_sub(r, a, b);
  p256_wide_t carry = 0;
  for (int i = 0; i < P256_WORDS; i++) {
    carry += (p256_wide_t)r[i] + (m[i] & negative);
    r[i] = (p256_word_t)carry;
    carry >>= P256_WORD_BITS;
  }
}

p256_word_t cry_p256_words_sub(p256_word_t *r, const p256_word_t *a, const p256_word_t *m) {
  p256_wide_t borrow = 0;
  for (int i = 0; i < P256_WORDS; i++) {
    borrow = (p256_wide_t)a[i] - m[i] - borrow;
    r[i] = (p256_word_t)borrow;
    borrow = borrow >> P256_WORD_BITS & 1;
  }
  return 0u - (p256_word_t)borrow;
}

void cry_p256_words_from_bytes(p256_word_t *r, const uint8_t bytes[32]) {
  for (int i = 0; i < P256_WORDS; i++) {
    const uint8_t *end = bytes + 32 - i * (int)sizeof *r;
    p256_word_t word = 0;
    for (int j = -(int)sizeof *r; j < 0; j++) {
      word = word << 8 | end[j];
    }
    r[i] = word;
  }
}

void cry_p256_words_to_bytes(uint8_t bytes[32], const p256_word_t *a) {
  for (size_t i = 0; i < 32; i++) {
    bytes[31 - i] = (uint8_t)(a[i / sizeof *a] >> (8 * (i % sizeof *a)));
  }
}

p256_word_t cry_p256_words_are_zero(const p256_word_t *a) {
  p256_word_t any = 0;
  for (int i = 0; i < P256_WORDS; i++) {
    any |= a[i];
  }
  return ((any | (0u - any)) >> (P256_WORD_BITS - 1)) - 1;
}

void cry_p256_words_select(p256_word_t *r, const p256_word_t *a, p256_word_t mask) {
  for (int i = 0; i < P256_WORDS; i++) {
    r[i] ^= (r[i] ^ a[i]) & mask;
  }
}
