// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The field of P-256 (NIST SP 800-186, section 3.2.1.3): integers modulo
// p = 2^256 - 2^224 + 2^192 + 2^96 - 1, in Montgomery form (times 2^256), less than p.
//
// Constant time, where the core's multiplication is. Results may be operands.
#ifndef CRYPTILE_LIB_P256_FIELD_H
#define CRYPTILE_LIB_P256_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "p256/p256_modular.h"

typedef struct {
  p256_word_t w[P256_WORDS];
} p256_fe_t;

extern const p256_fe_t cry_p256_fe_zero;
extern const p256_fe_t cry_p256_fe_one;

// What costs the time: a * b / 2^256, a^2 / 2^256, a + b, a - b, 2 a, 3 a, a / 2. The assembly has
// the same prototypes.
void cry_p256_mul_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_sqr_c(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_add_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_sub_c(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_double_c(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_triple_c(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_half_c(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_mul_asm(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_sqr_asm(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_add_asm(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_sub_asm(p256_fe_t *r, const p256_fe_t *a, const p256_fe_t *b);
void cry_p256_double_asm(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_triple_asm(p256_fe_t *r, const p256_fe_t *a);
void cry_p256_half_asm(p256_fe_t *r, const p256_fe_t *a);

#if HAVE_CRY_P256_MUL_ASM
#define cry_p256_mul    cry_p256_mul_asm
#define cry_p256_sqr    cry_p256_sqr_asm
#define cry_p256_add    cry_p256_add_asm
#define cry_p256_sub    cry_p256_sub_asm
#define cry_p256_double cry_p256_double_asm
#define cry_p256_triple cry_p256_triple_asm
#define cry_p256_half   cry_p256_half_asm
#else
#define cry_p256_mul    cry_p256_mul_c
#define cry_p256_sqr    cry_p256_sqr_c
#define cry_p256_add    cry_p256_add_c
#define cry_p256_sub    cry_p256_sub_c
#define cry_p256_double cry_p256_double_c
#define cry_p256_triple cry_p256_triple_c
#define cry_p256_half   cry_p256_half_c
#endif

// r = a^-1; zero gives zero. 277 squarings and 13 multiplications.
void cry_p256_invert(p256_fe_t *r, const p256_fe_t *a);

// Big-endian bytes to a field element, and back. The first returns false, and gives a useless
// element, if the number is not less than p.
bool cry_p256_fe_from_bytes(p256_fe_t *r, const uint8_t bytes[32]);
void cry_p256_fe_to_bytes(uint8_t bytes[32], const p256_fe_t *a);

// All ones if a is zero (if a equals b), else zero.
p256_word_t cry_p256_fe_is_zero(const p256_fe_t *a);
p256_word_t cry_p256_fe_equal(const p256_fe_t *a, const p256_fe_t *b);

// r = a if mask is all ones; unchanged if it is zero.
void cry_p256_fe_select(p256_fe_t *r, const p256_fe_t *a, p256_word_t mask);

#endif  // CRYPTILE_LIB_P256_FIELD_H
