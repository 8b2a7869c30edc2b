// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 (RFC 8439, section 2.4) as the library itself calls it: it leaves the stack as it is.
#ifndef CRYPTILE_LIB_CHACHA20_H
#define CRYPTILE_LIB_CHACHA20_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/chacha20.h"

#define CHACHA20_BLOCK 64u

// XORs `blocks` blocks of key stream onto `in` and writes `out`: any alignment (4 is faster),
// in place or disjoint. state[12], the block counter, moves on by `blocks` and wraps. Constant
// time.
void cry_chacha20_blocks_c(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks);
void cry_chacha20_blocks_looped(uint32_t state[16], const uint8_t *in, uint8_t *out, size_t blocks);
void cry_chacha20_blocks_unrolled(uint32_t state[16], const uint8_t *in, uint8_t *out,
                                  size_t blocks);

#if HAVE_CRY_CHACHA20_BLOCKS_LOOPED
#define cry_chacha20_blocks cry_chacha20_blocks_looped
#else
#define cry_chacha20_blocks cry_chacha20_blocks_c
#endif

// Starts a stream at block `counter`.
void cry_chacha20_init(cryptile_chacha20_ctx_t *ctx, const uint8_t key[32], const uint8_t nonce[12],
                       uint32_t counter);

// XORs the next `len` bytes of key stream onto `in` and writes `out`, in place or disjoint. Returns
// false, having done nothing, if the block counter would pass 2^32 - 1.
bool cry_chacha20_xor(cryptile_chacha20_ctx_t *ctx, const uint8_t *in, uint8_t *out, size_t len);

#endif  // CRYPTILE_LIB_CHACHA20_H
