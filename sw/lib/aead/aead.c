// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/aead.h"

#include <stdbool.h>
#include <string.h>

#include "equal.h"
#include "overlap.h"
#include "wipe.h"
#include "wipe/wiped.h"

// In PHASE_LENGTHS an algorithm waits for the lengths of the message.
enum { PHASE_NONE, PHASE_LENGTHS, PHASE_AAD, PHASE_TEXT };

static cryptile_status_t check(const cryptile_aead_alg_t *alg, cryptile_direction_t direction,
                               const cryptile_aead_params_t *params) {
  if (alg == NULL || params == NULL || params->key == NULL || params->nonce == NULL ||
      (direction != CRYPTILE_ENCRYPT && direction != CRYPTILE_DECRYPT)) {
    return CRYPTILE_ERR_PARAM;
  }
  return alg->check(params);
}

static WORK cryptile_status_t init(cryptile_aead_ctx_t *ctx, const cryptile_aead_alg_t *alg,
                                   cryptile_direction_t direction,
                                   const cryptile_aead_params_t *params) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  cryptile_status_t status = check(alg, direction, params);
  if (status != CRYPTILE_OK) {
    return status;
  }
  ctx->alg = alg;
  ctx->aad_len = 0;
  ctx->text_len = 0;
  ctx->max_aad = alg->max_aad;
  ctx->max_text = alg->max_text;
  ctx->stated = false;
  ctx->tag_len = (uint8_t)params->tag_len;
  ctx->direction = (uint8_t)direction;
  alg->init(ctx->state, direction, params);
  ctx->phase = alg->set_lengths != NULL ? PHASE_LENGTHS : PHASE_AAD;
  return CRYPTILE_OK;
}

static WORK cryptile_status_t set_lengths(cryptile_aead_ctx_t *ctx, uint64_t aad_len,
                                          uint64_t text_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE || ctx->phase == PHASE_TEXT || ctx->stated || ctx->aad_len != 0) {
    return CRYPTILE_ERR_STATE;
  }
  if (aad_len > ctx->max_aad || text_len > ctx->max_text) {
    return CRYPTILE_ERR_LENGTH;
  }
  if (ctx->phase == PHASE_LENGTHS) {
    cryptile_status_t status = ctx->alg->set_lengths(ctx->state, aad_len, text_len);
    if (status != CRYPTILE_OK) {
      return status;
    }
    ctx->phase = PHASE_AAD;
  }
  ctx->max_aad = aad_len;
  ctx->max_text = text_len;
  ctx->stated = true;
  return CRYPTILE_OK;
}

// Whether all associated data that was stated has come.
static bool has_aad(const cryptile_aead_ctx_t *ctx) {
  return !ctx->stated || ctx->aad_len == ctx->max_aad;
}

// Whether all of the message has.
static bool is_whole(const cryptile_aead_ctx_t *ctx) {
  return has_aad(ctx) && (!ctx->stated || ctx->text_len == ctx->max_text);
}

static WORK cryptile_status_t add_aad(cryptile_aead_ctx_t *ctx, const uint8_t *aad, size_t len) {
  if (ctx == NULL || (aad == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_AAD) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > ctx->max_aad - ctx->aad_len) {
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
  if (ctx->phase < PHASE_AAD) {
    return CRYPTILE_ERR_STATE;
  }
  if (len > ctx->max_text - ctx->text_len || (len != 0 && !has_aad(ctx))) {
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
  ctx->aad_len = ctx->text_len = ctx->max_aad = ctx->max_text = 0;
  ctx->alg = NULL;
  ctx->tag_len = ctx->direction = ctx->phase = ctx->stated = 0;
}

// Ends the message; the tag has its full length.
static void finish(cryptile_aead_ctx_t *ctx, uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  end_aad(ctx);
  ctx->alg->finish(ctx->state, ctx->aad_len, ctx->text_len, tag);
}

static WORK cryptile_status_t finish_encryption(cryptile_aead_ctx_t *ctx, uint8_t *tag) {
  if (ctx == NULL || tag == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase < PHASE_AAD || ctx->direction != CRYPTILE_ENCRYPT) {
    return CRYPTILE_ERR_STATE;
  }
  if (!is_whole(ctx)) {
    return CRYPTILE_ERR_LENGTH;
  }
  uint8_t whole[CRYPTILE_AEAD_MAX_TAG];
  finish(ctx, whole);
  memcpy(tag, whole, ctx->tag_len);
  end(ctx);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t verify(cryptile_aead_ctx_t *ctx, const uint8_t *tag) {
  if (ctx == NULL || tag == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase < PHASE_AAD || ctx->direction != CRYPTILE_DECRYPT) {
    return CRYPTILE_ERR_STATE;
  }
  if (!is_whole(ctx)) {
    return CRYPTILE_ERR_LENGTH;
  }
  uint8_t whole[CRYPTILE_AEAD_MAX_TAG];
  finish(ctx, whole);
  bool good = equal(whole, tag, ctx->tag_len);
  end(ctx);
  return good ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

void cryptile_aead_wipe(cryptile_aead_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

// What can be wrong with a whole message but its tag.
static cryptile_status_t check_whole(const cryptile_aead_alg_t *alg, cryptile_direction_t direction,
                                     const cryptile_aead_params_t *params, const uint8_t *aad,
                                     size_t aad_len, const uint8_t *in, size_t len,
                                     const uint8_t *out) {
  cryptile_status_t status = check(alg, direction, params);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if ((aad == NULL && aad_len != 0) || ((in == NULL || out == NULL) && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  return aad_len > alg->max_aad || len > alg->max_text ? CRYPTILE_ERR_LENGTH : CRYPTILE_OK;
}

// Works on a whole message, or returns CRYPTILE_ERR_LENGTH with nothing written; the tag has its
// full length. The state is no longer than the algorithm's, as it is zeroized with the stack. A
// part of both callers: to pass nine arguments on would cost 35 cycles.
static inline __attribute__((always_inline)) cryptile_status_t work(
    const cryptile_aead_alg_t *alg, cryptile_direction_t direction,
    const cryptile_aead_params_t *params, const uint8_t *aad, size_t aad_len, const uint8_t *in,
    size_t len, uint8_t *out, uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  uint64_t state[alg->state_size / sizeof(uint64_t) + 1];
  alg->init(state, direction, params);
  if (alg->set_lengths != NULL) {
    cryptile_status_t status = alg->set_lengths(state, aad_len, len);
    if (status != CRYPTILE_OK) {
      return status;
    }
  }
  if (aad_len != 0) {
    alg->aad(state, aad, aad_len);
  }
  alg->end_aad(state);
  if (len != 0) {
    alg->update(state, direction, overlap_settle(in, out, len), out, len);
  }
  alg->finish(state, aad_len, len, tag);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t encrypt(const cryptile_aead_alg_t *alg,
                                      const cryptile_aead_params_t *params, const uint8_t *aad,
                                      size_t aad_len, const uint8_t *in, size_t len, uint8_t *out,
                                      uint8_t *tag) {
  if (tag == NULL || params == NULL || overlap(tag, params->tag_len, out, len)) {
    return CRYPTILE_ERR_PARAM;
  }
  cryptile_status_t status = check_whole(alg, CRYPTILE_ENCRYPT, params, aad, aad_len, in, len, out);
  if (status == CRYPTILE_OK) {
    uint8_t whole[CRYPTILE_AEAD_MAX_TAG];
    size_t tag_len = params->tag_len;  // the output may overwrite it
    status = work(alg, CRYPTILE_ENCRYPT, params, aad, aad_len, in, len, out, whole);
    if (status == CRYPTILE_OK) {
      memcpy(tag, whole, tag_len);
    }
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
  cryptile_status_t status = check_whole(alg, CRYPTILE_DECRYPT, params, aad, aad_len, in, len, out);
  if (status != CRYPTILE_OK) {
    return status;
  }
  size_t tag_len = params->tag_len;
  uint8_t wanted[CRYPTILE_AEAD_MAX_TAG], whole[CRYPTILE_AEAD_MAX_TAG];
  memcpy(wanted, tag, tag_len);  // the output may overwrite it
  status = work(alg, CRYPTILE_DECRYPT, params, aad, aad_len, in, len, out, whole);
  if (status != CRYPTILE_OK) {
    return status;
  }
  if (equal(whole, wanted, tag_len)) {
    return CRYPTILE_OK;
  }
  if (len != 0) {
    memset(out, 0, len);
  }
  return CRYPTILE_ERR_AUTH;
}

// The bytes of stack that the functions here take beside the algorithm's.
enum { Frames = STACK(112, 144), WholeFrames = STACK(240, 352) };

static size_t update_stack(const cryptile_aead_alg_t *alg, size_t len) {
  return len < CRYPTILE_AEAD_LONG ? alg->stack : alg->long_stack;
}

static bool is_ready(const cryptile_aead_ctx_t *ctx) {
  return ctx != NULL && ctx->phase != PHASE_NONE;
}

static size_t end_stack(const cryptile_aead_ctx_t *ctx) {
  return is_ready(ctx) ? Frames + (size_t)ctx->alg->end_stack : 0;
}

static size_t whole_stack(const cryptile_aead_alg_t *alg, size_t len) {
  return alg == NULL ? 0 : WholeFrames + alg->state_size + update_stack(alg, len);
}

cryptile_status_t cryptile_aead_init(cryptile_aead_ctx_t *ctx, const cryptile_aead_alg_t *alg,
                                     cryptile_direction_t direction,
                                     const cryptile_aead_params_t *params) {
  const size_t stack = ctx == NULL || alg == NULL ? 0 : Frames + (size_t)alg->stack;
  return WIPED(init(ctx, alg, direction, params), stack);
}

cryptile_status_t cryptile_aead_set_lengths(cryptile_aead_ctx_t *ctx, uint64_t aad_len,
                                            uint64_t text_len) {
  const size_t stack = end_stack(ctx);
  return WIPED(set_lengths(ctx, aad_len, text_len), stack);
}

cryptile_status_t cryptile_aead_aad(cryptile_aead_ctx_t *ctx, const uint8_t *aad, size_t len) {
  const size_t stack = end_stack(ctx);
  return WIPED(add_aad(ctx, aad, len), stack);
}

cryptile_status_t cryptile_aead_update(cryptile_aead_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                       size_t len) {
  const size_t stack = is_ready(ctx) ? Frames + update_stack(ctx->alg, len) : 0;
  return WIPED(update(ctx, in, out, len), stack);
}

cryptile_status_t cryptile_aead_finish(cryptile_aead_ctx_t *ctx, uint8_t *tag) {
  const size_t stack = end_stack(ctx);
  return WIPED(finish_encryption(ctx, tag), stack);
}

cryptile_status_t cryptile_aead_verify(cryptile_aead_ctx_t *ctx, const uint8_t *tag) {
  const size_t stack = end_stack(ctx);
  return WIPED(verify(ctx, tag), stack);
}

cryptile_status_t cryptile_aead_encrypt(const cryptile_aead_alg_t *alg,
                                        const cryptile_aead_params_t *params, const uint8_t *aad,
                                        size_t aad_len, const uint8_t *in, size_t len, uint8_t *out,
                                        uint8_t *tag) {
  return WIPED(encrypt(alg, params, aad, aad_len, in, len, out, tag), whole_stack(alg, len));
}

cryptile_status_t cryptile_aead_decrypt(const cryptile_aead_alg_t *alg,
                                        const cryptile_aead_params_t *params, const uint8_t *aad,
                                        size_t aad_len, const uint8_t *in, size_t len,
                                        const uint8_t *tag, uint8_t *out) {
  return WIPED(decrypt(alg, params, aad, aad_len, in, len, tag, out), whole_stack(alg, len));
}
