// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Points of a curve y^2 = x^3 - 3 x + b of odd prime order (NIST SP 800-186, section 3.2.1).
#ifndef CRYPTILE_LIB_NISTP_POINT_H
#define CRYPTILE_LIB_NISTP_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "nistp/field.h"
#include "nistp/scalar.h"

// Homogeneous projective coordinates: the affine point is (x / z, y / z); z = 0 is the neutral
// element (0 : 1 : 0).
typedef struct {
  fe_t x, y, z;
} point_t;

extern const point_t generator;

// r = a + b, for all points without exception. Constant time. Results may be operands.
void point_add(point_t *r, const point_t *a, const point_t *b);

// r = k a, 0 <= k < n, for all points but the neutral one. Constant time. r may be a.
void point_mul(point_t *r, const scalar_t *k, const point_t *a);

// r = k generator + l a, 0 <= k, l < n, for all points but the neutral one. Time depends on
// neither, but they are meant to be public. r may be a.
void point_mul_add(point_t *r, const scalar_t *k, const scalar_t *l, const point_t *a);

// The affine coordinates as big-endian bytes; `y` may be null. False for the neutral element.
bool point_to_bytes(uint8_t x[CURVE_BYTES], uint8_t y[CURVE_BYTES], const point_t *a);

// Reads an uncompressed public key (SEC 1, section 2.3.4: 04, x, y). False if it is no point of
// the curve. Every such point has order n: the cofactor is 1.
bool point_from_bytes(point_t *r, const uint8_t bytes[CURVE_PUBLIC_BYTES]);

#endif  // CRYPTILE_LIB_NISTP_POINT_H
