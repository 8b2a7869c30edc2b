// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "nistp/field.h"

void fe_mul_c(fe_t *r, const fe_t *a, const fe_t *b) {
  modular_mul(r->w, a->w, b->w, &kPrime);
}

void fe_sqr_c(fe_t *r, const fe_t *a) {
  modular_sqr(r->w, a->w, &kPrime);
}

void fe_add_c(fe_t *r, const fe_t *a, const fe_t *b) {
  modular_add(r->w, a->w, b->w, kPrime.m);
}

void fe_sub_c(fe_t *r, const fe_t *a, const fe_t *b) {
  modular_sub(r->w, a->w, b->w, kPrime.m);
}

void fe_double_c(fe_t *r, const fe_t *a) {
  fe_add_c(r, a, a);
}

void fe_triple_c(fe_t *r, const fe_t *a) {
  fe_t twice;
  fe_add_c(&twice, a, a);
  fe_add_c(r, &twice, a);
}

void fe_half_c(fe_t *r, const fe_t *a) {
  word_t odd = 0u - (a->w[0] & 1);
  word_t sum[WORDS + 1];
  wide_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (wide_t)a->w[i] + (kPrime.m[i] & odd);
    sum[i] = (word_t)carry;
    carry >>= WORD_BITS;
  }
  sum[WORDS] = (word_t)carry;
  for (int i = 0; i < WORDS; i++) {
    r->w[i] = sum[i] >> 1 | sum[i + 1] << (WORD_BITS - 1);
  }
}

// r = a^(2^squarings) * b
static void raise_mul(fe_t *r, const fe_t *a, int squarings, const fe_t *b) {
  fe_t t = *a;
  for (int i = 0; i < squarings; i++) {
    fe_sqr(&t, &t);
  }
  fe_mul(r, &t, b);
}

bool fe_from_bytes(fe_t *r, const uint8_t bytes[CURVE_BYTES]) {
  word_t reduced[WORDS];
  words_from_bytes(r->w, bytes);
  word_t less = words_sub(reduced, r->w, kPrime.m);
  modular_mul(r->w, r->w, kPrime.square, &kPrime);
  return less != 0;
}

void fe_to_bytes(uint8_t bytes[CURVE_BYTES], const fe_t *a) {
  static const fe_t kOne = {{1}};
  fe_t plain;
  fe_mul(&plain, a, &kOne);
  words_to_bytes(bytes, plain.w);
}

word_t fe_is_zero(const fe_t *a) {
  return words_are_zero(a->w);
}

word_t fe_equal(const fe_t *a, const fe_t *b) {
  fe_t difference;
  fe_sub(&difference, a, b);
  return fe_is_zero(&difference);
}

void fe_select(fe_t *r, const fe_t *a, word_t mask) {
  words_select(r->w, a->w, mask);
}
