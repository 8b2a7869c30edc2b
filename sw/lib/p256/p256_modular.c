// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "p256/p256_modular.h"

// Montgomery multiplication word by word (Koç, Acar, Kaliski, "Analyzing and comparing Montgomery
// multiplication algorithms", IEEE Micro 16(3), 1996: CIOS).
void cry_p256_modular_mul(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const p256_modulus_t *modulus) {
  uint32_t t[10] = {0};
  for (int i = 0; i < 8; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 8; j++) {
      carry += (uint64_t)a[i] * b[j] + t[j];
      t[j] = (uint32_t)carry;
      carry >>= 32;
    }
    carry += t[8];
    t[8] = (uint32_t)carry;
    t[9] = (uint32_t)(carry >> 32);

    uint32_t factor = t[0] * modulus->inverse;
    carry = ((uint64_t)factor * modulus->m[0] + t[0]) >> 32;
    for (int j = 1; j < 8; j++) {
      carry += (uint64_t)factor * modulus->m[j] + t[j];
      t[j - 1] = (uint32_t)carry;
      carry >>= 32;
    }
    carry += t[8];
    t[7] = (uint32_t)carry;
    t[8] = t[9] + (uint32_t)(carry >> 32);
  }
  // t is less than 2 m; t[8] is its bit 256.
  uint32_t reduced[8];
  uint32_t less = cry_p256_words_sub(reduced, t, modulus->m) & (t[8] - 1);
  cry_p256_words_select(reduced, t, less);
  for (int i = 0; i < 8; i++) {
    r[i] = reduced[i];
  }
}

void cry_p256_modular_add(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const uint32_t m[8]) {
  uint32_t sum[8];
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (uint64_t)a[i] + b[i];
    sum[i] = (uint32_t)carry;
    carry >>= 32;
  }
  uint32_t less = cry_p256_words_sub(r, sum, m) & ((uint32_t)carry - 1);
  cry_p256_words_select(r, sum, less);
}

void cry_p256_modular_sub(uint32_t r[8], const uint32_t a[8], const uint32_t b[8],
                          const uint32_t m[8]) {
  uint32_t negative = cry_p256_words_sub(r, a, b);
  uint64_t carry = 0;
  for (int i = 0; i < 8; i++) {
    carry += (uint64_t)r[i] + (m[i] & negative);
    r[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

uint32_t cry_p256_words_sub(uint32_t r[8], const uint32_t a[8], const uint32_t m[8]) {
  uint64_t borrow = 0;
  for (int i = 0; i < 8; i++) {
    borrow = (uint64_t)a[i] - m[i] - borrow;
    r[i] = (uint32_t)borrow;
    borrow >>= 63;
  }
  return 0u - (uint32_t)borrow;
}

void cry_p256_words_from_bytes(uint32_t r[8], const uint8_t bytes[32]) {
  for (int i = 0; i < 8; i++) {
    const uint8_t *b = bytes + 28 - 4 * i;
    r[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
}

void cry_p256_words_to_bytes(uint8_t bytes[32], const uint32_t a[8]) {
  for (int i = 0; i < 32; i++) {
    bytes[31 - i] = (uint8_t)(a[i / 4] >> (8 * (i % 4)));
  }
}

uint32_t cry_p256_words_are_zero(const uint32_t a[8]) {
  uint32_t any = 0;
  for (int i = 0; i < 8; i++) {
    any |= a[i];
  }
  return ((any | (0u - any)) >> 31) - 1;
}

void cry_p256_words_select(uint32_t r[8], const uint32_t a[8], uint32_t mask) {
  for (int i = 0; i < 8; i++) {
    r[i] ^= (r[i] ^ a[i]) & mask;
  }
}
