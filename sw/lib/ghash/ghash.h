// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// GHASH (NIST SP 800-38D, section 6.4), constant time.
//
// An element of GF(2^128) is four words, least significant first, and bit 127 of them is the
// coefficient of x^0 (so a block is read as one big-endian number). The key is held divided by x:
// then the carry-less product of two elements as integers, 255 bits long, is the product in its
// place, and only the lower half has to be reduced.
#ifndef CRYPTILE_LIB_GHASH_H
#define CRYPTILE_LIB_GHASH_H

#include <stddef.h>
#include <stdint.h>

#define GHASH_BLOCK 16u

typedef struct {
  _Alignas(8) uint32_t y[4];  // the hash so far
  uint32_t h[4];              // the key, divided by x
} ghash_state_t;

// For each block b of `blocks`: y = (y + b) * key. Any alignment of `in` (that of a register is
// faster).
//
// _shift: shifts and masks alone. _multiply: by the core's multiplier; constant time if that is.
// _clmul: by its carry-less multiplier.
void cry_ghash_blocks_shift_c(ghash_state_t *state, const uint8_t *in, size_t blocks);
void cry_ghash_blocks_shift(ghash_state_t *state, const uint8_t *in, size_t blocks);
void cry_ghash_blocks_multiply_c(ghash_state_t *state, const uint8_t *in, size_t blocks);
void cry_ghash_blocks_multiply(ghash_state_t *state, const uint8_t *in, size_t blocks);
void cry_ghash_blocks_clmul(ghash_state_t *state, const uint8_t *in, size_t blocks);

#if HAVE_CRY_GHASH_BLOCKS_CLMUL
#define cry_ghash_blocks cry_ghash_blocks_clmul
#elif HAVE_CRY_GHASH_BLOCKS_MULTIPLY
#define cry_ghash_blocks cry_ghash_blocks_multiply
#elif HAVE_CRY_GHASH_BLOCKS_SHIFT
#define cry_ghash_blocks cry_ghash_blocks_shift
#elif defined __riscv && !defined __riscv_mul
#define cry_ghash_blocks cry_ghash_blocks_shift_c
#else
#define cry_ghash_blocks cry_ghash_blocks_multiply_c
#endif

typedef struct {
  ghash_state_t state;
  uint8_t held[GHASH_BLOCK];  // an unfinished block
  size_t held_len;            // bytes in `held`, less than a block
} ghash_t;

// Starts a message, under a key.
void cry_ghash_init(ghash_t *ctx, const uint8_t key[GHASH_BLOCK]);

// Goes on with the message; any lengths.
void cry_ghash_update(ghash_t *ctx, const uint8_t *in, size_t len);

// Adds zeros up to a whole block, none if the message ends with one.
void cry_ghash_pad(ghash_t *ctx);

// Writes the hash of the whole blocks so far.
void cry_ghash_value(const ghash_t *ctx, uint8_t out[GHASH_BLOCK]);

#endif  // CRYPTILE_LIB_GHASH_H
