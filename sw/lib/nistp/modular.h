// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arithmetic modulo a prime of CURVE_BITS bits: what the field and the scalars of a curve share.
// Words are as wide as the registers, the lowest first. Constant time, where the core's
// multiplication is.
#ifndef CRYPTILE_LIB_NISTP_MODULAR_H
#define CRYPTILE_LIB_NISTP_MODULAR_H

#include <stdint.h>

#include "nistp/names.h"
#include "word.h"

// R = 2^(64 * CURVE_PAIRS), on 32-bit cores too: constants in Montgomery form are the same.
#define WORDS (64 * CURVE_PAIRS / WORD_BITS)

typedef struct {
  word_t m[WORDS];       // the modulus
  word_t square[WORDS];  // R^2 mod m
  word_t inverse;        // -1 / m modulo a word
} modulus_t;

// r = a * b / R mod m, a^2 / R mod m; a or b less than m. Results may be operands, here and below.
void modular_mul_c(word_t *r, const word_t *a, const word_t *b, const modulus_t *modulus);
void modular_mul_asm(word_t *r, const word_t *a, const word_t *b, const modulus_t *modulus);
void modular_sqr_c(word_t *r, const word_t *a, const modulus_t *modulus);
void modular_sqr_asm(word_t *r, const word_t *a, const modulus_t *modulus);

// r = a + b mod m, a - b mod m; a, b less than m.
void modular_add_c(word_t *r, const word_t *a, const word_t *b, const word_t *m);
void modular_add_asm(word_t *r, const word_t *a, const word_t *b, const word_t *m);
void modular_sub_c(word_t *r, const word_t *a, const word_t *b, const word_t *m);
void modular_sub_asm(word_t *r, const word_t *a, const word_t *b, const word_t *m);

#if CURVE_HAVE_MODULAR_PRODUCT_ASM
#define modular_mul modular_mul_asm
#define modular_sqr modular_sqr_asm
#else
#define modular_mul modular_mul_c
#define modular_sqr modular_sqr_c
#endif
#if CURVE_HAVE_MODULAR_LINEAR_ASM
#define modular_add modular_add_asm
#define modular_sub modular_sub_asm
#else
#define modular_add modular_add_c
#define modular_sub modular_sub_c
#endif

// Writes a - m to r and returns all ones if a is less than m, else zero.
word_t words_sub(word_t *r, const word_t *a, const word_t *m);

// Big-endian bytes to words, and back.
void words_from_bytes(word_t *r, const uint8_t bytes[CURVE_BYTES]);
void words_to_bytes(uint8_t bytes[CURVE_BYTES], const word_t *a);

// All ones if all words are zero, else zero.
word_t words_are_zero(const word_t *a);

// r = a if mask is all ones; unchanged if it is zero.
void words_select(word_t *r, const word_t *a, word_t mask);

#endif  // CRYPTILE_LIB_NISTP_MODULAR_H
