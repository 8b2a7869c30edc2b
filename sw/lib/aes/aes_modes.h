// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ECB, CBC and CTR (NIST SP 800-38A) over a block cipher in software.
#ifndef CRYPTILE_LIB_AES_MODES_H
#define CRYPTILE_LIB_AES_MODES_H

#include "cryptile.h"

// Transforms one block. `in` and `out` may be the same; any alignment.
typedef void (*block_fn_t)(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                           uint8_t out[16]);

// cryptile_cipher_impl_t.process for a cipher given as the function that the context's mode and
// direction need: see modes_block_direction().
cryptile_status_t cry_modes_process(cryptile_cipher_ctx_t *ctx, block_fn_t block, const uint8_t *in,
                                    uint8_t *out, size_t len);

// The direction of the block cipher itself: CTR always encrypts.
static inline cryptile_direction_t modes_block_direction(const cryptile_cipher_ctx_t *ctx) {
  return ctx->mode == CRYPTILE_CTR ? CRYPTILE_ENCRYPT : (cryptile_direction_t)ctx->direction;
}

#endif  // CRYPTILE_LIB_AES_MODES_H
