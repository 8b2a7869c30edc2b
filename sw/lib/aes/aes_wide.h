// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES in counter mode on rows of bit planes: constant-time, 8 blocks at once on RV32, 16 on RV64.
// For long messages; there is no portable twin, as aes_bitsliced.c does the same.
#ifndef CRYPTILE_LIB_AES_WIDE_H
#define CRYPTILE_LIB_AES_WIDE_H

#include <stddef.h>
#include <stdint.h>

#include "aes/aes_gates.h"

// Blocks in a pass.
#define AES_WIDE_BLOCKS (2 * sizeof(aes_plane_t))
#define AES_WIDE_BYTES  (16 * AES_WIDE_BLOCKS)

// Words for a key of `rounds` rounds.
#define AES_WIDE_KEY_WORDS(rounds) (32 * ((rounds) + 1))

// Turns expanded keys into words, each one bit of a row of a round key: a quarter of a word is all
// ones or zeros for every column. The constant 0x63 of the S-box is in them.
void cry_aes_wide_keys_c(aes_plane_t *wide, const uint32_t *round_keys, unsigned rounds);
void cry_aes_wide_keys_asm(aes_plane_t *wide, const uint32_t *round_keys, unsigned rounds);

// `passes` > 0 passes of the key stream, added to `in`. `counter`, `in` and `out` are aligned to a
// register; `in` and `out` are equal or disjoint. The last word of the counter, big-endian, is a
// multiple of AES_WIDE_BLOCKS; it counts modulo 2^32 and is stored back.
void cry_aes_wide_ctr_asm(const aes_plane_t *wide, unsigned rounds, uint32_t counter[4],
                          const void *in, void *out, size_t passes);

#endif  // CRYPTILE_LIB_AES_WIDE_H
