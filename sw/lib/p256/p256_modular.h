// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arithmetic on eight-word numbers modulo a prime of exactly 256 bits: what the field and the
// scalars of P-256 share. Constant time, where the core's multiplication is.
#ifndef CRYPTILE_LIB_P256_MODULAR_H
#define CRYPTILE_LIB_P256_MODULAR_H

#include <stdint.h>

typedef struct {
  uint32_t m[8];       // the modulus
  uint32_t square[8];  // 2^512 mod m
  uint32_t inverse;    // -m^-1 mod 2^32
} p256_modulus_t;

// r = a * b / 2^256 mod m; a or b less than m. Results may be operands, here and below.
void cry_p256_modular_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const p256_modulus_t *modulus);

// r = a + b mod m, a - b mod m; a, b less than m.
void cry_p256_modular_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const uint32_t m[8]);
void cry_p256_modular_sub(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const uint32_t m[8]);

// Writes a - m to r and returns all ones if a is less than m, else zero.
uint32_t cry_p256_words_sub(uint32_t r[8], const uint32_t a[8], const uint32_t m[8]);

// Big-endian bytes to words, and back.
void cry_p256_words_from_bytes(uint32_t r[8], const uint8_t bytes[32]);
void cry_p256_words_to_bytes(uint8_t bytes[32], const uint32_t a[8]);

// All ones if all words are zero, else zero.
uint32_t cry_p256_words_are_zero(const uint32_t a[8]);

// r = a if mask is all ones; unchanged if it is zero.
void cry_p256_words_select(uint32_t r[8], const uint32_t a[8], uint32_t mask);

#endif  // CRYPTILE_LIB_P256_MODULAR_H
