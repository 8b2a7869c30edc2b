// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Montgomery's ladder (RFC 7748, section 5) without swaps: the state is the double and the sum that
// the last step made. A step doubles one of them and adds both; the sum does not depend on which is
// which.
#include "curve25519/x25519_ladder.h"
#include "wipe.h"

#define A24 121665u

typedef struct {
  fe25519_t x2, z2, x3, z3;
  fe25519_t a, b, c, d;
} state_t;

// Doubles the sum of the last step if the mask is all ones, its double if 0.
static void step(state_t *s, const fe25519_t x, fe25519_word_t mask) {
  cry_fe25519_add(s->a, s->x2, s->z2);
  cry_fe25519_sub(s->b, s->x2, s->z2);
  cry_fe25519_add(s->c, s->x3, s->z3);
  cry_fe25519_sub(s->d, s->x3, s->z3);
  cry_fe25519_mul(s->x3, s->d, s->a);
  cry_fe25519_mul(s->z3, s->c, s->b);
  cry_fe25519_cmov(s->a, s->c, mask);
  cry_fe25519_cmov(s->b, s->d, mask);
  cry_fe25519_add(s->c, s->x3, s->z3);
  cry_fe25519_sub(s->d, s->x3, s->z3);
  cry_fe25519_sqrn(s->x3, s->c, 1);
  cry_fe25519_sqrn(s->z3, s->d, 1);
  cry_fe25519_mul(s->z3, s->z3, x);
  cry_fe25519_sqrn(s->a, s->a, 1);
  cry_fe25519_sqrn(s->b, s->b, 1);
  cry_fe25519_mul(s->x2, s->a, s->b);
  cry_fe25519_sub(s->b, s->a, s->b);
  cry_fe25519_mul_small(s->c, s->b, A24);
  cry_fe25519_add(s->c, s->c, s->a);
  cry_fe25519_mul(s->z2, s->b, s->c);
}

void cry_x25519_ladder_c(fe25519_t xz[2], const fe25519_t x, const uint8_t k[32]) {
  state_t s;
  cry_fe25519_set(s.x2, 1);
  cry_fe25519_set(s.z2, 0);
  cry_fe25519_copy(s.x3, x);
  cry_fe25519_set(s.z3, 1);
  fe25519_word_t last = 0;
  for (int i = 254; i >= 0; i--) {
    const fe25519_word_t bit = k[i / 8] >> i % 8 & 1;
    step(&s, x, 0 - (bit ^ last));
    last = bit;
  }
  cry_fe25519_copy(xz[0], s.x2);
  cry_fe25519_copy(xz[1], s.z2);
  wipe(&s, sizeof s);
}
