// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "hash/hash_core.h"
#include "wipe.h"
#include "wipe/wiped.h"

WORK cryptile_status_t cry_hash_core_init(cryptile_hash_ctx_t *ctx,
                                          const cryptile_hash_alg_t *alg) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->alg = alg;
  if (alg == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  alg->init(alg, &ctx->state);
  return CRYPTILE_OK;
}

WORK cryptile_status_t cry_hash_core_update(cryptile_hash_ctx_t *ctx, const void *in, size_t len) {
  if (ctx == NULL || (in == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->alg == NULL) {
    return CRYPTILE_ERR_STATE;
  }
  if (len != 0) {
    ctx->alg->update(ctx->alg, &ctx->state, in, len);
  }
  return CRYPTILE_OK;
}

WORK cryptile_status_t cry_hash_core_final(cryptile_hash_ctx_t *ctx, uint8_t *digest) {
  if (ctx == NULL || digest == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->alg == NULL) {
    return CRYPTILE_ERR_STATE;
  }
  ctx->alg->final(ctx->alg, &ctx->state, digest);
  cryptile_hash_wipe(ctx);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t whole(const cryptile_hash_alg_t *alg, const void *in, size_t len,
                                    uint8_t *digest) {
  cryptile_hash_ctx_t ctx;
  if (alg == NULL || (in == NULL && len != 0) || digest == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  (void)cry_hash_core_init(&ctx, alg);
  (void)cry_hash_core_update(&ctx, in, len);
  return cry_hash_core_final(&ctx, digest);
}

void cryptile_hash_wipe(cryptile_hash_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof(*ctx));
  }
}

cryptile_status_t cryptile_hash_init(cryptile_hash_ctx_t *ctx, const cryptile_hash_alg_t *alg) {
  return WIPED(cry_hash_core_init(ctx, alg), STACK(96, 160));
}

cryptile_status_t cryptile_hash_update(cryptile_hash_ctx_t *ctx, const void *in, size_t len) {
  const size_t stack = hash_core_stack_of(ctx);
  return WIPED(cry_hash_core_update(ctx, in, len), stack);
}

cryptile_status_t cryptile_hash_final(cryptile_hash_ctx_t *ctx, uint8_t *digest) {
  const size_t stack = hash_core_stack_of(ctx);
  return WIPED(cry_hash_core_final(ctx, digest), stack);
}

cryptile_status_t cryptile_hash(const cryptile_hash_alg_t *alg, const void *in, size_t len,
                                uint8_t *digest) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(whole(alg, in, len, digest),
               STACK(sizeof(cryptile_hash_ctx_t) + 48, sizeof(cryptile_hash_ctx_t) + 80) + stack);
}
