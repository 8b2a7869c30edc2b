// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Montgomery multiplication, multiplication and reduction word by word (Koc, Acar and Kaliski,
// "Analyzing and comparing Montgomery multiplication algorithms", IEEE Micro 16(3), 1996: CIOS).
#include <string.h>

#include "bigint/bigint.h"

word_t cry_bigint_mont_inverse(word_t m) {
  word_t inverse = m;  // correct modulo 8, as squares of odd numbers are 1; each step doubles that
  for (int bits = 3; bits < WORD_BITS; bits *= 2) {
    inverse *= 2 - m * inverse;
  }
  return -inverse;
}

void cry_bigint_mont_row(word_t *r, const word_t *b, const word_t *m, size_t n, word_t x,
                         word_t inverse) {
  wide_t carry = (wide_t)x * b[0] + r[0];
  const word_t q = (word_t)carry * inverse;
  wide_t carry_m = (wide_t)q * m[0] + (word_t)carry;
  for (size_t i = 1; i < n; i++) {
    carry = (wide_t)x * b[i] + r[i] + (carry >> WORD_BITS);
    carry_m = (wide_t)q * m[i] + (word_t)carry + (carry_m >> WORD_BITS);
    r[i - 1] = (word_t)carry_m;
  }
  carry = (carry >> WORD_BITS) + (carry_m >> WORD_BITS) + r[n];
  r[n - 1] = (word_t)carry;
  r[n] = (word_t)(carry >> WORD_BITS);
}

void cry_bigint_mont_mul(word_t *r, const word_t *a, const word_t *b, const word_t *m, size_t n,
                         word_t inverse, word_t *t) {
  memset(t, 0, CRY_BIGINT_MONT_ROOM(n) * sizeof *t);
  size_t i = 0;
#if HAVE_CRY_BIGINT_MONT_ROWS_ASM
  for (; i + CRY_BIGINT_MONT_ROWS <= n; i += CRY_BIGINT_MONT_ROWS) {
    cry_bigint_mont_rows_asm(t, b, m, n, a + i, inverse);
  }
#endif
  for (; i < n; i++) {
    cry_bigint_mont_row(t, b, m, n, a[i], inverse);
  }
  // Less than 2 m: subtract once, and take that back if it borrowed.
  const word_t borrow = cry_bigint_sub(r, t, m, n);
  cry_bigint_cmov(r, t, n, 0 - (borrow & ~t[n]));
}
