// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "chacha20/chacha20.h"

#include <string.h>

#include "bytes.h"

void cry_chacha20_init(cryptile_chacha20_ctx_t *ctx, const uint8_t key[32], const uint8_t nonce[12],
                       uint32_t counter) {
  static const uint32_t sigma[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (unsigned i = 0; i < 4; ++i) {
    ctx->state[i] = sigma[i];
  }
  for (unsigned i = 0; i < 8; ++i) {
    ctx->state[4 + i] = load32_le(key + 4 * i);
  }
  ctx->state[12] = counter;
  for (unsigned i = 0; i < 3; ++i) {
    ctx->state[13 + i] = load32_le(nonce + 4 * i);
  }
  ctx->left = (0x100000000u - counter) * (uint64_t)CHACHA20_BLOCK;
}

// XORs the next `len` bytes of the block of key stream in hand.
static void xor_held(cryptile_chacha20_ctx_t *ctx, const uint8_t *in, uint8_t *out, size_t len) {
  const uint8_t *key_stream = (const uint8_t *)ctx->key_stream +
                              (CHACHA20_BLOCK - ctx->left % CHACHA20_BLOCK) % CHACHA20_BLOCK;
  for (size_t i = 0; i < len; ++i) {
    out[i] = in[i] ^ key_stream[i];
  }
  ctx->left -= len;
}

bool cry_chacha20_xor(cryptile_chacha20_ctx_t *ctx, const uint8_t *in, uint8_t *out, size_t len) {
  if (len > ctx->left) {
    return false;
  }
  size_t held = (size_t)(ctx->left % CHACHA20_BLOCK);
  if (held != 0) {
    size_t chunk = len < held ? len : held;
    xor_held(ctx, in, out, chunk);
    if (chunk == len) {
      return true;
    }
    in += chunk;
    out += chunk;
    len -= chunk;
  }
  size_t whole = len / CHACHA20_BLOCK;
  if (whole != 0) {
    cry_chacha20_blocks(ctx->state, in, out, whole);
    ctx->left -= whole * CHACHA20_BLOCK;
    in += whole * CHACHA20_BLOCK;
    out += whole * CHACHA20_BLOCK;
    len -= whole * CHACHA20_BLOCK;
  }
  if (len != 0) {
    memset(ctx->key_stream, 0, sizeof ctx->key_stream);
    cry_chacha20_blocks(ctx->state, (const uint8_t *)ctx->key_stream, (uint8_t *)ctx->key_stream,
                        1);
    xor_held(ctx, in, out, len);
  }
  return true;
}
