// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Montgomery multiplication, multiplication and reduction word by word (Koc, Acar and Kaliski,
// "Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro 16(3), 1996: CIOS).
#include "bigint/bigint.h"

uint32_t cry_bigint_mont_inverse(uint32_t m) {
  uint32_t inverse =
      m;  // correct modulo 8, as squares of odd numbers are 1; each step doubles that
  for (int bits = 3; bits < 32; bits *= 2) {
    inverse *= 2 - m * inverse;
  }
  return -inverse;
}

void cry_bigint_mont_row_c(uint32_t *r, const uint32_t *b, const uint32_t *m, size_t n, uint32_t x,
                           uint32_t inverse) {
  uint64_t carry = (uint64_t)x * b[0] + r[0];
  const uint32_t q = (uint32_t)carry * inverse;
  uint64_t carry_m = (uint64_t)q * m[0] + (uint32_t)carry;
  for (size_t i = 1; i < n; i++) {
    carry = (uint64_t)x * b[i] + r[i] + (carry >> 32);
    carry_m = (uint64_t)q * m[i] + (uint32_t)carry + (carry_m >> 32);
    r[i - 1] = (uint32_t)carry_m;
  }
  carry = (carry >> 32) + (carry_m >> 32) + r[n];
  r[n - 1] = (uint32_t)carry;
  r[n] = (uint32_t)(carry >> 32);
}

void cry_bigint_mont_mul(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *m,
                         size_t n, uint32_t inverse, uint32_t *t) {
  for (size_t i = 0; i <= n; i++) {
    t[i] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    cry_bigint_mont_row(t, b, m, n, a[i], inverse);
  }
  // Less than 2 m: subtract once, and take that back if it borrowed.
  const uint32_t borrow = cry_bigint_sub(r, t, m, n);
  cry_bigint_cmov(r, t, n, 0 - (borrow & ~t[n]));
}
