// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "nistp/scalar.h"

bool scalar_from_bytes(scalar_t *r, const uint8_t bytes[CURVE_BYTES]) {
  word_t reduced[WORDS];
  words_from_bytes(r->w, bytes);
  word_t less = words_sub(reduced, r->w, order.m);
  return (less & ~words_are_zero(r->w)) != 0;
}

void scalar_from_number(scalar_t *r, const uint8_t bytes[CURVE_BYTES]) {
  word_t reduced[WORDS];
  words_from_bytes(r->w, bytes);
  word_t less = words_sub(reduced, r->w, order.m);
  words_select(r->w, reduced, ~less);
}

void scalar_leftmost(uint8_t bytes[CURVE_BYTES]) {
  enum { kSpare = 8 * CURVE_BYTES - CURVE_BITS };
  if (kSpare > 0) {
    for (int i = CURVE_BYTES - 1; i >= 0; i--) {
      uint8_t above = i > 0 ? bytes[i - 1] : 0;
      bytes[i] = (uint8_t)((above << 8 | bytes[i]) >> kSpare);
    }
  }
}

void scalar_from_hash(scalar_t *r, const uint8_t *hash, size_t len) {
  uint8_t bytes[CURVE_BYTES] = {0};
  size_t used = len < sizeof bytes ? len : sizeof bytes;
  memcpy(bytes + sizeof bytes - used, hash, used);
  if (used == sizeof bytes) {
    scalar_leftmost(bytes);
  }
  scalar_from_number(r, bytes);
}

void scalar_to_bytes(uint8_t bytes[CURVE_BYTES], const scalar_t *a) {
  words_to_bytes(bytes, a->w);
}

void scalar_mul(scalar_t *r, const scalar_t *a, const scalar_t *b) {
  word_t t[WORDS];
  modular_mul(t, a->w, order.square, &order);
  modular_mul(r->w, t, b->w, &order);
}

void scalar_add(scalar_t *r, const scalar_t *a, const scalar_t *b) {
  modular_add(r->w, a->w, b->w, order.m);
}

// a^(n - 2) (Fermat), four bits of the public exponent at a time.
void scalar_invert(scalar_t *r, const scalar_t *a) {
  enum { kDigits = WORD_BITS / 4 };
  static const word_t kOne[WORDS] = {1};
  word_t powers[16][WORDS];  // a^i in Montgomery form
  word_t t[WORDS];
  modular_mul(powers[0], order.square, kOne, &order);
  modular_mul(powers[1], order.square, a->w, &order);
  for (int i = 2; i < 16; i++) {
    modular_mul(powers[i], powers[i - 1], powers[1], &order);
  }
  memcpy(t, powers[0], sizeof t);
  for (int position = CURVE_DIGITS - 1; position >= 0; position--) {
    for (int i = 0; i < 4; i++) {
      modular_sqr(t, t, &order);
    }
    // n - 2 differs from n in the lowest word only, without a borrow.
    word_t word = order.m[position / kDigits] - (position < kDigits ? 2 : 0);
    modular_mul(t, t, powers[(word >> (4 * (position % kDigits))) & 15], &order);
  }
  modular_mul(r->w, t, kOne, &order);
}

word_t scalar_make_odd(scalar_t *r, const scalar_t *a) {
  word_t negated[WORDS];
  word_t even = (a->w[0] & 1) - 1;
  words_sub(negated, order.m, a->w);
  *r = *a;
  words_select(r->w, negated, even);
  return even;
}
