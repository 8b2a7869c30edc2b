// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "rsa/rsa_public.h"

#include <string.h>

#include "bigint/bigint.h"

enum { kMaxWords = RSA_MAX_BYTES / sizeof(word_t) };

typedef struct {
  word_t m[kMaxWords];
  word_t inverse;                                // -1 / m modulo a word
  size_t n;                                      // words
  word_t room[CRY_BIGINT_MONT_ROOM(kMaxWords)];  // for products
} modulus_t;

static void from_bytes(word_t *r, size_t n, const uint8_t *bytes, size_t len) {
  memset(r, 0, n * sizeof *r);
  for (size_t i = 0; i < len; i++) {
    r[i / sizeof *r] |= (word_t)bytes[len - 1 - i] << (8 * (i % sizeof *r));
  }
}

static void to_bytes(uint8_t *bytes, size_t len, const word_t *a) {
  for (size_t i = 0; i < len; i++) {
    bytes[len - 1 - i] = (uint8_t)(a[i / sizeof *a] >> (8 * (i % sizeof *a)));
  }
}

static void multiply(word_t *r, const word_t *a, const word_t *b, modulus_t *modulus) {
  cry_bigint_mont_mul(r, a, b, modulus->m, modulus->n, modulus->inverse, modulus->room);
}

static void twice(word_t *r, const modulus_t *modulus) {
  word_t reduced[kMaxWords];
  word_t carry = cry_bigint_add(r, r, r, modulus->n);
  word_t borrow = cry_bigint_sub(reduced, r, modulus->m, modulus->n);
  if (carry || !borrow) {
    memcpy(r, reduced, modulus->n * sizeof *r);
  }
}

// r = R^2 modulo m, R = 2^(WORD_BITS n). The power of two below m is doubled until it is 2^k R, k
// the highest bits of the exponent WORD_BITS n, then squared, as squares of 2^k R are 2^(2 k) R.
static void square_of_r(word_t *r, modulus_t *modulus) {
  enum { kMostDoublings = 32 };  // of R: as many take about as long as a product
  size_t n = modulus->n, exponent = n * WORD_BITS;
  int squares = 0;
  while (exponent >> squares > kMostDoublings) {
    squares++;
  }
  memset(r, 0, n * sizeof *r);
  r[n - 1] = 1;
  size_t doublings = WORD_BITS + (exponent >> squares);
  while (r[n - 1] <= modulus->m[n - 1] / 2) {
    r[n - 1] *= 2;
    doublings--;
  }
  while (doublings-- > 0) {
    twice(r, modulus);
  }
  while (squares-- > 0) {
    multiply(r, r, r, modulus);
    if (exponent >> squares & 1) {
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
  word_t base[kMaxWords], power[kMaxWords];
  size_t n = (key->modulus_len + sizeof *base - 1) / sizeof *base;
  modulus.n = n;
  from_bytes(modulus.m, n, key->modulus, key->modulus_len);
  modulus.inverse = cry_bigint_mont_inverse(modulus.m[0]);
  from_bytes(base, n, signature, key->modulus_len);
  if (cry_bigint_sub(power, base, modulus.m, n) == 0) {
    return CRYPTILE_ERR_AUTH;
  }
  square_of_r(power, &modulus);
  multiply(base, base, power, &modulus);
  memcpy(power, base, n * sizeof *base);
  uint32_t bit = 1;
  while (bit <= key->exponent / 2) {
    bit *= 2;
  }
  while (bit > 2) {
    bit /= 2;
    multiply(power, power, power, &modulus);
    if (key->exponent & bit) {
      multiply(power, power, base, &modulus);
    }
  }
  // The exponent is odd. Its last product, with a factor that is not in Montgomery form, is not
  // either.
  multiply(power, power, power, &modulus);
  from_bytes(base, n, signature, key->modulus_len);
  multiply(power, power, base, &modulus);
  to_bytes(message, key->modulus_len, power);
  return CRYPTILE_OK;
}
