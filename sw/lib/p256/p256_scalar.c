// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_scalar.h"

#include <string.h>

const p256_modulus_t cry_p256_order = {{0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad, 0xffffffff,
                                        0xffffffff, 0x00000000, 0xffffffff},
                                       {0xbe79eea2, 0x83244c95, 0x49bd6fa6, 0x4699799c, 0x2b6bec59,
                                        0x2845b239, 0xf3d95620, 0x66e12d94},
                                       0xee00bc4f};

bool cry_p256_scalar_from_bytes(p256_scalar_t *r, const uint8_t bytes[32]) {
  uint32_t reduced[8];
  cry_p256_words_from_bytes(r->w, bytes);
  uint32_t less = cry_p256_words_sub(reduced, r->w, cry_p256_order.m);
  return (less & ~cry_p256_words_are_zero(r->w)) != 0;
}

void cry_p256_scalar_from_hash(p256_scalar_t *r, const uint8_t *hash, size_t len) {
  uint8_t bytes[32] = {0};
  uint32_t reduced[8];
  size_t used = len < sizeof bytes ? len : sizeof bytes;
  memcpy(bytes + sizeof bytes - used, hash, used);
  cry_p256_words_from_bytes(r->w, bytes);
  uint32_t less = cry_p256_words_sub(reduced, r->w, cry_p256_order.m);
  cry_p256_words_select(r->w, reduced, ~less);
}

void cry_p256_scalar_to_bytes(uint8_t bytes[32], const p256_scalar_t *a) {
  cry_p256_words_to_bytes(bytes, a->w);
}

void cry_p256_scalar_mul(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b) {
  uint32_t t[8];
  cry_p256_modular_mul(t, a->w, cry_p256_order.square, &cry_p256_order);
  cry_p256_modular_mul(r->w, t, b->w, &cry_p256_order);
}

void cry_p256_scalar_add(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b) {
  cry_p256_modular_add(r->w, a->w, b->w, cry_p256_order.m);
}

// a^(n - 2) (Fermat), four bits of the public exponent at a time.
void cry_p256_scalar_invert(p256_scalar_t *r, const p256_scalar_t *a) {
  static const uint32_t kOne[8] = {1};
  uint32_t powers[16][8];  // a^i in Montgomery form
  uint32_t t[8];
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
    uint32_t word = cry_p256_order.m[position / 8] - (position < 8 ? 2 : 0);
    cry_p256_modular_mul(t, t, powers[(word >> (4 * (position % 8))) & 15], &cry_p256_order);
  }
  cry_p256_modular_mul(r->w, t, kOne, &cry_p256_order);
}

uint32_t cry_p256_scalar_make_odd(p256_scalar_t *r, const p256_scalar_t *a) {
  uint32_t negated[8];
  uint32_t even = (a->w[0] & 1) - 1;
  cry_p256_words_sub(negated, cry_p256_order.m, a->w);
  *r = *a;
  cry_p256_words_select(r->w, negated, even);
  return even;
}
