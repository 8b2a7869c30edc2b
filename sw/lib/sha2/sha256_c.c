// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// FIPS 180-4, section 6.2.

#include "sha2/sha256.h"

typedef uint32_t word_t;
#define ROUNDS          64
#define ROUND_CONSTANTS cry_sha256_k
// Section 4.1.2: three rotations; SIGMA, of the message schedule, two and a shift.
#define SUM0   2, 13, 22
#define SUM1   6, 11, 25
#define SIGMA0 7, 18, 3
#define SIGMA1 17, 19, 10

#include "sha2/compress_c.h"

void cry_sha256_blocks_c(word_t state[8], const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += SHA256_BLOCK) {
    compress(state, in);
  }
}
