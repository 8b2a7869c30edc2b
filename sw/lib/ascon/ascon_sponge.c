// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "ascon/ascon.h"
#include "ascon/lanes.h"
#include "wipe.h"
#include "wipe/wiped.h"

#define RATE 8u

enum { PHASE_NONE, PHASE_ABSORB, PHASE_SQUEEZE };

// SP 800-232, table 12: version, rounds, digest bits, rate.
static const uint64_t kHash256 = 0x0000080100cc0002, kXof128 = 0x0000080000cc0003,
                      kCxof128 = 0x0000080000cc0004;

static void start(cryptile_ascon_xof_t *ctx, uint64_t initial) {
  memset(ctx, 0, sizeof *ctx);
  ctx->state[0] = ascon_to_state(initial);
  ctx->phase = PHASE_ABSORB;
  cry_ascon_permute(ctx->state, 12);
}

static void pad(cryptile_ascon_xof_t *ctx) {
  ctx->state[0] ^= ascon_to_state((uint64_t)1 << 8 * ctx->position);
  cry_ascon_permute(ctx->state, 12);
  ctx->position = 0;
}

void cry_ascon_hash256_init(cryptile_ascon_xof_t *ctx) {
  start(ctx, kHash256);
}

void cry_ascon_xof128_init(cryptile_ascon_xof_t *ctx) {
  start(ctx, kXof128);
}

void cry_ascon_cxof128_init(cryptile_ascon_xof_t *ctx, const void *custom, size_t len) {
  start(ctx, kCxof128);
  ctx->state[0] ^= ascon_to_state((uint64_t)len * 8);
  cry_ascon_permute(ctx->state, 12);
  cry_ascon_absorb(ctx, custom, len);
  pad(ctx);
}

void cry_ascon_absorb(cryptile_ascon_xof_t *ctx, const void *in, size_t len) {
  const uint8_t *bytes = in;
  while (len != 0) {
    const unsigned room = RATE - ctx->position, taken = len < room ? (unsigned)len : room;
    const uint64_t word = taken == RATE ? ascon_load_lane(bytes) : ascon_load(bytes, taken);
    ctx->state[0] ^= ascon_to_state(word << 8 * ctx->position);
    ctx->position = (uint8_t)(ctx->position + taken);
    bytes += taken;
    len -= taken;
    if (ctx->position == RATE) {
      cry_ascon_permute(ctx->state, 12);
      ctx->position = 0;
    }
  }
}

void cry_ascon_squeeze(cryptile_ascon_xof_t *ctx, void *out, size_t len) {
  uint8_t *bytes = out;
  if (ctx->phase == PHASE_ABSORB) {
    pad(ctx);
    ctx->phase = PHASE_SQUEEZE;
  }
  while (len != 0) {
    if (ctx->position == RATE) {
      cry_ascon_permute(ctx->state, 12);
      ctx->position = 0;
    }
    const unsigned left = RATE - ctx->position, given = len < left ? (unsigned)len : left;
    const uint64_t lane = ascon_from_state(ctx->state[0]);
    if (given == RATE) {
      ascon_store_lane(bytes, lane);
    } else {
      ascon_store(bytes, lane >> 8 * ctx->position, given);
    }
    ctx->position = (uint8_t)(ctx->position + given);
    bytes += given;
    len -= given;
  }
}

static WORK cryptile_status_t xof128_init(cryptile_ascon_xof_t *ctx) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_ascon_xof128_init(ctx);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t cxof128_init(cryptile_ascon_xof_t *ctx, const void *custom,
                                           size_t custom_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  ctx->phase = PHASE_NONE;
  if ((custom == NULL && custom_len != 0) || custom_len > CRYPTILE_ASCON_CXOF128_MAX_CUSTOM) {
    return CRYPTILE_ERR_PARAM;
  }
  cry_ascon_cxof128_init(ctx, custom, custom_len);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t xof_absorb(cryptile_ascon_xof_t *ctx, const void *in, size_t len) {
  if (ctx == NULL || (in == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase != PHASE_ABSORB) {
    return CRYPTILE_ERR_STATE;
  }
  cry_ascon_absorb(ctx, in, len);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t xof_squeeze(cryptile_ascon_xof_t *ctx, void *out, size_t len) {
  if (ctx == NULL || (out == NULL && len != 0)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (ctx->phase == PHASE_NONE) {
    return CRYPTILE_ERR_STATE;
  }
  cry_ascon_squeeze(ctx, out, len);
  return CRYPTILE_OK;
}

void cryptile_ascon_xof_wipe(cryptile_ascon_xof_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

cryptile_status_t cryptile_ascon_xof128_init(cryptile_ascon_xof_t *ctx) {
  return WIPED(xof128_init(ctx), STACK(112, 160));
}

cryptile_status_t cryptile_ascon_cxof128_init(cryptile_ascon_xof_t *ctx, const void *custom,
                                              size_t custom_len) {
  return WIPED(cxof128_init(ctx, custom, custom_len), STACK(192, 304));
}

cryptile_status_t cryptile_ascon_xof_absorb(cryptile_ascon_xof_t *ctx, const void *in, size_t len) {
  return WIPED(xof_absorb(ctx, in, len), STACK(176, 256));
}

cryptile_status_t cryptile_ascon_xof_squeeze(cryptile_ascon_xof_t *ctx, void *out, size_t len) {
  return WIPED(xof_squeeze(ctx, out, len), STACK(192, 272));
}
