// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// FIPS 180-4, section 6.4.

#include "sha2/sha512.h"

typedef uint64_t word_t;
#define ROUNDS          80
#define ROUND_CONSTANTS cry_sha512_k
// Section 4.1.3: three rotations; SIGMA, of the message schedule, two and a shift.
#define SUM0   28, 34, 39
#define SUM1   14, 18, 41
#define SIGMA0 1, 8, 7
#define SIGMA1 19, 61, 6

#include "sha2/compress_c.h"

void cry_sha512_blocks_c(word_t state[8], const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += SHA512_BLOCK) {
    compress(state, in);
  }
}
