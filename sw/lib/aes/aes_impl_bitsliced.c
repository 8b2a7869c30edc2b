// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bitsliced.h"
#include "aes/aes_bitsliced_stream.h"
#include "aes/aes_bulk.h"
#include "aes/aes_modes.h"
#include "wipe/wiped.h"

// The context holds expanded keys; planes are made anew for every run of blocks.

static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  cry_aes_bitsliced_expand_key(ctx->key, ctx->rounds, key);
  return CRYPTILE_OK;
}

void cry_aes_bitsliced_encrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes) {
  const uint8_t *source = in;
  uint8_t *target = out;
  for (; passes != 0; passes--, source += AES_PASS_BYTES, target += AES_PASS_BYTES) {
    cry_aes_bitsliced_encrypt(sliced, rounds, source, target);
  }
}

void cry_aes_bitsliced_decrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes) {
  const uint8_t *source = in;
  uint8_t *target = out;
  for (; passes != 0; passes--, source += AES_PASS_BYTES, target += AES_PASS_BYTES) {
    cry_aes_bitsliced_decrypt(sliced, rounds, source, target);
  }
}

static void ctr(cryptile_cipher_ctx_t *ctx, const aes_plane_t *sliced, const uint8_t *in,
                uint8_t *out, size_t len) {
  const aes_bitsliced_keys_t keys = {sliced, ctx->key, ctx->rounds};
  while (len != 0) {
    size_t part = cry_aes_bulk_before_wrap(ctx->chain, len);
    cry_aes_bitsliced_stream(&keys, ctx->chain, in, out, part);
    cry_aes_bulk_carry(ctx->chain);
    in += part;
    out += part;
    len -= part;
  }
}

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  aes_plane_t sliced[8 * 15];
  const aes_bulk_t bulk = {sliced, ctx->rounds, AES_PASS_BLOCKS};
  cry_aes_bitsliced_slice_keys(sliced, ctx->key, ctx->rounds);
  if (ctx->mode == CRYPTILE_CTR) {
    ctr(ctx, sliced, in, out, len);
  } else if (ctx->mode == CRYPTILE_ECB) {
    cry_aes_bulk_ecb(&bulk,
                     ctx->direction == CRYPTILE_DECRYPT ? cry_aes_bitsliced_decrypt_passes
                                                        : cry_aes_bitsliced_encrypt_passes,
                     in, out, len);
  } else if (ctx->direction == CRYPTILE_DECRYPT) {
    cry_aes_bulk_cbc_decrypt(&bulk, cry_aes_bitsliced_decrypt_passes, ctx->chain, in, out, len);
  } else {
    cry_aes_bulk_cbc_encrypt(&bulk, cry_aes_bitsliced_encrypt_passes, ctx->chain, in, out, len);
  }
  return CRYPTILE_OK;
}

const cryptile_cipher_impl_t cryptile_aes_bitsliced = {
    .name = "bitsliced",
    .constant_time = true,
    .key_stack = STACK(192, 368),
    .stack = STACK(1040, 2016),
    .cbc_decrypt_stack = STACK(1104, 2176),
    .long_stack = STACK(3696, 7072),
    .set_key = set_key,
    .process = process,
};
