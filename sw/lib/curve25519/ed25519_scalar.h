// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Scalars of Ed25519: integers modulo the base point's order, in as many words as hold
// 256 bits.
#ifndef CRYPTILE_LIB_ED25519_SCALAR_H
#define CRYPTILE_LIB_ED25519_SCALAR_H

#include <stddef.h>

#include "word.h"

typedef word_t ed25519_scalar_t[256 / WORD_BITS];

// A scalar's bits from 32 i on.
static inline uint32_t ed25519_scalar_bits(const ed25519_scalar_t a, size_t i) {
  enum { kInWord = WORD_BITS / 32 };
  return (uint32_t)(a[i / kInWord] >> 32 * (i % kInWord));
}

// r = 64 bytes, little-endian, modulo the order. Constant time.
void cry_ed25519_scalar_reduce(ed25519_scalar_t r, const uint8_t bytes[64]);

// r = 32 bytes, little-endian. Returns 1 if that is less than the order, else 0.
uint32_t cry_ed25519_scalar_from_bytes(ed25519_scalar_t r, const uint8_t bytes[32]);

void cry_ed25519_scalar_to_bytes(uint8_t bytes[32], const ed25519_scalar_t a);

// r = a * b + c modulo the order; a may be any number of 256 bits, b and c less than the order.
// `r` may be an operand. Constant time.
void cry_ed25519_scalar_muladd(ed25519_scalar_t r, const ed25519_scalar_t a,
                               const ed25519_scalar_t b, const ed25519_scalar_t c);

// r = (a + 2^256 - 1) / 2 modulo the order, for a less than the order: bit i of r, read as 1 or -1,
// counts 2^i in a. Constant time.
void cry_ed25519_scalar_signs(ed25519_scalar_t r, const ed25519_scalar_t a);

#endif  // CRYPTILE_LIB_ED25519_SCALAR_H
