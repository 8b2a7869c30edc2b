// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cipher/pkcs7.h"
#include "cryptile.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { StateNone = 0, StateReady = 1 };

static bool removes_padding(const cryptile_cipher_ctx_t *ctx) {
  return ctx->padding == CRYPTILE_PAD_PKCS7 && ctx->direction == CRYPTILE_DECRYPT;
}

static bool params_valid(const cryptile_cipher_params_t *params) {
  if ((unsigned)params->mode > CRYPTILE_CTR || (unsigned)params->direction > CRYPTILE_DECRYPT ||
      (unsigned)params->padding > CRYPTILE_PAD_PKCS7) {
    return false;
  }
  if (params->mode == CRYPTILE_CTR && params->padding != CRYPTILE_PAD_NONE) {
    return false;
  }
  if (params->mode != CRYPTILE_ECB && params->iv == NULL) {
    return false;
  }
  return params->key != NULL &&
         (params->key_len == 16 || params->key_len == 24 || params->key_len == 32);
}

static WORK cryptile_status_t init(cryptile_cipher_ctx_t *ctx, const cryptile_cipher_impl_t *impl,
                                   const cryptile_cipher_params_t *params) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->state = StateNone;
  if (impl == NULL || params == NULL || !params_valid(params)) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->impl = impl;
  ctx->mode = (uint8_t)params->mode;
  ctx->direction = (uint8_t)params->direction;
  ctx->padding = (uint8_t)params->padding;
  ctx->rounds = (uint8_t)(6 + params->key_len / 4);
  ctx->held_len = 0;
  if (params->mode != CRYPTILE_ECB) {
    memcpy(ctx->chain, params->iv, CRYPTILE_BLOCK_SIZE);
  }
  cryptile_status_t status = impl->set_key(ctx, params->key);
  if (status != CRYPTILE_OK) {
    cryptile_cipher_wipe(ctx);
    return status;
  }
  ctx->state = StateReady;
  return CRYPTILE_OK;
}

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  if (len == 0) {
    return CRYPTILE_OK;
  }
  cryptile_status_t status = ctx->impl->process(ctx, in, out, len);
  if (status != CRYPTILE_OK) {
    cryptile_cipher_wipe(ctx);
  }
  return status;
}

static WORK cryptile_status_t update(cryptile_cipher_ctx_t *ctx, const uint8_t *in, size_t in_len,
                                     uint8_t *out, size_t out_size, size_t *out_len) {
  if (ctx == NULL || out_len == NULL || (in == NULL && in_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  *out_len = 0;
  if (ctx->state != StateReady) {
    return CRYPTILE_ERR_STATE;
  }
  uint8_t *held = (uint8_t *)ctx->held;
  size_t total = ctx->held_len + in_len;
  if (total < in_len) {
    return CRYPTILE_ERR_LENGTH;
  }
  // The last block stays back while it may turn out to be the padding.
  size_t ready = total;
  if (removes_padding(ctx) && total != 0) {
    ready = total - 1;
  }
  ready -= ready % CRYPTILE_BLOCK_SIZE;
  if (ready > out_size) {
    return CRYPTILE_ERR_LENGTH;
  }
  if (ready != 0 && out == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  // Output may lie anywhere on the input: the first block, if its input was held, is written last,
  // and what is to be held is taken first.
  uint8_t first[CRYPTILE_BLOCK_SIZE];
  size_t lead = 0;
  if (ready != 0 && ctx->held_len != 0) {
    size_t fill = CRYPTILE_BLOCK_SIZE - ctx->held_len;
    if (fill != 0) {
      memcpy(held + ctx->held_len, in, fill);
      in += fill;
      in_len -= fill;
    }
    cryptile_status_t status = process(ctx, held, held, CRYPTILE_BLOCK_SIZE);
    if (status != CRYPTILE_OK) {
      return status;
    }
    memcpy(first, held, sizeof first);
    ctx->held_len = 0;
    lead = sizeof first;
  }
  size_t bulk = ready - lead;
  size_t rest = in_len - bulk;
  if (rest != 0) {
    memcpy(held + ctx->held_len, in + bulk, rest);
    ctx->held_len = (uint8_t)(ctx->held_len + rest);
  }
  if (bulk != 0) {
    uint8_t *to = out + lead;
    cryptile_status_t status = process(ctx, overlap_settle(in, to, bulk), to, bulk);
    if (status != CRYPTILE_OK) {
      memset(to, 0, bulk);
      wipe(first, sizeof first);
      return status;
    }
  }
  if (lead != 0) {
    memcpy(out, first, sizeof first);
    wipe(first, sizeof first);
  }
  *out_len = ready;
  return CRYPTILE_OK;
}

static cryptile_status_t finish(cryptile_cipher_ctx_t *ctx, uint8_t *out, size_t out_size,
                                size_t *out_len) {
  uint8_t *held = (uint8_t *)ctx->held;
  size_t len = ctx->held_len;
  size_t result_len = len;
  if (ctx->mode != CRYPTILE_CTR) {
    if (ctx->padding == CRYPTILE_PAD_PKCS7 && ctx->direction == CRYPTILE_ENCRYPT) {
      cry_pkcs7_pad(held, len);
      len = result_len = CRYPTILE_BLOCK_SIZE;
    } else if (len % CRYPTILE_BLOCK_SIZE != 0 || (len == 0 && removes_padding(ctx))) {
      return CRYPTILE_ERR_LENGTH;
    }
  }
  cryptile_status_t status = process(ctx, held, held, len);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (removes_padding(ctx)) {
    size_t pad = cry_pkcs7_check(held);
    if (pad == 0) {
      return CRYPTILE_ERR_PADDING;
    }
    result_len = CRYPTILE_BLOCK_SIZE - pad;
  }
  if (result_len > out_size) {
    return CRYPTILE_ERR_LENGTH;
  }
  if (result_len != 0) {
    if (out == NULL) {
      return CRYPTILE_ERR_PARAM;
    }
    memcpy(out, held, result_len);
  }
  *out_len = result_len;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t final(cryptile_cipher_ctx_t *ctx, uint8_t *out, size_t out_size,
                                    size_t *out_len) {
  if (ctx == NULL || out_len == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  *out_len = 0;
  if (ctx->state != StateReady) {
    return CRYPTILE_ERR_STATE;
  }
  cryptile_status_t status = finish(ctx, out, out_size, out_len);
  cryptile_cipher_wipe(ctx);
  return status;
}

size_t cryptile_cipher_held(const cryptile_cipher_ctx_t *ctx) {
  return ctx->held_len;
}

// The context is wiped with the stack.
static WORK cryptile_status_t crypt(const cryptile_cipher_impl_t *impl,
                                    const cryptile_cipher_params_t *params, const uint8_t *in,
                                    size_t in_len, uint8_t *out, size_t out_size, size_t *out_len) {
  cryptile_cipher_ctx_t ctx;
  size_t head = 0;
  size_t tail = 0;
  if (out_len == NULL || (in == NULL && in_len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  *out_len = 0;
  cryptile_status_t status = init(&ctx, impl, params);
  if (status != CRYPTILE_OK) {
    return status;
  }
  status = update(&ctx, in, in_len, out, out_size, &head);
  if (status == CRYPTILE_OK) {
    status = finish(&ctx, head == 0 ? out : out + head, out_size - head, &tail);
  }
  if (status != CRYPTILE_OK) {
    if (out != NULL) {
      memset(out, 0, in_len < out_size ? in_len : out_size);
    }
    return status;
  }
  *out_len = head + tail;
  return CRYPTILE_OK;
}

void cryptile_cipher_wipe(cryptile_cipher_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof(*ctx));
  }
}

// The bytes of stack that an implementation takes for `len` bytes.
static size_t stack_for(const cryptile_cipher_impl_t *impl, unsigned mode, unsigned direction,
                        size_t len) {
  if (mode == CRYPTILE_CTR && len >= CRYPTILE_CTR_LONG) {
    return impl->long_stack;
  }
  return mode == CRYPTILE_CBC && direction == CRYPTILE_DECRYPT ? impl->cbc_decrypt_stack
                                                               : impl->stack;
}

// The bytes of stack that a part of a message takes; `works`: there is something to encrypt.
static size_t stack_of(const cryptile_cipher_ctx_t *ctx, bool works, size_t len) {
  if (ctx == NULL || ctx->state != StateReady) {
    return 0;
  }
  return STACK(96, 160) +
         (works ? stack_for(ctx->impl, ctx->mode, ctx->direction, len) : (size_t)0);
}

cryptile_status_t cryptile_cipher_init(cryptile_cipher_ctx_t *ctx,
                                       const cryptile_cipher_impl_t *impl,
                                       const cryptile_cipher_params_t *params) {
  return WIPED(init(ctx, impl, params), impl == NULL ? 0 : STACK(32, 48) + impl->key_stack);
}

cryptile_status_t cryptile_cipher_update(cryptile_cipher_ctx_t *ctx, const uint8_t *in,
                                         size_t in_len, uint8_t *out, size_t out_size,
                                         size_t *out_len) {
  const bool works = ctx != NULL && ctx->held_len + in_len >= CRYPTILE_BLOCK_SIZE;
  const size_t stack = stack_of(ctx, works, in_len);
  return WIPED(update(ctx, in, in_len, out, out_size, out_len), stack);
}

cryptile_status_t cryptile_cipher_final(cryptile_cipher_ctx_t *ctx, uint8_t *out, size_t out_size,
                                        size_t *out_len) {
  const bool works = ctx != NULL && (ctx->held_len != 0 || ctx->padding != CRYPTILE_PAD_NONE);
  const size_t stack = stack_of(ctx, works, 0);
  return WIPED(final(ctx, out, out_size, out_len), stack);
}

cryptile_status_t cryptile_cipher_crypt(const cryptile_cipher_impl_t *impl,
                                        const cryptile_cipher_params_t *params, const uint8_t *in,
                                        size_t in_len, uint8_t *out, size_t out_size,
                                        size_t *out_len) {
  const size_t stack =
      impl == NULL || params == NULL ? 0 : stack_for(impl, params->mode, params->direction, in_len);
  return WIPED(
      crypt(impl, params, in, in_len, out, out_size, out_len),
      STACK(sizeof(cryptile_cipher_ctx_t) + 160, sizeof(cryptile_cipher_ctx_t) + 240) + stack);
}
