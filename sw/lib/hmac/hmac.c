// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/hmac.h"

#include <string.h>

#include "declassify.h"
#include "wipe.h"

enum { InnerPad = 0x36, OuterPad = 0x5c };

static void start(cryptile_hash_ctx_t *ctx, const cryptile_hash_alg_t *alg,
                  uint8_t key[CRYPTILE_HASH_MAX_BLOCK], uint8_t change) {
  for (size_t i = 0; i < alg->block_size; i++) {
    key[i] ^= change;
  }
  (void)cryptile_hash_init(ctx, alg);
  (void)cryptile_hash_update(ctx, key, alg->block_size);
}

cryptile_status_t cryptile_hmac_init(cryptile_hmac_ctx_t *ctx, const cryptile_hash_alg_t *alg,
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
    (void)cryptile_hash_init(&ctx->inner, alg);
    (void)cryptile_hash_update(&ctx->inner, key, key_len);
    (void)cryptile_hash_final(&ctx->inner, block);
  } else if (key_len != 0) {
    memcpy(block, key, key_len);
  }
  start(&ctx->inner, alg, block, InnerPad);
  start(&ctx->outer, alg, block, InnerPad ^ OuterPad);
  wipe(block, sizeof(block));
  return CRYPTILE_OK;
}

cryptile_status_t cryptile_hmac_update(cryptile_hmac_ctx_t *ctx, const void *in, size_t len) {
  return ctx == NULL ? CRYPTILE_ERR_PARAM : cryptile_hash_update(&ctx->inner, in, len);
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
  (void)cryptile_hash_final(&ctx->inner, code);
  (void)cryptile_hash_update(&ctx->outer, code, alg->digest_size);
  return cryptile_hash_final(&ctx->outer, code);
}

cryptile_status_t cryptile_hmac_final(cryptile_hmac_ctx_t *ctx, uint8_t *mac, size_t mac_len) {
  uint8_t code[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status == CRYPTILE_OK) {
    memcpy(mac, code, mac_len);
    wipe(code, sizeof(code));
  }
  return status;
}

cryptile_status_t cryptile_hmac_verify(cryptile_hmac_ctx_t *ctx, const uint8_t *mac,
                                       size_t mac_len) {
  uint8_t code[CRYPTILE_HASH_MAX_DIGEST];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status == CRYPTILE_OK) {
    uint32_t difference = 0;
    for (size_t i = 0; i < mac_len; i++) {
      difference |= (uint32_t)(code[i] ^ mac[i]);
    }
    wipe(code, sizeof(code));
    int wrong = (int)((difference + 0xff) >> 8);  // 0 or 1, without a branch
    declassify(&wrong, sizeof(wrong));
    status = (cryptile_status_t)(-wrong & CRYPTILE_ERR_AUTH);
  }
  return status;
}

cryptile_status_t cryptile_hmac(const cryptile_hash_alg_t *alg, const void *key, size_t key_len,
                                const void *in, size_t len, uint8_t *mac, size_t mac_len) {
  cryptile_hmac_ctx_t ctx;
  cryptile_status_t status = cryptile_hmac_init(&ctx, alg, key, key_len);
  if (status == CRYPTILE_OK) {
    status = cryptile_hmac_update(&ctx, in, len);
  }
  if (status == CRYPTILE_OK) {
    status = cryptile_hmac_final(&ctx, mac, mac_len);
  }
  if (status != CRYPTILE_OK) {
    cryptile_hmac_wipe(&ctx);
  }
  return status;
}

cryptile_status_t cryptile_hmac_check(const cryptile_hash_alg_t *alg, const void *key,
                                      size_t key_len, const void *in, size_t len,
                                      const uint8_t *mac, size_t mac_len) {
  cryptile_hmac_ctx_t ctx;
  cryptile_status_t status = cryptile_hmac_init(&ctx, alg, key, key_len);
  if (status == CRYPTILE_OK) {
    status = cryptile_hmac_update(&ctx, in, len);
  }
  if (status == CRYPTILE_OK) {
    status = cryptile_hmac_verify(&ctx, mac, mac_len);
  }
  cryptile_hmac_wipe(&ctx);
  return status;
}

void cryptile_hmac_wipe(cryptile_hmac_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof(*ctx));
  }
}
