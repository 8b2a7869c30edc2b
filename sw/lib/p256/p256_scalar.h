// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalars of P-256: integers modulo the order n of the group, plain (not in Montgomery form), in
// words. Constant time, where the core's multiplication is.
#ifndef CRYPTILE_LIB_P256_SCALAR_H
#define CRYPTILE_LIB_P256_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "p256/p256_modular.h"

typedef struct {
  p256_word_t w[P256_WORDS];
} p256_scalar_t;

extern const p256_modulus_t cry_p256_order;

// Big-endian bytes to a scalar; false, and a useless scalar, if it is not in 1 to n - 1.
bool cry_p256_scalar_from_bytes(p256_scalar_t *r, const uint8_t bytes[32]);

// The leftmost 256 bits of a hash, reduced modulo n (FIPS 186-5, section 6.4.1; SEC 1, 4.1.3).
void cry_p256_scalar_from_hash(p256_scalar_t *r, const uint8_t *hash, size_t len);

void cry_p256_scalar_to_bytes(uint8_t bytes[32], const p256_scalar_t *a);

// r = a * b, a + b, 1 / a (zero gives zero). Results may be operands.
void cry_p256_scalar_mul(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b);
void cry_p256_scalar_add(p256_scalar_t *r, const p256_scalar_t *a, const p256_scalar_t *b);
void cry_p256_scalar_invert(p256_scalar_t *r, const p256_scalar_t *a);

// r = n - a for an even a, else a: always odd (n is). Returns all ones if it was negated.
p256_word_t cry_p256_scalar_make_odd(p256_scalar_t *r, const p256_scalar_t *a);

#endif  // CRYPTILE_LIB_P256_SCALAR_H
