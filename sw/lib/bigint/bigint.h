// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Big integers of any number of words, as wide as the registers, lowest first.
//
// Everything here is constant time in the words' values where the core's multiplications are; the
// numbers of words are public. Routines for fixed sizes (cry_bigint_mul_8_full, ...) are generated
// for RV32IM: README.md lists them.
#ifndef CRYPTILE_LIB_BIGINT_H
#define CRYPTILE_LIB_BIGINT_H

#include <stddef.h>

#include "word.h"

// Return the carry or borrow, 0 or 1. `r` may be an operand.
word_t cry_bigint_add_c(word_t *r, const word_t *a, const word_t *b, size_t n);
word_t cry_bigint_add_looped(word_t *r, const word_t *a, const word_t *b, size_t n);
word_t cry_bigint_sub_c(word_t *r, const word_t *a, const word_t *b, size_t n);
word_t cry_bigint_sub_looped(word_t *r, const word_t *a, const word_t *b, size_t n);

// r = a * b, 2 n words, n > 0. `r` overlaps no operand.
void cry_bigint_mul_c(word_t *r, const word_t *a, const word_t *b, size_t n);
void cry_bigint_mul_looped(word_t *r, const word_t *a, const word_t *b, size_t n);

// r = (r + x b + q m) / W with the q that makes it whole, W = 2^WORD_BITS; n words, n > 0; `r` has
// n + 1 words and overlaps nothing. `inverse` is cry_bigint_mont_inverse(m[0]).
void cry_bigint_mont_row(word_t *r, const word_t *b, const word_t *m, size_t n, word_t x,
                         word_t inverse);

// CRY_BIGINT_MONT_ROWS of these, with x[0], x[1], and so on, for n of that or more. `r` has
// CRY_BIGINT_MONT_ROOM(n) words, all after the first n + 1 zero.
#define CRY_BIGINT_MONT_ROWS    4
#define CRY_BIGINT_MONT_ROOM(n) ((n) + CRY_BIGINT_MONT_ROWS - 1)
void cry_bigint_mont_rows_asm(word_t *r, const word_t *b, const word_t *m, size_t n,
                              const word_t *x, word_t inverse);

#if HAVE_CRY_BIGINT_ADD_LOOPED
#define cry_bigint_add cry_bigint_add_looped
#define cry_bigint_sub cry_bigint_sub_looped
#define cry_bigint_mul cry_bigint_mul_looped
#else
#define cry_bigint_add cry_bigint_add_c
#define cry_bigint_sub cry_bigint_sub_c
#define cry_bigint_mul cry_bigint_mul_c
#endif

// r = mask ? a : r, where mask is 0 or all ones.
void cry_bigint_cmov(word_t *r, const word_t *a, size_t n, word_t mask);

// -1/m modulo 2^WORD_BITS, for an odd m.
word_t cry_bigint_mont_inverse(word_t m);

// r = a * b / 2^(WORD_BITS n) modulo m, fully reduced: for m odd, b < m, any a of n words.
// `t` is room for CRY_BIGINT_MONT_ROOM(n) words. `r` may be an operand; `t` overlaps nothing.
void cry_bigint_mont_mul(word_t *r, const word_t *a, const word_t *b, const word_t *m, size_t n,
                         word_t inverse, word_t *t);

#endif  // CRYPTILE_LIB_BIGINT_H
