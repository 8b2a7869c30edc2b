// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "ghash/ghash.h"

#include <string.h>

#include "bytes.h"

void cry_ghash_init(ghash_t *ctx, const uint8_t key[GHASH_BLOCK]) {
  memset(ctx, 0, sizeof *ctx);
  uint32_t *h = ctx->state.h;
  uint32_t carry = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t word = load32_be(key + 12 - 4 * i);
    h[i] = word << 1 | carry;
    carry = word >> 31;
  }
  // What falls out is x^-1 = x^127 + x^6 + x + 1.
  h[0] ^= carry;
  h[3] ^= 0xc2000000u & (0u - carry);
}

void cry_ghash_update(ghash_t *ctx, const uint8_t *in, size_t len) {
  if (len == 0) {
    return;
  }
  if (ctx->held_len != 0) {
    size_t room = GHASH_BLOCK - ctx->held_len;
    size_t chunk = len < room ? len : room;
    memcpy(ctx->held + ctx->held_len, in, chunk);
    ctx->held_len += chunk;
    in += chunk;
    len -= chunk;
    if (ctx->held_len == GHASH_BLOCK) {
      cry_ghash_blocks(&ctx->state, ctx->held, 1);
      ctx->held_len = 0;
    }
  }
  size_t whole = len / GHASH_BLOCK;
  if (whole != 0) {
    cry_ghash_blocks(&ctx->state, in, whole);
  }
  size_t rest = len % GHASH_BLOCK;
  if (rest != 0) {
    memcpy(ctx->held, in + (len - rest), rest);
    ctx->held_len = rest;
  }
}

void cry_ghash_pad(ghash_t *ctx) {
  static const uint8_t zeros[GHASH_BLOCK];
  cry_ghash_update(ctx, zeros, (GHASH_BLOCK - ctx->held_len) % GHASH_BLOCK);
}

void cry_ghash_value(const ghash_t *ctx, uint8_t out[GHASH_BLOCK]) {
  for (unsigned i = 0; i < 4; ++i) {
    store32_be(out + 4 * i, ctx->state.y[3 - i]);
  }
}
