// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <stdbool.h>

#include "ascon/ascon.h"
#include "ascon/lanes.h"
#include "wipe.h"

#define RATE 16u

// SP 800-232, section 4.1.1.
static const uint64_t kInitial = 0x00001000808c0001;

enum { PHASE_START, PHASE_AAD, PHASE_TEXT };

static bool aligned(const uint8_t *in, const uint8_t *out) {
  return (((uintptr_t)in | (uintptr_t)out) & (ASCON_BLOCKS_ALIGNMENT - 1)) == 0;
}

// Whole blocks at any address. What is not aligned goes through a buffer, on little-endian cores.
static void whole_blocks(uint64_t state[5], const uint8_t *in, uint8_t *out, size_t blocks,
                         int mode) {
  if (aligned(in, out)) {
    cry_ascon_blocks(state, in, out, blocks, mode);
    return;
  }
  uint64_t buffer[16];
  while (blocks != 0) {
    const size_t now = blocks < sizeof buffer / RATE ? blocks : sizeof buffer / RATE;
    for (size_t n = 0; n < 2 * now; n++, in += 8) {
      buffer[n] = ascon_load_lane(in);
    }
    cry_ascon_blocks(state, buffer, buffer, now, mode);
    for (size_t n = 0; mode != ASCON_ABSORB && n < 2 * now; n++, out += 8) {
      ascon_store_lane(out, buffer[n]);
    }
    blocks -= now;
  }
  wipe(buffer, sizeof buffer);
}

// Less than a block, within one lane; returns how many bytes were taken.
static unsigned part(ascon_aead128_t *ctx, const uint8_t *in, uint8_t *out, size_t len, int mode) {
  const unsigned at = ctx->position % 8, room = 8 - at, taken = len < room ? (unsigned)len : room;
  uint64_t *lane = &ctx->state[ctx->position / 8];
  uint64_t word = ascon_load(in, taken);
  if (mode != ASCON_ABSORB) {
    const uint64_t mixed = word ^ ascon_from_state(*lane) >> 8 * at;
    ascon_store(out, mixed, taken);
    if (mode == ASCON_DECRYPT) {
      word = mixed & UINT64_MAX >> (64 - 8 * taken);  // the state takes up the plaintext
    }
  }
  *lane ^= ascon_to_state(word << 8 * at);
  ctx->position = (uint8_t)(ctx->position + taken);
  if (ctx->position == RATE) {
    cry_ascon_permute(ctx->state, 8);
    ctx->position = 0;
  }
  return taken;
}

static void work(ascon_aead128_t *ctx, const uint8_t *in, uint8_t *out, size_t len, int mode) {
  while (len != 0) {
    size_t taken;
    if (ctx->position == 0 && len >= RATE) {
      taken = len & ~(size_t)(RATE - 1);
      whole_blocks(ctx->state, in, out, taken / RATE, mode);
    } else {
      taken = part(ctx, in, out, len, mode);
    }
    in += taken;
    if (mode != ASCON_ABSORB) {
      out += taken;
    }
    len -= taken;
  }
}

static void pad(ascon_aead128_t *ctx) {
  ctx->state[ctx->position / 8] ^= ascon_to_state((uint64_t)1 << ctx->position % 8 * 8);
  ctx->position = 0;
}

static void end_aad(ascon_aead128_t *ctx) {
  if (ctx->phase == PHASE_AAD) {
    pad(ctx);
    cry_ascon_permute(ctx->state, 8);
  }
  if (ctx->phase != PHASE_TEXT) {
    ctx->state[4] ^= ascon_to_state((uint64_t)1 << 63);
    ctx->phase = PHASE_TEXT;
  }
}

void cry_ascon_aead128_init(ascon_aead128_t *ctx, int direction, const uint8_t key[16],
                            const uint8_t nonce[16]) {
  ctx->key[0] = ascon_to_state(ascon_load_lane(key));
  ctx->key[1] = ascon_to_state(ascon_load_lane(key + 8));
  ctx->state[0] = ascon_to_state(kInitial);
  ctx->state[1] = ctx->key[0];
  ctx->state[2] = ctx->key[1];
  ctx->state[3] = ascon_to_state(ascon_load_lane(nonce));
  ctx->state[4] = ascon_to_state(ascon_load_lane(nonce + 8));
  cry_ascon_permute(ctx->state, 12);
  ctx->state[3] ^= ctx->key[0];
  ctx->state[4] ^= ctx->key[1];
  ctx->position = 0;
  ctx->direction = (int8_t)direction;
  ctx->phase = PHASE_START;
}

void cry_ascon_aead128_aad(ascon_aead128_t *ctx, const void *aad, size_t len) {
  if (len != 0) {
    ctx->phase = PHASE_AAD;
    work(ctx, aad, NULL, len, ASCON_ABSORB);
  }
}

void cry_ascon_aead128_update(ascon_aead128_t *ctx, const void *in, void *out, size_t len) {
  if (len != 0) {
    end_aad(ctx);
    work(ctx, in, out, len, ctx->direction);
  }
}

void cry_ascon_aead128_finish(ascon_aead128_t *ctx, uint8_t tag[16]) {
  end_aad(ctx);
  pad(ctx);
  ctx->state[2] ^= ctx->key[0];
  ctx->state[3] ^= ctx->key[1];
  cry_ascon_permute(ctx->state, 12);
  ascon_store_lane(tag, ascon_from_state(ctx->state[3] ^ ctx->key[0]));
  ascon_store_lane(tag + 8, ascon_from_state(ctx->state[4] ^ ctx->key[1]));
  wipe(ctx, sizeof *ctx);
}
