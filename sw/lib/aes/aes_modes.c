// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_modes.h"

#include <string.h>

#include "wipe.h"

static void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len) {
  for (size_t i = 0; i < len; i++) {
    out[i] = a[i] ^ b[i];
  }
}

static void increment_counter(uint8_t counter[16]) {
  for (unsigned i = 16; i-- != 0;) {
    if (++counter[i] != 0) {
      return;
    }
  }
}

static void ctr(cryptile_cipher_ctx_t *ctx, block_fn_t block, const uint8_t *in, uint8_t *out,
                size_t len) {
  uint8_t *counter = (uint8_t *)ctx->chain;
  uint32_t stream[4];
  while (len != 0) {
    size_t part = len < CRYPTILE_BLOCK_SIZE ? len : CRYPTILE_BLOCK_SIZE;
    block(ctx->key, ctx->rounds, counter, (uint8_t *)stream);
    increment_counter(counter);
    xor_bytes(out, in, (const uint8_t *)stream, part);
    in += part;
    out += part;
    len -= part;
  }
  wipe(stream, sizeof(stream));
}

static void cbc_encrypt_block(cryptile_cipher_ctx_t *ctx, block_fn_t block, const uint8_t *in,
                              uint8_t *out) {
  uint8_t *chain = (uint8_t *)ctx->chain;
  xor_bytes(chain, chain, in, CRYPTILE_BLOCK_SIZE);
  block(ctx->key, ctx->rounds, chain, chain);
  memcpy(out, chain, CRYPTILE_BLOCK_SIZE);
}

static void cbc_decrypt_block(cryptile_cipher_ctx_t *ctx, block_fn_t block, const uint8_t *in,
                              uint8_t *out) {
  uint32_t ciphertext[4];
  uint32_t plain[4];
  memcpy(ciphertext, in, sizeof(ciphertext));
  block(ctx->key, ctx->rounds, (const uint8_t *)ciphertext, (uint8_t *)plain);
  xor_bytes(out, (const uint8_t *)plain, (const uint8_t *)ctx->chain, CRYPTILE_BLOCK_SIZE);
  memcpy(ctx->chain, ciphertext, sizeof(ciphertext));
  wipe(plain, sizeof(plain));
}

cryptile_status_t cry_modes_process(cryptile_cipher_ctx_t *ctx, block_fn_t block, const uint8_t *in,
                                    uint8_t *out, size_t len) {
  if (ctx->mode == CRYPTILE_CTR) {
    ctr(ctx, block, in, out, len);
    return CRYPTILE_OK;
  }
  for (; len != 0; len -= CRYPTILE_BLOCK_SIZE) {
    if (ctx->mode == CRYPTILE_ECB) {
      block(ctx->key, ctx->rounds, in, out);
    } else if (ctx->direction == CRYPTILE_ENCRYPT) {
      cbc_encrypt_block(ctx, block, in, out);
    } else {
      cbc_decrypt_block(ctx, block, in, out);
    }
    in += CRYPTILE_BLOCK_SIZE;
    out += CRYPTILE_BLOCK_SIZE;
  }
  return CRYPTILE_OK;
}
