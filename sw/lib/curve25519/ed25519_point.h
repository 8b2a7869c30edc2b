// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Points of edwards25519: -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, section 5.1).
//
// The addition formulas are complete: they hold for all points, also equal and neutral ones.
// Constant time unless it is said otherwise.
#ifndef CRYPTILE_LIB_ED25519_POINT_H
#define CRYPTILE_LIB_ED25519_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "curve25519/fe25519.h"

// x = X/Z, y = Y/Z, x y = T/Z. T may be missing after functions that are told so.
typedef struct {
  fe25519_t x, y, z, t;
} ed25519_point_t;

// What an addition needs of its second operand: Y + X, Y - X, 2 d T, 2 Z. `z2` is missing (and not
// read) for points with Z = 1.
typedef struct {
  fe25519_t plus, minus, t2d, z2;
} ed25519_addend_t;

extern const uint32_t cry_ed25519_2d[8];

void cry_ed25519_neutral(ed25519_point_t *r);
void cry_ed25519_negate(ed25519_point_t *r, const ed25519_point_t *a);
void cry_ed25519_to_addend(ed25519_addend_t *r, const ed25519_point_t *a);

// r = 2 a; `with_t`: make T as well. T of `a` is not read.
void cry_ed25519_double(ed25519_point_t *r, const ed25519_point_t *a, bool with_t);

// r = a + b; `affine`: Z of b is 1. `with_t` as above.
void cry_ed25519_add(ed25519_point_t *r, const ed25519_point_t *a, const ed25519_addend_t *b,
                     bool affine, bool with_t);

// Negates if the mask is all ones, and does nothing if it is 0.
void cry_ed25519_negate_addend(ed25519_addend_t *r, fe25519_word_t mask);

void cry_ed25519_encode(uint8_t bytes[32], const ed25519_point_t *a);

// Decodes a point; only its canonical encoding will do. NOT constant-time: for public points.
bool cry_ed25519_decode(ed25519_point_t *r, const uint8_t bytes[32]);

#endif  // CRYPTILE_LIB_ED25519_POINT_H
