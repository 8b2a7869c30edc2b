// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_curve.h"
// The types of its constants:
#include "nistp/field.h"

static const modulus_t kPrime = {{WORD(0xffffffff, 0xffffffff), WORD(0xffffffff, 0x00000000),
                                  WORD(0x00000000, 0x00000000), WORD(0x00000001, 0xffffffff)},
                                 {WORD(0x00000003, 0x00000000), WORD(0xffffffff, 0xfffffffb),
                                  WORD(0xfffffffe, 0xffffffff), WORD(0xfffffffd, 0x00000004)},
                                 1};

const fe_t fe_zero = {{0}};
const fe_t fe_one = {{WORD(0x00000001, 0x00000000), WORD(0x00000000, 0xffffffff),
                      WORD(0xffffffff, 0xffffffff), WORD(0xfffffffe, 0x00000000)}};

// The same for all curves:
#include "nistp/field_impl.h"

// a^(p - 2) (Fermat). eN stands for a^(2^N - 1); the exponent is, in words from the top,
// ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff fffffffd.
void fe_invert(fe_t *r, const fe_t *a) {
  fe_t e2, e4, e6, e8, e14, e30, e32, t;
  raise_mul(&e2, a, 1, a);
  raise_mul(&e4, &e2, 2, &e2);
  raise_mul(&e6, &e4, 2, &e2);
  raise_mul(&e8, &e4, 4, &e4);
  raise_mul(&e14, &e8, 6, &e6);
  raise_mul(&t, &e8, 8, &e8);  // e16
  raise_mul(&e30, &t, 14, &e14);
  raise_mul(&e32, &e30, 2, &e2);
  raise_mul(&t, &e32, 32, a);
  raise_mul(&t, &t, 128, &e32);
  raise_mul(&t, &t, 32, &e32);
  raise_mul(&t, &t, 30, &e30);
  raise_mul(r, &t, 2, a);
}
