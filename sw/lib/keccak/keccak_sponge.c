// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <stdbool.h>
#include <string.h>

#include "keccak/interleave.h"
#include "keccak/keccak.h"

static uint64_t to_state(uint64_t lane) {
  return KECCAK_INTERLEAVED ? interleave_in(lane) : lane;
}

static uint64_t from_state(uint64_t lane) {
  return KECCAK_INTERLEAVED ? interleave_out(lane) : lane;
}

static uint64_t load(const uint8_t *bytes) {
  const uint32_t low =
      bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  const uint32_t high =
      bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 | (uint32_t)bytes[7] << 24;
  return (uint64_t)high << 32 | low;
}

static bool word_aligned(const uint8_t *bytes) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return (uintptr_t)bytes % sizeof(size_t) == 0;
#else
  (void)bytes;
  return false;
#endif
}

// Whole lanes; the aligned case is for the compiler to use loads of whole registers.
static void absorb_lanes(uint64_t *state, const uint8_t *data, unsigned lanes) {
  if (word_aligned(data)) {
    for (unsigned n = 0; n < lanes; n++, data += 8) {
      uint64_t lane;
      memcpy(&lane, __builtin_assume_aligned(data, sizeof(size_t)), 8);
      state[n] ^= to_state(lane);
    }
  } else {
    for (unsigned n = 0; n < lanes; n++, data += 8)
      state[n] ^= to_state(load(data));
  }
}

static void squeeze_lanes(const uint64_t *state, uint8_t *out, unsigned lanes) {
  if (word_aligned(out)) {
    for (unsigned n = 0; n < lanes; n++, out += 8) {
      const uint64_t lane = from_state(state[n]);
      memcpy(__builtin_assume_aligned(out, sizeof(size_t)), &lane, 8);
    }
  } else {
    for (unsigned n = 0; n < lanes; n++, out += 8) {
      const uint64_t lane = from_state(state[n]);
      for (unsigned k = 0; k < 4; k++) {
        out[k] = (uint8_t)((uint32_t)lane >> 8 * k);
        out[k + 4] = (uint8_t)((uint32_t)(lane >> 32) >> 8 * k);
      }
    }
  }
}

static void xor_byte(cryptile_sponge_t *ctx, unsigned position, uint8_t byte) {
  ctx->state[position / 8] ^= to_state((uint64_t)byte << position % 8 * 8);
}

// Bytes that go into one lane together, or are taken from it.
static size_t part(const cryptile_sponge_t *ctx, size_t len) {
  const unsigned in_lane = 8 - ctx->position % 8, in_rate = (unsigned)ctx->rate - ctx->position;
  const unsigned most = in_lane < in_rate ? in_lane : in_rate;
  return len < most ? len : most;
}

static void permute_if_full(cryptile_sponge_t *ctx) {
  if (ctx->position == ctx->rate) {
    cry_keccak_f1600(ctx->state);
    ctx->position = 0;
  }
}

void cry_keccak_init(cryptile_sponge_t *ctx, unsigned rate, uint8_t suffix) {
  memset(ctx, 0, sizeof *ctx);
  ctx->rate = (uint8_t)rate;
  ctx->suffix = suffix;
}

void cry_keccak_absorb(cryptile_sponge_t *ctx, const void *data, size_t len) {
  const uint8_t *bytes = data;
  while (len != 0) {
    size_t taken;
    if (ctx->position % 8 == 0 && len >= 8 && ctx->rate - ctx->position >= 8) {
      const size_t room = ctx->rate - ctx->position;
      taken = (len < room ? len : room) & ~(size_t)7;
      absorb_lanes(ctx->state + ctx->position / 8, bytes, (unsigned)taken / 8);
    } else {
      taken = part(ctx, len);
      uint64_t lane = 0;
      for (unsigned n = 0; n < taken; n++)
        lane |= (uint64_t)bytes[n] << 8 * n;
      ctx->state[ctx->position / 8] ^= to_state(lane << ctx->position % 8 * 8);
    }
    ctx->position = (uint8_t)(ctx->position + taken);
    bytes += taken;
    len -= taken;
    permute_if_full(ctx);
  }
}

void cry_keccak_fill(cryptile_sponge_t *ctx) {
  if (ctx->position != 0) {
    ctx->position = ctx->rate;
    permute_if_full(ctx);
  }
}

void cry_keccak_squeeze(cryptile_sponge_t *ctx, void *out, size_t len) {
  uint8_t *bytes = out;
  if (!ctx->squeezing) {
    xor_byte(ctx, ctx->position, ctx->suffix);
    xor_byte(ctx, ctx->rate - 1u, 0x80);
    ctx->squeezing = 1;
    ctx->position = ctx->rate;
  }
  while (len != 0) {
    permute_if_full(ctx);
    size_t given;
    if (ctx->position % 8 == 0 && len >= 8 && ctx->rate - ctx->position >= 8) {
      const size_t room = ctx->rate - ctx->position;
      given = (len < room ? len : room) & ~(size_t)7;
      squeeze_lanes(ctx->state + ctx->position / 8, bytes, (unsigned)given / 8);
    } else {
      given = part(ctx, len);
      const uint64_t lane = from_state(ctx->state[ctx->position / 8]) >> ctx->position % 8 * 8;
      for (unsigned n = 0; n < given; n++)
        bytes[n] = (uint8_t)(lane >> 8 * n);
    }
    ctx->position = (uint8_t)(ctx->position + given);
    bytes += given;
    len -= given;
  }
}
