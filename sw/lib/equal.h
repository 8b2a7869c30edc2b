// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Compares what is secret until the verdict is told: tags, halves of a key.
#ifndef CRYPTILE_LIB_EQUAL_H
#define CRYPTILE_LIB_EQUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "declassify.h"

// In which bits two arrays differ, over all bytes: 0 if they are equal. As secret as they are.
static inline uint8_t differing(const uint8_t *a, const uint8_t *b, size_t len) {
  uint8_t difference = 0;
  for (size_t i = 0; i < len; ++i) {
    difference |= a[i] ^ b[i];
  }
  return difference;
}

// Tells the verdict on what differing() has found, of one part or of several together.
static inline bool equal_verdict(uint8_t difference) {
  bool good = ((difference - 1u) >> 8 & 1) != 0;
  declassify(&good, sizeof good);  // the caller is told
  return good;
}

// Whether two arrays have the same bytes. Constant-time in their content; only the verdict becomes
// known.
static inline bool equal(const uint8_t *a, const uint8_t *b, size_t len) {
  return equal_verdict(differing(a, b, len));
}

#endif  // CRYPTILE_LIB_EQUAL_H
