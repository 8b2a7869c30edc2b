// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "equal.h"
#include "hash/hash_core.h"
#include "hmac/hmac_core.h"
#include "wipe.h"

enum { InnerPad = 0x36, OuterPad = 0x5c };

static void start(cryptile_hash_ctx_t *ctx, const cryptile_hash_alg_t *alg,
                  uint8_t key[CRYPTILE_HASH_MAX_BLOCK], uint8_t change) {
  for (size_t i = 0; i < alg->block_size; i++) {
    key[i] ^= change;
  }
  (void)cry_hash_core_init(ctx, alg);
  (void)cry_hash_core_update(ctx, key, alg->block_size);
}

WORK cryptile_status_t cry_hmac_core_init(cryptile_hmac_ctx_t *ctx, const cryptile_hash_alg_t *alg,
                                          const void *key, size_t key_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->inner.alg = NULL;
  if (alg == NULL || alg->block_size == 0 || (key == NULL && key_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  uint8_t block[CRYPTILE_HASH_MAX_BLOCK] = {0};
  if (key_len > alg->block_size) {
    (void)cry_hash_core_init(&ctx->inner, alg);
    (void)cry_hash_core_update(&ctx->inner, key, key_len);
    (void)cry_hash_core_final(&ctx->inner, block);
  } else if (key_len != 0) {
    memcpy(block, key, key_len);
  }
  start(&ctx->inner, alg, block, InnerPad);
  start(&ctx->outer, alg, block, InnerPad ^ OuterPad);
  wipe(block, sizeof(block));
  return CRYPTILE_OK;
}

WORK cryptile_status_t cry_hmac_core_update(cryptile_hmac_ctx_t *ctx, const void *in, size_t len) {
  return ctx == NULL ? CRYPTILE_ERR_PARAM : cry_hash_core_update(&ctx->inner, in, len);
}

// Checks parameters, ends the message and wipes the context; `code` has digest_size bytes.
static cryptile_status_t finish(cryptile_hmac_ctx_t *ctx, const uint8_t *mac, size_t mac_len,
                                uint8_t code[CRYPTILE_HASH_MAX_DIGEST]) {
  if (ctx == NULL || mac == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  const cryptile_hash_alg_t *alg = ctx->inner.alg;
  if (alg == NULL) {
    return CRYPTILE_ERR_STATE;
  }
  if (mac_len == 0 || mac_len > alg->digest_size) {
    return CRYPTILE_ERR_PARAM;
  }
  (void)cry_hash_core_final(&ctx->inner, code);
  (void)cry_hash_core_update(&ctx->outer, code, alg->digest_size);
  return cry_hash_core_final(&ctx->outer, code);
}

WORK cryptile_status_t cry_hmac_core_final(cryptile_hmac_ctx_t *ctx, uint8_t *mac, size_t mac_len) {
  uint8_t code[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status == CRYPTILE_OK) {
    memcpy(mac, code, mac_len);
    wipe(code, sizeof(code));
  }
  return status;
}

static WORK cryptile_status_t verify(cryptile_hmac_ctx_t *ctx, const uint8_t *mac, size_t mac_len) {
  uint8_t code[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status == CRYPTILE_OK) {
    status = equal(code, mac, mac_len) ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
    wipe(code, sizeof(code));
  }
  return status;
}

WORK cryptile_status_t cry_hmac_core(const cryptile_hash_alg_t *alg, const void *key,
                                     size_t key_len, const void *in, size_t len, uint8_t *mac,
                                     size_t mac_len) {
  cryptile_hmac_ctx_t ctx;
  cryptile_status_t status = cry_hmac_core_init(&ctx, alg, key, key_len);
  if (status == CRYPTILE_OK) {
    status = cry_hmac_core_update(&ctx, in, len);
  }
  if (status == CRYPTILE_OK) {
    status = cry_hmac_core_final(&ctx, mac, mac_len);
  }
  if (status != CRYPTILE_OK) {
    cryptile_hmac_wipe(&ctx);
  }
  return status;
}

static WORK cryptile_status_t check(const cryptile_hash_alg_t *alg, const void *key, size_t key_len,
                                    const void *in, size_t len, const uint8_t *mac,
                                    size_t mac_len) {
  cryptile_hmac_ctx_t ctx;
  cryptile_status_t status = cry_hmac_core_init(&ctx, alg, key, key_len);
  if (status == CRYPTILE_OK) {
    status = cry_hmac_core_update(&ctx, in, len);
  }
  if (status == CRYPTILE_OK) {
    status = verify(&ctx, mac, mac_len);
  }
  cryptile_hmac_wipe(&ctx);
  return status;
}

void cryptile_hmac_wipe(cryptile_hmac_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof(*ctx));
  }
}

cryptile_status_t cryptile_hmac_init(cryptile_hmac_ctx_t *ctx, const cryptile_hash_alg_t *alg,
                                     const void *key, size_t key_len) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(cry_hmac_core_init(ctx, alg, key, key_len), STACK(192, 224) + stack);
}

cryptile_status_t cryptile_hmac_update(cryptile_hmac_ctx_t *ctx, const void *in, size_t len) {
  const size_t stack = ctx == NULL ? 0 : hash_core_stack_of(&ctx->inner);
  return WIPED(cry_hmac_core_update(ctx, in, len), stack);
}

cryptile_status_t cryptile_hmac_final(cryptile_hmac_ctx_t *ctx, uint8_t *mac, size_t mac_len) {
  const size_t stack = ctx == NULL ? 0 : hash_core_stack_of(&ctx->inner);
  return WIPED(cry_hmac_core_final(ctx, mac, mac_len), STACK(128, 160) + stack);
}

cryptile_status_t cryptile_hmac_verify(cryptile_hmac_ctx_t *ctx, const uint8_t *mac,
                                       size_t mac_len) {
  const size_t stack = ctx == NULL ? 0 : hash_core_stack_of(&ctx->inner);
  return WIPED(verify(ctx, mac, mac_len), STACK(128, 160) + stack);
}

cryptile_status_t cryptile_hmac(const cryptile_hash_alg_t *alg, const void *key, size_t key_len,
                                const void *in, size_t len, uint8_t *mac, size_t mac_len) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(cry_hmac_core(alg, key, key_len, in, len, mac, mac_len), STACK(704, 800) + stack);
}

cryptile_status_t cryptile_hmac_check(const cryptile_hash_alg_t *alg, const void *key,
                                      size_t key_len, const void *in, size_t len,
                                      const uint8_t *mac, size_t mac_len) {
  const size_t stack = hash_core_stack(alg);
  return WIPED(check(alg, key, key_len, in, len, mac, mac_len), STACK(704, 800) + stack);
}
