// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_field.h"

static const p256_modulus_t kPrime = {
    {P256_WORD(0xffffffff, 0xffffffff), P256_WORD(0xffffffff, 0x00000000),
     P256_WORD(0x00000000, 0x00000000), P256_WORD(0x00000001, 0xffffffff)},
    {P256_WORD(0x00000003, 0x00000000), P256_WORD(0xffffffff, 0xfffffffb),
     P256_WORD(0xfffffffe, 0xffffffff), P256_WORD(0xfffffffd, 0x00000004)},
    1};

const p256_fe_t cry_p256_fe_zero = {{0}};
const p256_fe_t cry_p256_fe_one = {
    {P256_WORD(0x00000001, 0x00000000), P256_WORD(0x00000000, 0xffffffff),
     P256_WORD(0xffffffff, 0xffffffff), P256_WORD(0xfffffffe, 0x00000000)}};

void cry_p256_mul_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b) {
  cry_p256_modular_mul(r->w, a->w, b->w, &kPrime);
}

void cry_p256_sqr_c(p256_fe_t *r, const p256_fe_t *a) {
  cry_p256_modular_mul(r->w, a->w, a->w, &kPrime);
}

void cry_p256_add_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b) {
  cry_p256_modular_add(r->w, a->w, b->w, kPrime.m);
}

void cry_p256_sub_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b) {
  cry_p256_modular_sub(r->w, a->w, b->w, kPrime.m);
}

void cry_p256_double_c(p256_fe_t *r, const p256_fe_t *a) {
  cry_p256_add_c(r, a, a);
}

void cry_p256_triple_c(p256_fe_t *r, const p256_fe_t *a) {
  p256_fe_t twice;
  cry_p256_add_c(&twice, a, a);
  cry_p256_add_c(r, &twice, a);
}

void cry_p256_half_c(p256_fe_t *r, const p256_fe_t *a) {
  p256_word_t odd = 0u - (a->w[0] & 1);
  p256_word_t sum[P256_WORDS + 1];
  p256_wide_t carry = 0;
  for (int i = 0; i < P256_WORDS; i++) {
    carry += (p256_wide_t)a->w[i] + (kPrime.m[i] & odd);
    sum[i] = (p256_word_t)carry;
    carry >>= P256_WORD_BITS;
  }
  sum[P256_WORDS] = (p256_word_t)carry;
  for (int i = 0; i < P256_WORDS; i++) {
    r->w[i] = sum[i] >> 1 | sum[i + 1] << (P256_WORD_BITS - 1);
  }
}

// r = a^(2^squarings) * b
static void raise_mul(p256_fe_t *r, const p256_fe_t *a, int squarings, const p256_fe_t *b) {
  p256_fe_t t = *a;
  for (int i = 0; i < squarings; i++) {
    cry_p256_sqr(&t, &t);
  }
  cry_p256_mul(r, &t, b);
}

// a^(p - 2) (Fermat). eN stands for a^(2^N - 1); the exponent is, in words from the top,
// ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff fffffffd.
void cry_p256_invert(p256_fe_t *r, const p256_fe_t *a) {
  p256_fe_t e2, e4, e6, e8, e14, e16, e30, e32, t;
  raise_mul(&e2, a, 1, a);
  raise_mul(&e4, &e2, 2, &e2);
  raise_mul(&e6, &e4, 2, &e2);
  raise_mul(&e8, &e4, 4, &e4);
  raise_mul(&e14, &e8, 6, &e6);
  raise_mul(&e16, &e8, 8, &e8);
  raise_mul(&e30, &e16, 14, &e14);
  raise_mul(&e32, &e16, 16, &e16);
  raise_mul(&t, &e32, 32, a);
  raise_mul(&t, &t, 128, &e32);
  raise_mul(&t, &t, 32, &e32);
  raise_mul(&t, &t, 30, &e30);
  raise_mul(r, &t, 2, a);
}

bool cry_p256_fe_from_bytes(p256_fe_t *r, const uint8_t bytes[32]) {
  p256_word_t reduced[P256_WORDS];
  cry_p256_words_from_bytes(r->w, bytes);
  p256_word_t less = cry_p256_words_sub(reduced, r->w, kPrime.m);
  cry_p256_modular_mul(r->w, r->w, kPrime.square, &kPrime);
  return less != 0;
}

void cry_p256_fe_to_bytes(uint8_t bytes[32], const p256_fe_t *a) {
  static const p256_fe_t kOne = {{1}};
  p256_fe_t plain;
  cry_p256_mul(&plain, a, &kOne);
  cry_p256_words_to_bytes(bytes, plain.w);
}

p256_word_t cry_p256_fe_is_zero(const p256_fe_t *a) {
  return cry_p256_words_are_zero(a->w);
}

p256_word_t cry_p256_fe_equal(const p256_fe_t *a, const p256_fe_t *b) {
  p256_fe_t difference;
  cry_p256_sub(&difference, a, b);
  return cry_p256_fe_is_zero(&difference);
}

void cry_p256_fe_select(p256_fe_t *r, const p256_fe_t *a, p256_word_t mask) {
  cry_p256_words_select(r->w, a->w, mask);
}
