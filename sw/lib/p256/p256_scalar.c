// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_scalar.h"

#include <string.h>

const p256_modulus_t cry_p256_order = {
    {P256_WORD(0xfc632551, 0xf3b9cac2), P256_WORD(0xa7179e84, 0xbce6faad),
     P256_WORD(0xffffffff, 0xffffffff), P256_WORD(0x00000000, 0xffffffff)},
    {P256_WORD(0xbe79eea2, 0x83244c95), P256_WORD(0x49bd6fa6, 0x4699799c),
     P256_WORD(0x2b6bec59, 0x2845b239), P256_WORD(0xf3d95620, 0x66e12d94)},
    (p256_word_t)0xccd1c8aaee00bc4f};

bool cry_p256_scalar_from_bytes(p256_scalar_t *r, const uint8_t bytes[32]) {
  p256_word_t reduced[P256_WORDS];
  cry_p256_words_from_bytes(r->w, bytes);
  p256_word_t less = cry_p256_words_sub(reduced, r->w, cry_p256_order.m);
  return (less & ~cry_p256_words_are_zero(r->w)) != 0;
}

void cry_p256_scalar_from_hash(p256_scalar_t *r, const uint8_t *hash, size_t len) {
  uint8_t bytes[32] = {0};
  p256_word_t reduced[P256_WORDS];
  size_t used = len < sizeof bytes ? len : sizeof bytes;
  memcpy(bytes + sizeof bytes - used, hash, used);
  cry_p256_words_from_bytes(r->w, bytes);
  p256_word_t less = cry_p256_words_sub(reduced, r->w, cry_p256_order.m);
  cry_p256_words_select(r->w, reduced, ~less);
}

void cry_p256_scalar_to_bytes(uint8_t bytes[32], const p256_scalar_t *a) {
  cry_p256_words_to_bytes(bytes, a->w);
}

void cry_p256_scalar_mul(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b) {
  p256_word_t t[P256_WORDS];
  cry_p256_modular_mul(t, a->w, cry_p256_order.square, &cry_p256_order);
  cry_p256_modular_mul(r->w, t, b->w, &cry_p256_order);
}

void cry_p256_scalar_add(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b) {
  cry_p256_modular_add(r->w, a->w, b->w, cry_p256_order.m);
}

// a^(n - 2) (Fermat), four bits of the public exponent at a time.
void cry_p256_scalar_invert(p256_scalar_t *r, const p256_scalar_t *a) {
  enum { kDigits = P256_WORD_BITS / 4 };
  static const p256_word_t kOne[P256_WORDS] = {1};
  p256_word_t powers[16][P256_WORDS];  // a^i in Montgomery form
  p256_word_t t[P256_WORDS];
  cry_p256_modular_mul(powers[0], cry_p256_order.square, kOne, &cry_p256_order);
  cry_p256_modular_mul(powers[1], cry_p256_order.square, a->w, &cry_p256_order);
  for (int i = 2; i < 16; i++) {
    cry_p256_modular_mul(powers[i], powers[i - 1], powers[1], &cry_p256_order);
  }
  memcpy(t, powers[0], sizeof t);
  for (int position = 63; position >= 0; position--) {
    for (int i = 0; i < 4; i++) {
      cry_p256_modular_mul(t, t, t, &cry_p256_order);
    }
    // n - 2 differs from n in the lowest word only, without a borrow.
    p256_word_t word = cry_p256_order.m[position / kDigits] - (position < kDigits ? 2 : 0);
    cry_p256_modular_mul(t, t, powers[(word >> (4 * (position % kDigits))) & 15], &cry_p256_order);
  }
  cry_p256_modular_mul(r->w, t, kOne, &cry_p256_order);
}

p256_word_t cry_p256_scalar_make_odd(p256_scalar_t *r, const p256_scalar_t *a) {
  p256_word_t negated[P256_WORDS];
  p256_word_t even = (a->w[0] & 1) - 1;
  cry_p256_words_sub(negated, cry_p256_order.m, a->w);
  *r = *a;
  cry_p256_words_select(r->w, negated, even);
  return even;
}
