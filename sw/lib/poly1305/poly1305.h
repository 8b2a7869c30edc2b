// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Poly1305 (RFC 8439, section 2.5).
#ifndef CRYPTILE_LIB_POLY1305_H
#define CRYPTILE_LIB_POLY1305_H

#include <stddef.h>
#include <stdint.h>

#define POLY1305_BLOCK 16u
#define POLY1305_TAG   16u

// Words are least significant first.
typedef struct {
  _Alignas(8) uint32_t h[6];  // the sum so far, below 5 * 2^128; h[5] is 0
  uint32_t r[4];              // the clamped multiplier
} poly1305_state_t;

// For each block b of `blocks`: h = (h + b + hibit * 2^128) * r mod 2^130 - 5, not wholly reduced.
// `hibit` is 1, or 0 for a last block that carries its own end mark. Any alignment of `in` (that of
// a register may be faster).
//
// _c, _multiply: constant time if the core's multiplier is (_c also without one). _shift: does not
// multiply; constant time on every core.
void cry_poly1305_blocks_c(poly1305_state_t *state, const uint8_t *in, size_t blocks,
                           uint32_t hibit);
void cry_poly1305_blocks_multiply(poly1305_state_t *state, const uint8_t *in, size_t blocks,
                                  uint32_t hibit);
void cry_poly1305_blocks_shift(poly1305_state_t *state, const uint8_t *in, size_t blocks,
                               uint32_t hibit);

#if HAVE_CRY_POLY1305_BLOCKS_MULTIPLY
#define cry_poly1305_blocks cry_poly1305_blocks_multiply
#elif HAVE_CRY_POLY1305_BLOCKS_SHIFT
#define cry_poly1305_blocks cry_poly1305_blocks_shift
#else
#define cry_poly1305_blocks cry_poly1305_blocks_c
#endif

typedef struct {
  poly1305_state_t state;
  uint32_t pad[4];               // second half of the key
  uint8_t held[POLY1305_BLOCK];  // an unfinished block
  size_t held_len;               // bytes in `held`, less than a block
} poly1305_t;

// Starts a message. A key is good for one message only.
void cry_poly1305_init(poly1305_t *ctx, const uint8_t key[32]);

// Goes on with the message; any lengths.
void cry_poly1305_update(poly1305_t *ctx, const uint8_t *in, size_t len);

// Adds zeros up to a whole block, none if the message ends with one.
void cry_poly1305_pad(poly1305_t *ctx);

// Writes the tag and wipes the context.
void cry_poly1305_final(poly1305_t *ctx, uint8_t tag[POLY1305_TAG]);

#endif  // CRYPTILE_LIB_POLY1305_H
