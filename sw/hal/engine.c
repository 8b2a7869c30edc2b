// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The engine behind cryptile.h: one job per call, chaining kept by the engine in ctx->chain.

#include <string.h>

#include "cryptile.h"
#include "hwpe.h"

static uint32_t key_bytes(const cryptile_cipher_ctx_t *ctx) {
  return 4u * (ctx->rounds - 6u);
}

static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  memcpy(ctx->key, key, key_bytes(ctx));
  return CRYPTILE_OK;
}

static inline cryptile_status_t run(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                    size_t len,
                                    cryptile_status_t (*wait)(unsigned id, uint32_t limit)) {
  hwpe_job_t job = {
      .src = in,
      .dst = out,
      .len = len,
      .key = ctx->key,
      .iv = ctx->chain,
      .ctrl = hwpe_ctrl((cryptile_cipher_mode_t)ctx->mode, (cryptile_direction_t)ctx->direction,
                        key_bytes(ctx)) |
              (ctx->mode != CRYPTILE_ECB ? HwpeCtxSave : 0u),
  };
  unsigned id;
  cryptile_status_t status = cry_hwpe_submit(&job, &id);
  return status == CRYPTILE_OK ? wait(id, cry_hwpe_limit(len)) : status;
}

static cryptile_status_t process_poll(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                      size_t len) {
  return run(ctx, in, out, len, cry_hwpe_wait_poll);
}

static cryptile_status_t process_sleep(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                       size_t len) {
  return run(ctx, in, out, len, cry_hwpe_wait_sleep);
}

const cryptile_cipher_impl_t cryptile_aes_engine_poll = {
    .name = "engine-poll",
    .constant_time = true,
    .key_stack = 16,
    .stack = 48,
    .cbc_decrypt_stack = 48,
    .long_stack = 48,
    .set_key = set_key,
    .process = process_poll,
};

const cryptile_cipher_impl_t cryptile_aes_engine_sleep = {
    .name = "engine-sleep",
    .constant_time = true,
    .key_stack = 16,
    .stack = 96,
    .cbc_decrypt_stack = 96,
    .long_stack = 96,
    .set_key = set_key,
    .process = process_sleep,
};
