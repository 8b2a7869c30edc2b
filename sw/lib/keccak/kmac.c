// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/xof.h"
#include "equal.h"
#include "keccak/keccak.h"
#include "keccak/keccak_encode.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { PHASE_NONE, PHASE_ABSORB, PHASE_SQUEEZE };

static WORK cryptile_status_t kmac_init(cryptile_kmac_ctx_t *ctx, cryptile_xof_strength_t strength,
                                        const void *key, size_t key_len, const void *custom,
                                        size_t custom_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  if ((strength != CRYPTILE_XOF_128 && strength != CRYPTILE_XOF_256) ||
      (key == NULL && key_len != 0) || (custom == NULL && custom_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_keccak_cshake(&ctx->sponge, strength, "KMAC", 4, custom, custom_len);
  cry_keccak_left_encode(&ctx->sponge, (unsigned)strength);
  cry_keccak_encode_string(&ctx->sponge, key, key_len);
  cry_keccak_fill(&ctx->sponge);
  ctx->phase = PHASE_ABSORB;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t kmac_update(cryptile_kmac_ctx_t *ctx, const void *in, size_t len) {
  if (ctx == NULL || (in == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_ABSORB) {
    return CRYPTILE_ERR_STATE;
  }
  cry_keccak_absorb(&ctx->sponge, in, len);
  return CRYPTILE_OK;
}

// Checks what final and verify have in common, and absorbs the length of the code.
static cryptile_status_t end(cryptile_kmac_ctx_t *ctx, const void *mac, size_t mac_len) {
  if (ctx == NULL || mac == NULL || mac_len == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_ABSORB) {
    return CRYPTILE_ERR_STATE;
  }
  cry_keccak_right_encode(&ctx->sponge, (uint64_t)mac_len * 8);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t kmac_final(cryptile_kmac_ctx_t *ctx, void *mac, size_t mac_len) {
  const cryptile_status_t status = end(ctx, mac, mac_len);
  if (status == CRYPTILE_OK) {
    cry_keccak_squeeze(&ctx->sponge, mac, mac_len);
    wipe(ctx, sizeof *ctx);
  }
  return status;
}

static WORK cryptile_status_t kmac_verify(cryptile_kmac_ctx_t *ctx, const void *mac,
                                          size_t mac_len) {
  const cryptile_status_t status = end(ctx, mac, mac_len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  const uint8_t *given = mac;
  uint8_t block[32], difference = 0;
  while (mac_len != 0) {
    const size_t now = mac_len < sizeof block ? mac_len : sizeof block;
    cry_keccak_squeeze(&ctx->sponge, block, now);
    difference |= differing(block, given, now);
    given += now;
    mac_len -= now;
  }
  wipe(block, sizeof block);
  wipe(ctx, sizeof *ctx);
  return equal_verdict(difference) ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

static WORK cryptile_status_t kmac_squeeze(cryptile_kmac_ctx_t *ctx, void *out, size_t len) {
  if (ctx == NULL || (out == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE) {
    return CRYPTILE_ERR_STATE;
  }
  if (ctx->phase == PHASE_ABSORB) {
    cry_keccak_right_encode(&ctx->sponge, 0);
    ctx->phase = PHASE_SQUEEZE;
  }
  cry_keccak_squeeze(&ctx->sponge, out, len);
  return CRYPTILE_OK;
}

void cryptile_kmac_wipe(cryptile_kmac_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

cryptile_status_t cryptile_kmac_init(cryptile_kmac_ctx_t *ctx, cryptile_xof_strength_t strength,
                                     const void *key, size_t key_len, const void *custom,
                                     size_t custom_len) {
  return WIPED(kmac_init(ctx, strength, key, key_len, custom, custom_len), STACK(368, 256));
}

cryptile_status_t cryptile_kmac_update(cryptile_kmac_ctx_t *ctx, const void *in, size_t len) {
  return WIPED(kmac_update(ctx, in, len), STACK(400, 272));
}

cryptile_status_t cryptile_kmac_final(cryptile_kmac_ctx_t *ctx, void *mac, size_t mac_len) {
  return WIPED(kmac_final(ctx, mac, mac_len), STACK(448, 320));
}

cryptile_status_t cryptile_kmac_verify(cryptile_kmac_ctx_t *ctx, const void *mac, size_t mac_len) {
  return WIPED(kmac_verify(ctx, mac, mac_len), STACK(480, 400));
}

cryptile_status_t cryptile_kmac_squeeze(cryptile_kmac_ctx_t *ctx, void *out, size_t len) {
  return WIPED(kmac_squeeze(ctx, out, len), STACK(400, 288));
}
