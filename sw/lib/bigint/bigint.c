// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "bigint/bigint.h"

word_t cry_bigint_add_c(word_t *r, const word_t *a, const word_t *b, size_t n) {
  wide_t carry = 0;
  for (size_t i = 0; i < n; i++) {
    carry += (wide_t)a[i] + b[i];
    r[i] = (word_t)carry;
    carry >>= WORD_BITS;
  }
  return (word_t)carry;
}

word_t cry_bigint_sub_c(word_t *r, const word_t *a, const word_t *b, size_t n) {
  word_t borrow = 0;
  for (size_t i = 0; i < n; i++) {
    const wide_t difference = (wide_t)a[i] - b[i] - borrow;
    r[i] = (word_t)difference;
    borrow = (word_t)(difference >> WORD_BITS) & 1;
  }
  return borrow;
}

void cry_bigint_mul_c(word_t *r, const word_t *a, const word_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    r[i] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    wide_t carry = 0;
    for (size_t j = 0; j < n; j++) {
      carry += (wide_t)a[i] * b[j] + r[i + j];
      r[i + j] = (word_t)carry;
      carry >>= WORD_BITS;
    }
    r[i + n] = (word_t)carry;
  }
}

void cry_bigint_cmov(word_t *r, const word_t *a, size_t n, word_t mask) {
  for (size_t i = 0; i < n; i++) {
    r[i] ^= mask & (r[i] ^ a[i]);
  }
}
