// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p521/p521_curve.h"
// The types of its constants:
#include "nistp/field.h"

static const modulus_t kPrime = {
    {WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff),
     WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff),
     WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0x000001ff, 0x00000000)},
    {WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00004000), WORD(0x00000000, 0x00000000),
     WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000),
     WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000)},
    (word_t)0x1};

const fe_t fe_zero = {{0}};
const fe_t fe_one = {
    {WORD(0x00000000, 0x00800000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000),
     WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000),
     WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000)}};

// The same for all curves:
#include "nistp/field_impl.h"

// a^(p - 2) (Fermat). eN stands for a^(2^N - 1); the exponent is, from the top, 519 ones and 01.
void fe_invert(fe_t *r, const fe_t *a) {
  fe_t e2, e4, e7, t;
  raise_mul(&e2, a, 1, a);
  raise_mul(&e4, &e2, 2, &e2);
  raise_mul(&t, &e4, 1, a);  // e5
  raise_mul(&e7, &t, 2, &e2);
  raise_mul(&t, &e4, 4, &e4);  // e8
  for (int n = 8; n < 512; n *= 2) {
    raise_mul(&t, &t, n, &t);  // e16, e32, ..., e512
  }
  raise_mul(&t, &t, 7, &e7);  // e519
  raise_mul(r, &t, 2, a);
}
