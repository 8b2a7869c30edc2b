// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "bigint/bigint.h"

uint32_t cry_bigint_add_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
  uint64_t carry = 0;
  for (size_t i = 0; i < n; i++) {
    carry += (uint64_t)a[i] + b[i];
    r[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return (uint32_t)carry;
}

uint32_t cry_bigint_sub_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t borrow = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t difference = (uint64_t)a[i] - b[i] - borrow;
    r[i] = (uint32_t)difference;
    borrow = (uint32_t)(difference >> 32) & 1;
  }
  return borrow;
}

void cry_bigint_mul_c(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    r[i] = 0;
  }
  for (size_t i = 0; i < n; i++) {
    uint64_t carry = 0;
    for (size_t j = 0; j < n; j++) {
      carry += (uint64_t)a[i] * b[j] + r[i + j];
      r[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    r[i + n] = (uint32_t)carry;
  }
}

void cry_bigint_cmov(uint32_t *r, const uint32_t *a, size_t n, uint32_t mask) {
  for (size_t i = 0; i < n; i++) {
    r[i] ^= mask & (r[i] ^ a[i]);
  }
}
