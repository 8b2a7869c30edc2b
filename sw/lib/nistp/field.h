// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The field of a curve: integers modulo p, in Montgomery form (times R), less than p.
//
// Constant time, where the core's multiplication is. Results may be operands.
#ifndef CRYPTILE_LIB_NISTP_FIELD_H
#define CRYPTILE_LIB_NISTP_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "nistp/modular.h"

typedef struct {
  word_t w[WORDS];
} fe_t;

extern const fe_t fe_zero;
extern const fe_t fe_one;

// What costs the time: a * b / R, a^2 / R, a + b, a - b, 2 a, 3 a, a / 2. The assembly has
// the same prototypes.
void fe_mul_c(fe_t *r, const fe_t *a, const fe_t *b);
void fe_sqr_c(fe_t *r, const fe_t *a);
void fe_add_c(fe_t *r, const fe_t *a, const fe_t *b);
void fe_sub_c(fe_t *r, const fe_t *a, const fe_t *b);
void fe_double_c(fe_t *r, const fe_t *a);
void fe_triple_c(fe_t *r, const fe_t *a);
void fe_half_c(fe_t *r, const fe_t *a);
void fe_mul_asm(fe_t *r, const fe_t *a, const fe_t *b);
void fe_sqr_asm(fe_t *r, const fe_t *a);
void fe_add_asm(fe_t *r, const fe_t *a, const fe_t *b);
void fe_sub_asm(fe_t *r, const fe_t *a, const fe_t *b);
void fe_double_asm(fe_t *r, const fe_t *a);
void fe_triple_asm(fe_t *r, const fe_t *a);
void fe_half_asm(fe_t *r, const fe_t *a);

#if CURVE_HAVE_PRODUCT_ASM
#define fe_mul fe_mul_asm
#define fe_sqr fe_sqr_asm
#else
#define fe_mul fe_mul_c
#define fe_sqr fe_sqr_c
#endif
#if CURVE_HAVE_LINEAR_ASM
#define fe_add    fe_add_asm
#define fe_sub    fe_sub_asm
#define fe_double fe_double_asm
#define fe_triple fe_triple_asm
#define fe_half   fe_half_asm
#else
#define fe_add    fe_add_c
#define fe_sub    fe_sub_c
#define fe_double fe_double_c
#define fe_triple fe_triple_c
#define fe_half   fe_half_c
#endif

// r = a^-1; zero gives zero. Each curve has its own chain.
void fe_invert(fe_t *r, const fe_t *a);

// Big-endian bytes to a field element, and back. The first returns false, and gives a useless
// element, if the number is not less than p.
bool fe_from_bytes(fe_t *r, const uint8_t bytes[CURVE_BYTES]);
void fe_to_bytes(uint8_t bytes[CURVE_BYTES], const fe_t *a);

// All ones if a is zero (if a equals b), else zero.
word_t fe_is_zero(const fe_t *a);
word_t fe_equal(const fe_t *a, const fe_t *b);

// r = a if mask is all ones; unchanged if it is zero.
void fe_select(fe_t *r, const fe_t *a, word_t mask);

#endif  // CRYPTILE_LIB_NISTP_FIELD_H
