// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Big integers of any number of words: little-endian 32-bit words, lowest first.
//
// Everything here is constant time in the words' values where the core's multiplications are; the
// numbers of words are public. Routines for fixed sizes (cry_bigint_mul_8_full, ...) are generated
// for RV32IM: README.md lists them.
#ifndef CRYPTILE_LIB_BIGINT_H
#define CRYPTILE_LIB_BIGINT_H

#include <stddef.h>
#include <stdint.h>

// Return the carry or borrow, 0 or 1. `r` may be an operand.
uint32_t cry_bigint_add_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
uint32_t cry_bigint_add_looped(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
uint32_t cry_bigint_sub_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
uint32_t cry_bigint_sub_looped(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

// r = a * b, 2 n words, n > 0. `r` overlaps no operand.
void cry_bigint_mul_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);
void cry_bigint_mul_looped(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n);

// r = (r + x b + q m) / 2^32 with the q that makes it whole; n words, n > 0; `r` has n + 1 words
// and overlaps nothing. `inverse` is cry_bigint_mont_inverse(m[0]).
void cry_bigint_mont_row_c(uint32_t *r, const uint32_t *b, const uint32_t *m, size_t n, uint32_t x,
                           uint32_t inverse);
void cry_bigint_mont_row_asm(uint32_t *r, const uint32_t *b, const uint32_t *m, size_t n,
                             uint32_t x, uint32_t inverse);

#if HAVE_CRY_BIGINT_ADD_LOOPED
#define cry_bigint_add      cry_bigint_add_looped
#define cry_bigint_sub      cry_bigint_sub_looped
#define cry_bigint_mul      cry_bigint_mul_looped
#define cry_bigint_mont_row cry_bigint_mont_row_asm
#else
#define cry_bigint_add      cry_bigint_add_c
#define cry_bigint_sub      cry_bigint_sub_c
#define cry_bigint_mul      cry_bigint_mul_c
#define cry_bigint_mont_row cry_bigint_mont_row_c
#endif

// r = mask ? a : r, where mask is 0 or all ones.
void cry_bigint_cmov(uint32_t *r, const uint32_t *a, size_t n, uint32_t mask);

// -1/m modulo 2^32, for an odd m.
uint32_t cry_bigint_mont_inverse(uint32_t m);

// r = a * b / 2^(32 n) modulo m, fully reduced: for m odd, b < m, any a of n words.
// `t` is room for n + 1 words. `r` may be an operand; `t` overlaps nothing.
void cry_bigint_mont_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m,
                         size_t n, uint32_t inverse, uint32_t *t);

#endif  // CRYPTILE_LIB_BIGINT_H
