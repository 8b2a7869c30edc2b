// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "poly1305/poly1305.h"

#include <string.h>

#include "bytes.h"
#include "wipe.h"

void cry_poly1305_init(poly1305_t *ctx, const uint8_t key[32]) {
  memset(ctx, 0, sizeof *ctx);
  for (unsigned i = 0; i < 4; ++i) {
    ctx->state.r[i] = load32_le(key + 4 * i) & (i == 0 ? 0x0fffffffu : 0x0ffffffcu);
    ctx->pad[i] = load32_le(key + 16 + 4 * i);
  }
}

void cry_poly1305_update(poly1305_t *ctx, const uint8_t *in, size_t len) {
  if (len == 0) {
    return;
  }
  if (ctx->held_len != 0) {
    size_t room = POLY1305_BLOCK - ctx->held_len;
    size_t chunk = len < room ? len : room;
    memcpy(ctx->held + ctx->held_len, in, chunk);
    ctx->held_len += chunk;
    in += chunk;
    len -= chunk;
    if (ctx->held_len == POLY1305_BLOCK) {
      cry_poly1305_blocks(&ctx->state, ctx->held, 1, 1);
      ctx->held_len = 0;
    }
  }
  size_t whole = len / POLY1305_BLOCK;
  if (whole != 0) {
    cry_poly1305_blocks(&ctx->state, in, whole, 1);
  }
  size_t rest = len % POLY1305_BLOCK;
  if (rest != 0) {
    memcpy(ctx->held, in + (len - rest), rest);
    ctx->held_len = rest;
  }
}

void cry_poly1305_pad(poly1305_t *ctx) {
  static const uint8_t zeros[POLY1305_BLOCK];
  cry_poly1305_update(ctx, zeros, (POLY1305_BLOCK - ctx->held_len) % POLY1305_BLOCK);
}

void cry_poly1305_final(poly1305_t *ctx, uint8_t tag[POLY1305_TAG]) {
  if (ctx->held_len != 0) {
    ctx->held[ctx->held_len] = 1;
    memset(ctx->held + ctx->held_len + 1, 0, POLY1305_BLOCK - 1 - ctx->held_len);
    cry_poly1305_blocks(&ctx->state, ctx->held, 1, 0);
  }
  // h is below 2 * (2^130 - 5): one conditional subtraction reduces it. If h + 5 reaches 2^130, the
  // result is h + 5 without that bit.
  const uint32_t *h = ctx->state.h;
  uint64_t sum = 5;
  for (unsigned i = 0; i < 4; ++i) {
    sum = (sum + h[i]) >> 32;
  }
  uint32_t five = 5 & (0u - (((uint32_t)sum + h[4]) >> 2));
  uint64_t reduced = five;
  sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    reduced += h[i];
    sum += (uint64_t)(uint32_t)reduced + ctx->pad[i];
    store32_le(tag + 4 * i, (uint32_t)sum);
    reduced >>= 32;
    sum >>= 32;
  }
  wipe(ctx, sizeof *ctx);
}
