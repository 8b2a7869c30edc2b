// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 (RFC 8439, section 2.4).
#ifndef CRYPTILE_LIB_CHACHA20_H
#define CRYPTILE_LIB_CHACHA20_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHACHA20_BLOCK 64u

// XORs `blocks` blocks of key stream onto `in` and writes `out`: any alignment (4 is faster),
// in place or disjoint. state[12], the block counter, moves on by `blocks` and wraps. Constant time.
void chacha20_blocks_c(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks);
void chacha20_blocks_looped(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks);
void chacha20_blocks_unrolled(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks);

#if HAVE_CHACHA20_BLOCKS_LOOPED
#define chacha20_blocks chacha20_blocks_looped
#else
#define chacha20_blocks chacha20_blocks_c
#endif

// A stream: any lengths, one after the other.
typedef struct {
  uint32_t state[16];
  uint32_t key_stream[16];  // the last block, while a part of it is unused
  uint64_t left;            // bytes until the block counter would wrap
} chacha20_t;

// Starts a stream at block `counter`.
void chacha20_init(chacha20_t *ctx, const uint8_t key[32], const uint8_t nonce[12],
                   uint32_t counter);

// XORs the next `len` bytes of key stream onto `in` and writes `out`, in place or disjoint. Returns
// false, having done nothing, if the block counter would pass 2^32 - 1.
bool chacha20_xor(chacha20_t *ctx, const uint8_t *in, uint8_t *out, size_t len);

#endif  // CRYPTILE_LIB_CHACHA20_H
