// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Real routines as kernels.
#include <stdint.h>

#include "aes/aes_compact.h"
#include "aes/aes_table.h"

void kernel_aes_table(void);
void kernel_aes_table_key(void);
void kernel_aes_compact(void);
void kernel_quarter_rounds(void);
void kernel_bubble_sort(void);

static uint32_t round_keys[44];
static uint8_t block[16];

void kernel_aes_table_key(void) {
  cry_aes_table_expand_key(round_keys, 10, block);
}

void kernel_aes_table(void) {
  cry_aes_table_encrypt(round_keys, 10, block, block);
}

void kernel_aes_compact(void) {
  cry_aes_compact_encrypt(round_keys, 10, block, block);
}

static uint32_t rotate(uint32_t value, unsigned by) {
  return value << by | value >> (32 - by);
}

static void quarter_round(uint32_t *s, unsigned a, unsigned b, unsigned c, unsigned d) {
  s[d] = rotate(s[d] ^ (s[a] += s[b]), 16);
  s[b] = rotate(s[b] ^ (s[c] += s[d]), 12);
  s[d] = rotate(s[d] ^ (s[a] += s[b]), 8);
  s[b] = rotate(s[b] ^ (s[c] += s[d]), 7);
}

void kernel_quarter_rounds(void) {
  for (unsigned round = 0; round < 10; ++round) {
    for (unsigned i = 0; i < 4; ++i)
      quarter_round(round_keys, i, 4 + i, 8 + i, 12 + i);
    for (unsigned i = 0; i < 4; ++i)
      quarter_round(round_keys, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
}

// Branches that no pattern predicts.
void kernel_bubble_sort(void) {
  for (unsigned end = 44; end > 1; --end) {
    for (unsigned i = 1; i < end; ++i) {
      if (round_keys[i - 1] > round_keys[i]) {
        const uint32_t moved = round_keys[i];
        round_keys[i] = round_keys[i - 1];
        round_keys[i - 1] = moved;
      }
    }
  }
}
