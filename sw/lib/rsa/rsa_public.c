// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "rsa/rsa_public.h"

#include <string.h>

#include "bigint/bigint.h"

enum { kMaxWords = RSA_MAX_BYTES / 4 };

typedef struct {
  uint32_t m[kMaxWords];
  uint32_t inverse;              // -1 / m modulo a word
  size_t n;                      // words
  uint32_t room[kMaxWords + 1];  // for products
} modulus_t;

static void from_bytes(uint32_t *r, size_t n, const uint8_t *bytes, size_t len) {
  memset(r, 0, 4 * n);
  for (size_t i = 0; i < len; i++) {
    r[i / 4] |= (uint32_t)bytes[len - 1 - i] << (8 * (i % 4));
  }
}

static void to_bytes(uint8_t *bytes, size_t len, const uint32_t *a) {
  for (size_t i = 0; i < len; i++) {
    bytes[len - 1 - i] = (uint8_t)(a[i / 4] >> (8 * (i % 4)));
  }
}

static void multiply(uint32_t *r, const uint32_t *a, const uint32_t *b, modulus_t *modulus) {
  cry_bigint_mont_mul(r, a, b, modulus->m, modulus->n, modulus->inverse, modulus->room);
}

static void twice(uint32_t *r, const modulus_t *modulus) {
  uint32_t reduced[kMaxWords];
  uint32_t carry = cry_bigint_add(r, r, r, modulus->n);
  uint32_t borrow = cry_bigint_sub(reduced, r, modulus->m, modulus->n);
  if (carry || !borrow) {
    memcpy(r, reduced, 4 * modulus->n);
  }
}

// r = R^2 modulo m, R = 2^(32 n): 2 R by doubling the power of two below m, then, as squares of
// 2^k R are 2^(2 k) R, its power 32 n.
static void square_of_r(uint32_t *r, modulus_t *modulus) {
  size_t n = modulus->n;
  uint32_t exponent = (uint32_t)(32 * n), bit = 1;
  memset(r, 0, 4 * n);
  uint32_t top = modulus->m[n - 1], below = 1;
  while (below <= top / 2) {
    below *= 2;
  }
  r[n - 1] = below;
  do {
    twice(r, modulus);
    below *= 2;
  } while (below != 0);
  twice(r, modulus);
  while (bit <= exponent / 2) {
    bit *= 2;
  }
  while (bit > 1) {
    bit /= 2;
    multiply(r, r, r, modulus);
    if (exponent & bit) {
      twice(r, modulus);
    }
  }
}

size_t cry_rsa_bits(const cryptile_rsa_public_key_t *key) {
  if (key->modulus_len == 0 || key->modulus_len > RSA_MAX_BYTES || key->modulus[0] == 0 ||
      key->modulus[key->modulus_len - 1] % 2 == 0 || key->exponent < 3 || key->exponent % 2 == 0) {
    return 0;
  }
  size_t bits = 8 * key->modulus_len;
  for (uint8_t top = key->modulus[0]; top < 0x80; top = (uint8_t)(2 * top)) {
    bits--;
  }
  return bits < CRYPTILE_RSA_MIN_BITS ? 0 : bits;
}

cryptile_status_t cry_rsa_public(uint8_t *message, const cryptile_rsa_public_key_t *key,
                                 const uint8_t *signature) {
  modulus_t modulus;
  uint32_t base[kMaxWords], power[kMaxWords];
  size_t n = (key->modulus_len + 3) / 4;
  modulus.n = n;
  from_bytes(modulus.m, n, key->modulus, key->modulus_len);
  modulus.inverse = cry_bigint_mont_inverse(modulus.m[0]);
  from_bytes(base, n, signature, key->modulus_len);
  if (cry_bigint_sub(power, base, modulus.m, n) == 0) {
    return CRYPTILE_ERR_AUTH;
  }
  square_of_r(power, &modulus);
  multiply(base, base, power, &modulus);
  memcpy(power, base, 4 * n);
  uint32_t bit = 1;
  while (bit <= key->exponent / 2) {
    bit *= 2;
  }
  while (bit > 1) {
    bit /= 2;
    multiply(power, power, power, &modulus);
    if (key->exponent & bit) {
      multiply(power, power, base, &modulus);
    }
  }
  memset(base, 0, 4 * n);
  base[0] = 1;
  multiply(power, power, base, &modulus);
  to_bytes(message, key->modulus_len, power);
  return CRYPTILE_OK;
}
