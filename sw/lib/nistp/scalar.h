// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalars of a curve: integers modulo the order n of the group, plain (not in Montgomery form), in
// words. Constant time, where the core's multiplication is.
#ifndef CRYPTILE_LIB_NISTP_SCALAR_H
#define CRYPTILE_LIB_NISTP_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nistp/modular.h"

typedef struct {
  word_t w[WORDS];
} scalar_t;

extern const modulus_t order;

// Big-endian bytes to a scalar; false, and a useless scalar, if it is not in 1 to n - 1.
bool scalar_from_bytes(scalar_t *r, const uint8_t bytes[CURVE_BYTES]);

// A number of CURVE_BITS bits, reduced modulo n.
void scalar_from_number(scalar_t *r, const uint8_t bytes[CURVE_BYTES]);

// Makes a number of the leftmost CURVE_BITS bits (bits2int of RFC 6979, section 2.3.2).
void scalar_leftmost(uint8_t bytes[CURVE_BYTES]);

// The leftmost CURVE_BITS bits of a hash, reduced modulo n (FIPS 186-5, section 6.4.1).
void scalar_from_hash(scalar_t *r, const uint8_t *hash, size_t len);

void scalar_to_bytes(uint8_t bytes[CURVE_BYTES], const scalar_t *a);

// r = a * b, a + b, 1 / a (zero gives zero). Results may be operands.
void scalar_mul(scalar_t *r, const scalar_t *a, const scalar_t *b);
void scalar_add(scalar_t *r, const scalar_t *a, const scalar_t *b);
void scalar_invert(scalar_t *r, const scalar_t *a);

// r = n - a for an even a, else a: always odd (n is). Returns all ones if it was negated.
word_t scalar_make_odd(scalar_t *r, const scalar_t *a);

#endif  // CRYPTILE_LIB_NISTP_SCALAR_H
