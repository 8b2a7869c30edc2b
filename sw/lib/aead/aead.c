// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/aead.h"

#include <stdbool.h>
#include <string.h>

#include "declassify.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { PHASE_NONE, PHASE_AAD, PHASE_TEXT };

static WORK cryptile_status_t init(cryptile_aead_ctx_t *ctx, const cryptile_aead_alg_t *alg,
                                   cryptile_direction_t direction,
                                   const cryptile_aead_params_t *params) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  if (alg == NULL || params == NULL || params->key == NULL || params->nonce == NULL ||
      (direction != CRYPTILE_ENCRYPT && direction != CRYPTILE_DECRYPT)) {
    return CRYPTILE_ERR_PARAM;
  }
  cryptile_status_t status = alg->check(params);
  if (status != CRYPTILE_OK) {
    return status;
  }
  ctx->alg = alg;
  ctx->aad_len = 0;
  ctx->text_len = 0;
  ctx->tag_len = (uint8_t)params->tag_len;
  ctx->direction = (uint8_t)direction;
  alg->init(ctx->state, direction, params);
  ctx->phase = PHASE_AAD;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t add_aad(cryptile_aead_ctx_t *ctx, const uint8_t *aad, size_t len) {
  if (ctx == NULL || (aad == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_AAD) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > ctx->alg->max_aad - ctx->aad_len) {
    return CRYPTILE_ERR_LENGTH;
  }
  ctx->aad_len += len;
  if (len != 0) {
    ctx->alg->aad(ctx->state, aad, len);
  }
  return CRYPTILE_OK;
}

static void end_aad(cryptile_aead_ctx_t *ctx) {
  if (ctx->phase == PHASE_AAD) {
    ctx->alg->end_aad(ctx->state);
    ctx->phase = PHASE_TEXT;
  }
}

static WORK cryptile_status_t update(cryptile_aead_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                     size_t len) {
  if (ctx == NULL || ((in == NULL || out == NULL) && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > ctx->alg->max_text - ctx->text_len) {
    return CRYPTILE_ERR_LENGTH;
  }
  if (len != 0) {
    end_aad(ctx);
    ctx->text_len += len;
    ctx->alg->update(ctx->state, (cryptile_direction_t)ctx->direction, overlap_settle(in, out, len),
                     out, len);
  }
  return CRYPTILE_OK;
}

// Forgets the message.
static void end(cryptile_aead_ctx_t *ctx) {
  wipe(ctx->state, ctx->alg->state_size);
  ctx->aad_len = ctx->text_len = 0;
  ctx->alg = NULL;
  ctx->tag_len = ctx->direction = ctx->phase = 0;
}

// Ends the message; the tag has its full length.
static void finish(cryptile_aead_ctx_t *ctx, uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  end_aad(ctx);
  ctx->alg->finish(ctx->state, ctx->aad_len, ctx->text_len, tag);
}

// Compares with a tag; only the verdict becomes known.
static bool is_right(cryptile_aead_ctx_t *ctx, const uint8_t *tag) {
  uint8_t whole[CRYPTILE_AEAD_MAX_TAG];
  finish(ctx, whole);
  uint8_t difference = 0;
  for (unsigned i = 0; i < ctx->tag_len; ++i) {
    difference |= whole[i] ^ tag[i];
  }
  bool good = ((difference - 1u) >> 8 & 1) != 0;
  declassify(&good, sizeof good);  // the caller is told
  return good;
}

// Writes the tag.
static void give_tag(cryptile_aead_ctx_t *ctx, uint8_t *tag) {
  uint8_t whole[CRYPTILE_AEAD_MAX_TAG];
  finish(ctx, whole);
  memcpy(tag, whole, ctx->tag_len);
}

static WORK cryptile_status_t finish_encryption(cryptile_aead_ctx_t *ctx, uint8_t *tag) {
  if (ctx == NULL || tag == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE || ctx->direction != CRYPTILE_ENCRYPT) {
    return CRYPTILE_ERR_STATE;
  }
  give_tag(ctx, tag);
  end(ctx);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t verify(cryptile_aead_ctx_t *ctx, const uint8_t *tag) {
  if (ctx == NULL || tag == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE || ctx->direction != CRYPTILE_DECRYPT) {
    return CRYPTILE_ERR_STATE;
  }
  bool good = is_right(ctx, tag);
  end(ctx);
  return good ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

void cryptile_aead_wipe(cryptile_aead_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

// Starts and processes a whole message but for the tag. On an error nothing was written.
static cryptile_status_t begin(cryptile_aead_ctx_t *ctx, const cryptile_aead_alg_t *alg,
                               cryptile_direction_t direction, const cryptile_aead_params_t *params,
                               const uint8_t *aad, size_t aad_len, const uint8_t *in, size_t len,
                               uint8_t *out) {
  cryptile_status_t status = init(ctx, alg, direction, params);
  if (status == CRYPTILE_OK) {
    status = add_aad(ctx, aad, aad_len);
  }
  if (status == CRYPTILE_OK) {
    status = update(ctx, in, out, len);
  }
  return status;
}

// The contexts of these two are wiped with the stack.
static WORK cryptile_status_t encrypt(const cryptile_aead_alg_t *alg,
                                      const cryptile_aead_params_t *params, const uint8_t *aad,
                                      size_t aad_len, const uint8_t *in, size_t len, uint8_t *out,
                                      uint8_t *tag) {
  if (tag == NULL || params == NULL || overlap(tag, params->tag_len, out, len)) {
    return CRYPTILE_ERR_PARAM;
  }
  cryptile_aead_ctx_t ctx;
  cryptile_status_t status = begin(&ctx, alg, CRYPTILE_ENCRYPT, params, aad, aad_len, in, len, out);
  if (status == CRYPTILE_OK) {
    give_tag(&ctx, tag);
  }
  return status;
}

static WORK cryptile_status_t decrypt(const cryptile_aead_alg_t *alg,
                                      const cryptile_aead_params_t *params, const uint8_t *aad,
                                      size_t aad_len, const uint8_t *in, size_t len,
                                      const uint8_t *tag, uint8_t *out) {
  if (tag == NULL || params == NULL || params->tag_len > CRYPTILE_AEAD_MAX_TAG) {
    return CRYPTILE_ERR_PARAM;
  }
  uint8_t wanted[CRYPTILE_AEAD_MAX_TAG];  // the output may overwrite it
  memcpy(wanted, tag, params->tag_len);
  cryptile_aead_ctx_t ctx;
  cryptile_status_t status = begin(&ctx, alg, CRYPTILE_DECRYPT, params, aad, aad_len, in, len, out);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (is_right(&ctx, wanted)) {
    return CRYPTILE_OK;
  }
  if (len != 0) {
    memset(out, 0, len);
  }
  return CRYPTILE_ERR_AUTH;
}

// The bytes of stack that work on `len` bytes takes, with a shell around it; 0 for what is not done.
static size_t stack_for(const cryptile_aead_alg_t *alg, size_t len) {
  if (alg == NULL) {
    return 0;
  }
  return STACK(80, 128) + (len < CRYPTILE_AEAD_LONG ? alg->stack : alg->long_stack);
}

static size_t stack_of(const cryptile_aead_ctx_t *ctx, size_t len) {
  return ctx == NULL || ctx->phase == PHASE_NONE ? 0 : stack_for(ctx->alg, len);
}

static size_t stack_for_whole(const cryptile_aead_alg_t *alg, size_t len) {
  return STACK(sizeof(cryptile_aead_ctx_t) + 112, sizeof(cryptile_aead_ctx_t) + 144) +
         stack_for(alg, len);
}

cryptile_status_t cryptile_aead_init(cryptile_aead_ctx_t *ctx, const cryptile_aead_alg_t *alg,
                                     cryptile_direction_t direction,
                                     const cryptile_aead_params_t *params) {
  const size_t stack = ctx == NULL ? 0 : stack_for(alg, 0);
  return WIPED(init(ctx, alg, direction, params), stack);
}

cryptile_status_t cryptile_aead_aad(cryptile_aead_ctx_t *ctx, const uint8_t *aad, size_t len) {
  const size_t stack = stack_of(ctx, 0);
  return WIPED(add_aad(ctx, aad, len), stack);
}

cryptile_status_t cryptile_aead_update(cryptile_aead_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                       size_t len) {
  const size_t stack = stack_of(ctx, len);
  return WIPED(update(ctx, in, out, len), stack);
}

cryptile_status_t cryptile_aead_finish(cryptile_aead_ctx_t *ctx, uint8_t *tag) {
  const size_t stack = stack_of(ctx, 0);
  return WIPED(finish_encryption(ctx, tag), stack);
}

cryptile_status_t cryptile_aead_verify(cryptile_aead_ctx_t *ctx, const uint8_t *tag) {
  const size_t stack = stack_of(ctx, 0);
  return WIPED(verify(ctx, tag), stack);
}

cryptile_status_t cryptile_aead_encrypt(const cryptile_aead_alg_t *alg,
                                        const cryptile_aead_params_t *params, const uint8_t *aad,
                                        size_t aad_len, const uint8_t *in, size_t len, uint8_t *out,
                                        uint8_t *tag) {
  return WIPED(encrypt(alg, params, aad, aad_len, in, len, out, tag), stack_for_whole(alg, len));
}

cryptile_status_t cryptile_aead_decrypt(const cryptile_aead_alg_t *alg,
                                        const cryptile_aead_params_t *params, const uint8_t *aad,
                                        size_t aad_len, const uint8_t *in, size_t len,
                                        const uint8_t *tag, uint8_t *out) {
  return WIPED(decrypt(alg, params, aad, aad_len, in, len, tag, out), stack_for_whole(alg, len));
}
