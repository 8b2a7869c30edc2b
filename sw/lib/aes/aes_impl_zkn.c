// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_bulk.h"
#include "aes/aes_modes.h"
#include "aes/aes_zkn.h"
#include "wipe/wiped.h"

#if HAVE_CRY_AES_ZKN_CTR_ASM
static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  cry_aes_zkn_expand_key_asm(ctx->key, ctx->rounds, key);
  if (modes_block_direction(ctx) == CRYPTILE_DECRYPT) {
    cry_aes_zkn_invert_key_asm(ctx->key, ctx->rounds);
  }
  return CRYPTILE_OK;
}

static void encrypt(const void *keys, unsigned rounds, const void *in, void *out, size_t blocks) {
  cry_aes_zkn_encrypt_asm(keys, rounds, in, out, blocks);
}

static void decrypt(const void *keys, unsigned rounds, const void *in, void *out, size_t blocks) {
  cry_aes_zkn_decrypt_asm(keys, rounds, in, out, blocks);
}

static void ctr(const void *keys, unsigned rounds, uint32_t counter[4], const void *in, void *out,
                size_t blocks) {
  cry_aes_zkn_ctr_asm(keys, rounds, counter, in, out, blocks);
}

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  const aes_bulk_impl_t impl = {.blocks = 1, .encrypt = encrypt, .decrypt = decrypt, .ctr = ctr};
  cry_aes_bulk_process(ctx, &impl, in, out, len);
  return CRYPTILE_OK;
}

const cryptile_cipher_impl_t cryptile_aes_zkn = {
    .name = "zkn",
    .constant_time = true,
    .key_stack = STACK(144, 272),
    .stack = STACK(384, 640),
    .cbc_decrypt_stack = STACK(512, 896),
    .long_stack = STACK(384, 640),
    .set_key = set_key,
    .process = process,
};
#else
typedef int aes_impl_zkn_is_empty_here;
#endif
