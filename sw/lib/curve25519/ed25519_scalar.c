// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "curve25519/ed25519_scalar.h"

#include "bigint/bigint.h"
#include "bytes.h"

#define N (256 / WORD_BITS)

// The order L = 2^252 + 27742317777372353535851937790883648493, and powers of R = 2^256 modulo L.
static const ed25519_scalar_t order = {WORD(0x5cf5d3ed, 0x5812631a), WORD(0xa2f79cd6, 0x14def9de),
                                       WORD(0x00000000, 0x00000000), WORD(0x00000000, 0x10000000)};
static const ed25519_scalar_t r_1 = {WORD(0x8d98951d, 0xd6ec3174), WORD(0x737dcf70, 0xc6ef5bf4),
                                     WORD(0xfffffffe, 0xffffffff), WORD(0xffffffff, 0x0fffffff)};
static const ed25519_scalar_t r_2 = {WORD(0x449c0f01, 0xa40611e3), WORD(0x68859347, 0xd00e1ba7),
                                     WORD(0x17f5be65, 0xceec73d2), WORD(0x7c309a3d, 0x0399411b)};
static const ed25519_scalar_t r_minus_1 = {
    WORD(0x8d98951c, 0xd6ec3174), WORD(0x737dcf70, 0xc6ef5bf4), WORD(0xfffffffe, 0xffffffff),
    WORD(0xffffffff, 0x0fffffff)};
#define INVERSE ((word_t)0xd2b51da312547e1b)  // -1/L modulo 2^64

// r = a * b / R modulo L, b < L.
static void mont_mul(ed25519_scalar_t r, const ed25519_scalar_t a, const ed25519_scalar_t b) {
  word_t t[CRY_BIGINT_MONT_ROOM(N)];
  cry_bigint_mont_mul(r, a, b, order, N, INVERSE, t);
}

// r = a + b modulo L, both less than L.
static void add(ed25519_scalar_t r, const ed25519_scalar_t a, const ed25519_scalar_t b) {
  ed25519_scalar_t sum;
  cry_bigint_add(sum, a, b, N);
  const word_t borrow = cry_bigint_sub(r, sum, order, N);
  cry_bigint_cmov(r, sum, N, 0 - borrow);
}

static void load(ed25519_scalar_t r, const uint8_t bytes[32]) {
  for (size_t i = 0; i < N; i++) {
    const uint8_t *word = bytes + i * sizeof *r;
    r[i] = load32_le(word);
    if (WORD_BITS == 64) {
      r[i] |= (word_t)load32_le(word + 4) << WORD_BITS / 2;
    }
  }
}

void cry_ed25519_scalar_reduce(ed25519_scalar_t r, const uint8_t bytes[64]) {
  ed25519_scalar_t low, high;
  load(low, bytes);
  load(high, bytes + 32);
  mont_mul(low, low, r_1);
  mont_mul(high, high, r_2);
  add(r, low, high);
}

uint32_t cry_ed25519_scalar_from_bytes(ed25519_scalar_t r, const uint8_t bytes[32]) {
  ed25519_scalar_t t;
  load(r, bytes);
  return (uint32_t)cry_bigint_sub(t, r, order, N);
}

void cry_ed25519_scalar_to_bytes(uint8_t bytes[32], const ed25519_scalar_t a) {
  for (size_t i = 0; i < 8; i++) {
    store32_le(bytes + 4 * i, ed25519_scalar_bits(a, i));
  }
}

void cry_ed25519_scalar_muladd(ed25519_scalar_t r, const ed25519_scalar_t a,
                               const ed25519_scalar_t b, const ed25519_scalar_t c) {
  ed25519_scalar_t t;
  mont_mul(t, r_2, b);
  mont_mul(t, a, t);
  add(r, t, c);
}

void cry_ed25519_scalar_signs(ed25519_scalar_t r, const ed25519_scalar_t a) {
  ed25519_scalar_t t, even;
  add(t, a, r_minus_1);
  cry_bigint_add(even, t, order, N);
  cry_bigint_cmov(t, even, N, 0 - (t[0] & 1));
  for (int i = 0; i < N - 1; i++) {
    r[i] = t[i] >> 1 | t[i + 1] << (WORD_BITS - 1);
  }
  r[N - 1] = t[N - 1] >> 1;
}
