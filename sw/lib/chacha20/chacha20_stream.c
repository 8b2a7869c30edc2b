// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "chacha20/chacha20.h"
#include "cryptile/chacha20.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"

// The first word of every state is a constant that is not zero: it tells that a context is in use.
static bool is_ready(const cryptile_chacha20_ctx_t *ctx) {
  return ctx->state[0] != 0;
}

static WORK cryptile_status_t init(cryptile_chacha20_ctx_t *ctx, const uint8_t key[32],
                                   const uint8_t nonce[12], uint32_t counter) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->state[0] = 0;
  if (key == NULL || nonce == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_chacha20_init(ctx, key, nonce, counter);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t update(cryptile_chacha20_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                     size_t len) {
  if (ctx == NULL || ((in == NULL || out == NULL) && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!is_ready(ctx)) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > ctx->left) {
    return CRYPTILE_ERR_LENGTH;
  }
  (void)cry_chacha20_xor(ctx, overlap_settle(in, out, len), out, len);
  return CRYPTILE_OK;
}

// The context is wiped with the stack.
static WORK cryptile_status_t whole(const uint8_t key[32], const uint8_t nonce[12],
                                    uint32_t counter, const uint8_t *in, uint8_t *out, size_t len) {
  cryptile_chacha20_ctx_t ctx;
  cryptile_status_t status = init(&ctx, key, nonce, counter);
  return status == CRYPTILE_OK ? update(&ctx, in, out, len) : status;
}

void cryptile_chacha20_wipe(cryptile_chacha20_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

cryptile_status_t cryptile_chacha20_init(cryptile_chacha20_ctx_t *ctx, const uint8_t key[32],
                                         const uint8_t nonce[12], uint32_t counter) {
  return WIPED(init(ctx, key, nonce, counter), STACK(64, 96));
}

cryptile_status_t cryptile_chacha20_update(cryptile_chacha20_ctx_t *ctx, const uint8_t *in,
                                           uint8_t *out, size_t len) {
  return WIPED(update(ctx, in, out, len), STACK(272, 384));
}

cryptile_status_t cryptile_chacha20(const uint8_t key[32], const uint8_t nonce[12],
                                    uint32_t counter, const uint8_t *in, uint8_t *out, size_t len) {
  return WIPED(whole(key, nonce, counter, in, out, len), STACK(448, 576));
}
