// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Arithmetic on numbers of 256 bits modulo a prime of exactly as many: what the field and the
// scalars of P-256 share. Words are as wide as the registers, the lowest first. Constant time,
// where the core's multiplication is.
#ifndef CRYPTILE_LIB_P256_MODULAR_H
#define CRYPTILE_LIB_P256_MODULAR_H

#include <stdint.h>

// P256_WORD() makes a word of a constant, or two, from 32 bits and the 32 bits above them.
#if defined(__SIZEOF_INT128__)
typedef uint64_t p256_word_t;
__extension__ typedef unsigned __int128 p256_wide_t;
#define P256_WORDS           4
#define P256_WORD(low, high) ((uint64_t)(high) << 32 | (low))
#else
typedef uint32_t p256_word_t;
typedef uint64_t p256_wide_t;
#define P256_WORDS           8
#define P256_WORD(low, high) (low), (high)
#endif
#define P256_WORD_BITS (256 / P256_WORDS)

typedef struct {
  p256_word_t m[P256_WORDS];       // the modulus
  p256_word_t square[P256_WORDS];  // 2^512 mod m
  p256_word_t inverse;             // -1 / m modulo a word
} p256_modulus_t;

// r = a * b / 2^256 mod m; a or b less than m. Results may be operands, here and below.
void cry_p256_modular_mul_c(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                            const p256_modulus_t *modulus);
void cry_p256_modular_mul_asm(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                              const p256_modulus_t *modulus);
#if HAVE_CRY_P256_MODULAR_MUL_ASM
#define cry_p256_modular_mul cry_p256_modular_mul_asm
#else
#define cry_p256_modular_mul cry_p256_modular_mul_c
#endif

// r = a + b mod m, a - b mod m; a, b less than m.
void cry_p256_modular_add(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                          const p256_word_t *m);
void cry_p256_modular_sub(p256_word_t *r, const p256_word_t *a, const p256_word_t *b,
                          const p256_word_t *m);

// Writes a - m to r and returns all ones if a is less than m, else zero.
p256_word_t cry_p256_words_sub(p256_word_t *r, const p256_word_t *a, const p256_word_t *m);

// Big-endian bytes to words, and back.
void cry_p256_words_from_bytes(p256_word_t *r, const uint8_t bytes[32]);
void cry_p256_words_to_bytes(uint8_t bytes[32], const p256_word_t *a);

// All ones if all words are zero, else zero.
p256_word_t cry_p256_words_are_zero(const p256_word_t *a);

// r = a if mask is all ones; unchanged if it is zero.
void cry_p256_words_select(p256_word_t *r, const p256_word_t *a, p256_word_t mask);

#endif  // CRYPTILE_LIB_P256_MODULAR_H
