// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/cmac.h"

#include <stdbool.h>
#include <string.h>

#include "aes/aes_cbc_mac.h"
#include "equal.h"
#include "wipe.h"
#include "wipe/wiped.h"

typedef struct {
  aes_key_t key;
  aes_cbc_mac_t mac;
  bool ready;
} state_t;

_Static_assert(sizeof(state_t) <= sizeof(cryptile_cmac_ctx_t), "the context is too small");

static state_t *state_of(cryptile_cmac_ctx_t *ctx) {
  return (state_t *)ctx->state;
}

static WORK cryptile_status_t init(cryptile_cmac_ctx_t *ctx, const uint8_t *key, size_t key_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  state_t *s = state_of(ctx);
  s->ready = false;
  if (key == NULL || (key_len != 16 && key_len != 24 && key_len != 32)) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_aes_set_encrypt_key(&s->key, key, (unsigned)key_len);
  memset(&s->mac, 0, sizeof s->mac);
  s->ready = true;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t update(cryptile_cmac_ctx_t *ctx, const void *in, size_t len) {
  if (ctx == NULL || (in == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  state_t *s = state_of(ctx);
  if (!s->ready) {
    return CRYPTILE_ERR_STATE;
  }
  cry_aes_cbc_mac_add(&s->mac, &s->key, in, len);
  return CRYPTILE_OK;
}

// Multiplies by x in GF(2^128), bits in the order of SP 800-38B.
static void double_block(uint8_t block[AesBlock]) {
  const uint8_t reduction = (uint8_t)(0x87 & -(block[0] >> 7));
  for (unsigned i = 0; i + 1 < AesBlock; i++) {
    block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
  }
  block[AesBlock - 1] = (uint8_t)(block[AesBlock - 1] << 1 ^ reduction);
}

// Checks parameters, ends the message and wipes the context; `code` has its full length.
static cryptile_status_t finish(cryptile_cmac_ctx_t *ctx, const uint8_t *mac, size_t mac_len,
                                uint8_t code[AesBlock]) {
  if (ctx == NULL || mac == NULL || mac_len == 0 || mac_len > CRYPTILE_CMAC_MAX_MAC) {
    return CRYPTILE_ERR_PARAM;
  }
  state_t *s = state_of(ctx);
  if (!s->ready) {
    return CRYPTILE_ERR_STATE;
  }
  uint8_t *chain = (uint8_t *)s->mac.chain;
  uint8_t subkey[AesBlock] = {0};
  cry_aes_encrypt_block(&s->key, subkey, subkey);
  double_block(subkey);
  if (s->mac.used != AesBlock) {
    chain[s->mac.used] ^= 0x80;
    double_block(subkey);
  }
  for (unsigned i = 0; i < AesBlock; i++) {
    chain[i] ^= subkey[i];
  }
  cry_aes_encrypt_block(&s->key, chain, code);
  wipe(subkey, sizeof subkey);
  wipe(ctx, sizeof *ctx);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t final(cryptile_cmac_ctx_t *ctx, uint8_t *mac, size_t mac_len) {
  uint8_t code[AesBlock];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status == CRYPTILE_OK) {
    memcpy(mac, code, mac_len);
  }
  return status;
}

static WORK cryptile_status_t verify(cryptile_cmac_ctx_t *ctx, const uint8_t *mac, size_t mac_len) {
  uint8_t code[AesBlock];
  cryptile_status_t status = finish(ctx, mac, mac_len, code);
  if (status != CRYPTILE_OK) {
    return status;
  }
  return equal(code, mac, mac_len) ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

// The context is wiped with the stack.
static WORK cryptile_status_t whole(const uint8_t *key, size_t key_len, const void *in, size_t len,
                                    uint8_t *mac, size_t mac_len) {
  cryptile_cmac_ctx_t ctx;
  cryptile_status_t status = init(&ctx, key, key_len);
  if (status == CRYPTILE_OK) {
    status = update(&ctx, in, len);
  }
  return status == CRYPTILE_OK ? final(&ctx, mac, mac_len) : status;
}

static WORK cryptile_status_t check(const uint8_t *key, size_t key_len, const void *in, size_t len,
                                    const uint8_t *mac, size_t mac_len) {
  cryptile_cmac_ctx_t ctx;
  cryptile_status_t status = init(&ctx, key, key_len);
  if (status == CRYPTILE_OK) {
    status = update(&ctx, in, len);
  }
  return status == CRYPTILE_OK ? verify(&ctx, mac, mac_len) : status;
}

void cryptile_cmac_wipe(cryptile_cmac_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { KeyStack = STACK(176, 320), BlockStack = STACK(288, 432) };
#else
enum { KeyStack = STACK(480, 848), BlockStack = STACK(400, 768) };
#endif
enum {
  MostStack = (int)KeyStack > (int)BlockStack ? (int)KeyStack : (int)BlockStack,
  WholeStack = sizeof(cryptile_cmac_ctx_t) + STACK(64, 112) + MostStack,
};

cryptile_status_t cryptile_cmac_init(cryptile_cmac_ctx_t *ctx, const uint8_t *key, size_t key_len) {
  return WIPED(init(ctx, key, key_len), KeyStack);
}

cryptile_status_t cryptile_cmac_update(cryptile_cmac_ctx_t *ctx, const void *in, size_t len) {
  return WIPED(update(ctx, in, len), BlockStack);
}

cryptile_status_t cryptile_cmac_final(cryptile_cmac_ctx_t *ctx, uint8_t *mac, size_t mac_len) {
  return WIPED(final(ctx, mac, mac_len), BlockStack);
}

cryptile_status_t cryptile_cmac_verify(cryptile_cmac_ctx_t *ctx, const uint8_t *mac,
                                       size_t mac_len) {
  return WIPED(verify(ctx, mac, mac_len), BlockStack);
}

cryptile_status_t cryptile_cmac(const uint8_t *key, size_t key_len, const void *in, size_t len,
                                uint8_t *mac, size_t mac_len) {
  return WIPED(whole(key, key_len, in, len, mac, mac_len), WholeStack);
}

cryptile_status_t cryptile_cmac_check(const uint8_t *key, size_t key_len, const void *in,
                                      size_t len, const uint8_t *mac, size_t mac_len) {
  return WIPED(check(key, key_len, in, len, mac, mac_len), WholeStack);
}
