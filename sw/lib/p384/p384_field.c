// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p384/p384_curve.h"
// The types of its constants:
#include "nistp/field.h"

static const modulus_t kPrime = {
    {WORD(0xffffffff, 0x00000000), WORD(0x00000000, 0xffffffff), WORD(0xfffffffe, 0xffffffff),
     WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0xffffffff)},
    {WORD(0x00000001, 0xfffffffe), WORD(0x00000000, 0x00000002), WORD(0x00000000, 0xfffffffe),
     WORD(0x00000000, 0x00000002), WORD(0x00000001, 0x00000000), WORD(0x00000000, 0x00000000)},
    (word_t)0x100000001};

const fe_t fe_zero = {{0}};
const fe_t fe_one = {{WORD(0x00000001, 0xffffffff), WORD(0xffffffff, 0x00000000),
                      WORD(0x00000001, 0x00000000), WORD(0x00000000, 0x00000000),
                      WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x00000000)}};

// The same for all curves:
#include "nistp/field_impl.h"

// a^(p - 2) (Fermat). eN stands for a^(2^N - 1); the exponent is, from the top, 255 ones, a zero,
// 32 ones, 64 zeros, 30 ones and 01.
void fe_invert(fe_t *r, const fe_t *a) {
  fe_t e2, e3, e6, e12, e15, e30, t;
  raise_mul(&e2, a, 1, a);
  raise_mul(&e3, &e2, 1, a);
  raise_mul(&e6, &e3, 3, &e3);
  raise_mul(&e12, &e6, 6, &e6);
  raise_mul(&e15, &e12, 3, &e3);
  raise_mul(&e30, &e15, 15, &e15);
  raise_mul(&t, &e30, 30, &e30);  // e60
  raise_mul(&t, &t, 60, &t);      // e120
  raise_mul(&t, &t, 120, &t);     // e240
  raise_mul(&t, &t, 15, &e15);    // e255
  raise_mul(&t, &t, 31, &e30);
  raise_mul(&t, &t, 2, &e2);
  raise_mul(&t, &t, 94, &e30);
  raise_mul(r, &t, 2, a);
}
