// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Points of P-256 (NIST SP 800-186, section 3.2.1.3).
#ifndef CRYPTILE_LIB_P256_POINT_H
#define CRYPTILE_LIB_P256_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "p256/p256_field.h"
#include "p256/p256_scalar.h"

// Homogeneous projective coordinates: the affine point is (x / z, y / z); z = 0 is the neutral
// element (0 : 1 : 0).
typedef struct {
  p256_fe_t x, y, z;
} p256_point_t;

extern const p256_point_t cry_p256_generator;

// r = a + b, for all points without exception. Constant time. Results may be operands.
void cry_p256_point_add(p256_point_t *r, const p256_point_t *a, const p256_point_t *b);

// r = k a, 0 <= k < n, for all points but the neutral one. Constant time. r may be a.
void cry_p256_point_mul(p256_point_t *r, const p256_scalar_t *k, const p256_point_t *a);

// r = k generator + l a, 0 <= k, l < n, for all points but the neutral one. Time depends on
// neither, but they are meant to be public. r may be a.
void cry_p256_point_mul_add(p256_point_t *r, const p256_scalar_t *k, const p256_scalar_t *l,
                            const p256_point_t *a);

// The affine coordinates as big-endian bytes; `y` may be null. False for the neutral element.
bool cry_p256_point_to_bytes(uint8_t x[32], uint8_t y[32], const p256_point_t *a);

// Reads an uncompressed public key (SEC 1, section 2.3.4: 04, x, y). False if it is no point of
// the curve. Every such point has order n: the cofactor is 1.
bool cry_p256_point_from_bytes(p256_point_t *r, const uint8_t bytes[65]);

#endif  // CRYPTILE_LIB_P256_POINT_H
