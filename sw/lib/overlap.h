// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Buffers that overlap. What works on data inside the library, assembly above all, wants input and
// output equal or disjoint; every public function that takes others goes through here.
#ifndef CRYPTILE_LIB_OVERLAP_H
#define CRYPTILE_LIB_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Returns where to read the input of a function that writes `len` bytes for `len` bytes: `in` if it
// is `out` or disjoint from it, else `out`, to which it has been moved. Only bytes of the output
// are written, so nothing is lost that would have remained. Time depends on addresses and length
// alone.
static inline const uint8_t *overlap_settle(const uint8_t *in, uint8_t *out, size_t len) {
  uintptr_t ahead = (uintptr_t)in - (uintptr_t)out;
  if (ahead == 0 || (ahead >= len && 0 - ahead >= len)) {
    return in;
  }
  memmove(out, in, len);
  return out;
}

// Whether two buffers share a byte.
static inline bool overlap(const void *a, size_t a_len, const void *b, size_t b_len) {
  return a_len != 0 && b_len != 0 &&
         ((uintptr_t)b - (uintptr_t)a < a_len || (uintptr_t)a - (uintptr_t)b < b_len);
}

#endif  // CRYPTILE_LIB_OVERLAP_H
