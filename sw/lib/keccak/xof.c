// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/xof.h"

#include <stdbool.h>

#include "keccak/keccak.h"
#include "keccak/keccak_encode.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { PHASE_NONE, PHASE_ABSORB, PHASE_SQUEEZE };

static bool known(cryptile_xof_strength_t strength) {
  return strength == CRYPTILE_XOF_128 || strength == CRYPTILE_XOF_256;
}

static WORK cryptile_status_t shake_init(cryptile_xof_ctx_t *ctx,
                                         cryptile_xof_strength_t strength) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  if (!known(strength)) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_keccak_init(&ctx->sponge, (unsigned)strength, KECCAK_SUFFIX_SHAKE);
  ctx->phase = PHASE_ABSORB;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t cshake_init(cryptile_xof_ctx_t *ctx, cryptile_xof_strength_t strength,
                                          const void *name, size_t name_len, const void *custom,
                                          size_t custom_len) {
  if (name_len == 0 && custom_len == 0) {
    return shake_init(ctx, strength);
  }
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  if (!known(strength) || (name == NULL && name_len != 0) || (custom == NULL && custom_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_keccak_cshake(&ctx->sponge, strength, name, name_len, custom, custom_len);
  ctx->phase = PHASE_ABSORB;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t xof_absorb(cryptile_xof_ctx_t *ctx, const void *in, size_t len) {
  if (ctx == NULL || (in == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_ABSORB) {
    return CRYPTILE_ERR_STATE;
  }
  cry_keccak_absorb(&ctx->sponge, in, len);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t xof_squeeze(cryptile_xof_ctx_t *ctx, void *out, size_t len) {
  if (ctx == NULL || (out == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE) {
    return CRYPTILE_ERR_STATE;
  }
  ctx->phase = PHASE_SQUEEZE;
  cry_keccak_squeeze(&ctx->sponge, out, len);
  return CRYPTILE_OK;
}

void cryptile_xof_wipe(cryptile_xof_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

static WORK cryptile_status_t shake(cryptile_xof_strength_t strength, const void *in, size_t len,
                                    void *out, size_t out_len) {
  cryptile_xof_ctx_t ctx;
  cryptile_status_t status = shake_init(&ctx, strength);
  if (status == CRYPTILE_OK && out == NULL && out_len != 0) {
    status = CRYPTILE_ERR_PARAM;
  }
  if (status == CRYPTILE_OK) {
    status = xof_absorb(&ctx, in, len);
  }
  if (status == CRYPTILE_OK) {
    status = xof_squeeze(&ctx, out, out_len);
  }
  cryptile_xof_wipe(&ctx);
  return status;
}

cryptile_status_t cryptile_shake_init(cryptile_xof_ctx_t *ctx, cryptile_xof_strength_t strength) {
  return WIPED(shake_init(ctx, strength), STACK(64, 96));
}

cryptile_status_t cryptile_cshake_init(cryptile_xof_ctx_t *ctx, cryptile_xof_strength_t strength,
                                       const void *name, size_t name_len, const void *custom,
                                       size_t custom_len) {
  return WIPED(cshake_init(ctx, strength, name, name_len, custom, custom_len), STACK(432, 336));
}

cryptile_status_t cryptile_xof_absorb(cryptile_xof_ctx_t *ctx, const void *in, size_t len) {
  return WIPED(xof_absorb(ctx, in, len), STACK(400, 272));
}

cryptile_status_t cryptile_xof_squeeze(cryptile_xof_ctx_t *ctx, void *out, size_t len) {
  return WIPED(xof_squeeze(ctx, out, len), STACK(400, 272));
}

cryptile_status_t cryptile_shake(cryptile_xof_strength_t strength, const void *in, size_t len,
                                 void *out, size_t out_len) {
  return WIPED(shake(strength, in, len, out, out_len), STACK(704, 576));
}
