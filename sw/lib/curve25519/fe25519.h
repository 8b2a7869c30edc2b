// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The field of Curve25519: integers modulo p = 2^255 - 19.
//
// An element is held in words, loosely reduced; cry_fe25519_to_bytes() reduces it fully. Every
// function takes the results of every other one. Results may be operands. Constant time where the
// core's multiplications are.
#ifndef CRYPTILE_LIB_FE25519_H
#define CRYPTILE_LIB_FE25519_H

#include <stdint.h>

// Eight 32-bit words, less than 2^255 + 2^231: portable C, and assembly for RV32IM and RV64IM. The
// latter takes them as four words of 64 bits, and wants them aligned to 8.
void cry_fe25519_mul_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_mul_asm(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_sqrn_c(uint32_t r[8], const uint32_t a[8], uint32_t n);  // r = a^(2^n), n > 0
void cry_fe25519_sqrn_asm(uint32_t r[8], const uint32_t a[8], uint32_t n);
void cry_fe25519_add_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_add_asm(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_sub_c(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_sub_asm(uint32_t r[8], const uint32_t a[8], const uint32_t b[8]);
void cry_fe25519_mul_small_c(uint32_t r[8], const uint32_t a[8], uint32_t b);  // b < 2^17
void cry_fe25519_from_words_c(uint32_t r[8], const uint32_t a[8]);             // bit 255 is ignored
void cry_fe25519_to_words_c(uint32_t r[8], const uint32_t a[8]);               // fully reduced

#if defined(__SIZEOF_INT128__)
// Five limbs of 51 bits, less than 2^52, in 64-bit words: C with 128-bit products.
void cry_fe25519_mul_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void cry_fe25519_sqrn_51(uint64_t r[5], const uint64_t a[5], uint32_t n);
void cry_fe25519_add_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void cry_fe25519_sub_51(uint64_t r[5], const uint64_t a[5], const uint64_t b[5]);
void cry_fe25519_mul_small_51(uint64_t r[5], const uint64_t a[5], uint32_t b);
void cry_fe25519_from_words_51(uint64_t r[5], const uint32_t a[8]);
void cry_fe25519_to_words_51(uint32_t r[8], const uint64_t a[5]);
#endif

#if defined(__SIZEOF_INT128__) && !HAVE_CRY_FE25519_MUL_ASM
#define FE25519_WORDS 5
typedef uint64_t fe25519_word_t;
#define cry_fe25519_mul        cry_fe25519_mul_51
#define cry_fe25519_sqrn       cry_fe25519_sqrn_51
#define cry_fe25519_add        cry_fe25519_add_51
#define cry_fe25519_sub        cry_fe25519_sub_51
#define cry_fe25519_mul_small  cry_fe25519_mul_small_51
#define cry_fe25519_from_words cry_fe25519_from_words_51
#define cry_fe25519_to_words   cry_fe25519_to_words_51
#else
#define FE25519_WORDS          8
typedef uint32_t fe25519_word_t;
#define cry_fe25519_mul_small  cry_fe25519_mul_small_c
#define cry_fe25519_from_words cry_fe25519_from_words_c
#define cry_fe25519_to_words   cry_fe25519_to_words_c
#if HAVE_CRY_FE25519_MUL_ASM
#define cry_fe25519_mul  cry_fe25519_mul_asm
#define cry_fe25519_sqrn cry_fe25519_sqrn_asm
#define cry_fe25519_add  cry_fe25519_add_asm
#define cry_fe25519_sub  cry_fe25519_sub_asm
#else
#define cry_fe25519_mul  cry_fe25519_mul_c
#define cry_fe25519_sqrn cry_fe25519_sqrn_c
#define cry_fe25519_add  cry_fe25519_add_c
#define cry_fe25519_sub  cry_fe25519_sub_c
#endif
#endif

#if __riscv_xlen == 64
typedef fe25519_word_t fe25519_t[FE25519_WORDS] __attribute__((aligned(8)));
#else
typedef fe25519_word_t fe25519_t[FE25519_WORDS];
#endif

void cry_fe25519_copy(fe25519_t r, const fe25519_t a);
void cry_fe25519_set(fe25519_t r, uint32_t a);  // a < 2^31

// r = mask ? a : r, where mask is 0 or all ones.
void cry_fe25519_cmov(fe25519_t r, const fe25519_t a, fe25519_word_t mask);

// 32 bytes, little-endian, any alignment. From: bit 255 is ignored, other values from p on are
// reduced. To: the one representative less than p.
void cry_fe25519_from_bytes(fe25519_t r, const uint8_t bytes[32]);
void cry_fe25519_to_bytes(uint8_t bytes[32], const fe25519_t a);

uint32_t cry_fe25519_is_zero(const fe25519_t a);  // 0 or 1
uint32_t cry_fe25519_is_odd(const fe25519_t a);   // 0 or 1, of the representative less than p

void cry_fe25519_invert(fe25519_t r, const fe25519_t a);    // 1/a, 0 for 0
void cry_fe25519_pow22523(fe25519_t r, const fe25519_t a);  // a^((p - 5) / 8)

#endif  // CRYPTILE_LIB_FE25519_H
