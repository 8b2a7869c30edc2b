// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes_compact.h"

#include <string.h>

#include "aes_sbox.h"
#include "modes.h"
#include "wipe.h"

#define ENTRY(s) (s),
static const uint8_t kSbox[256] = {AES_SBOX_LIST(ENTRY)};
static const uint8_t kInvSbox[256] = {AES_INV_SBOX_LIST(ENTRY)};
#undef ENTRY

// The state is 16 bytes in the order of the message: column c is bytes 4c to 4c+3.

// Multiplies by x in GF(2^8), without a branch on the value.
static uint8_t times2(uint8_t a) {
  return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

void aes_compact_expand_key(uint32_t *round_keys, unsigned rounds, const uint8_t *key) {
  uint8_t *w = (uint8_t *)round_keys;
  unsigned key_len = 4 * (rounds - 6);
  unsigned end = 16 * (rounds + 1);
  uint8_t rcon = 1;
  memcpy(w, key, key_len);
  for (unsigned i = key_len; i < end; i += 4) {
    uint8_t t[4] = {w[i - 4], w[i - 3], w[i - 2], w[i - 1]};
    unsigned phase = i % key_len;
    if (phase == 0) {
      uint8_t first = t[0];
      t[0] = kSbox[t[1]] ^ rcon;
      t[1] = kSbox[t[2]];
      t[2] = kSbox[t[3]];
      t[3] = kSbox[first];
      rcon = times2(rcon);
    } else if (key_len == 32 && phase == 16) {
      for (unsigned j = 0; j < 4; j++) {
        t[j] = kSbox[t[j]];
      }
    }
    for (unsigned j = 0; j < 4; j++) {
      w[i + j] = w[i + j - key_len] ^ t[j];
    }
  }
}

static void add_round_key(uint8_t to[16], const uint8_t from[16], const uint32_t *round_key) {
  const uint8_t *k = (const uint8_t *)round_key;
  for (unsigned i = 0; i < 16; i++) {
    to[i] = from[i] ^ k[i];
  }
}

// Byte i comes from the same row, `row` columns to the right (step 4), or to the left (step 12,
// that is -4 modulo 16).
static void substitute_and_shift(uint8_t to[16], const uint8_t from[16], const uint8_t sbox[256],
                                 unsigned step) {
  for (unsigned i = 0; i < 16; i++) {
    to[i] = sbox[from[(i + step * (i & 3)) & 15]];
  }
}

static void mix_columns(uint8_t s[16]) {
  for (uint8_t *c = s; c != s + 16; c += 4) {
    uint8_t first = c[0];
    uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3];
    c[0] ^= all ^ times2(c[0] ^ c[1]);
    c[1] ^= all ^ times2(c[1] ^ c[2]);
    c[2] ^= all ^ times2(c[2] ^ c[3]);
    c[3] ^= all ^ times2(c[3] ^ first);
  }
}

// The inverse matrix is the forward one after adding 4 * (c0 ^ c2) to the even bytes of a column
// and 4 * (c1 ^ c3) to the odd ones.
static void inv_mix_columns(uint8_t s[16]) {
  for (uint8_t *c = s; c != s + 16; c += 4) {
    uint8_t even = times2(times2(c[0] ^ c[2]));
    uint8_t odd = times2(times2(c[1] ^ c[3]));
    c[0] ^= even;
    c[1] ^= odd;
    c[2] ^= even;
    c[3] ^= odd;
  }
  mix_columns(s);
}

enum { ShiftLeft = 4, ShiftRight = 12 };

void aes_compact_encrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                         uint8_t out[16]) {
  uint8_t state[16];
  add_round_key(out, in, round_keys);
  for (;;) {
    round_keys += 4;
    substitute_and_shift(state, out, kSbox, ShiftLeft);
    if (--rounds == 0) {
      break;
    }
    mix_columns(state);
    add_round_key(out, state, round_keys);
  }
  add_round_key(out, state, round_keys);
  wipe(state, sizeof(state));
}

void aes_compact_decrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                         uint8_t out[16]) {
  uint8_t state[16];
  round_keys += 4 * rounds;
  add_round_key(state, in, round_keys);
  for (;;) {
    round_keys -= 4;
    substitute_and_shift(out, state, kInvSbox, ShiftRight);
    add_round_key(state, out, round_keys);
    if (--rounds == 0) {
      break;
    }
    inv_mix_columns(state);
  }
  memcpy(out, state, sizeof(state));
  wipe(state, sizeof(state));
}

static cryptile_status_t set_key(cryptile_ctx_t *ctx, const uint8_t *key) {
  aes_compact_expand_key(ctx->key, ctx->rounds, key);
  return CRYPTILE_OK;
}

static cryptile_status_t process(cryptile_ctx_t *ctx, const uint8_t *in, uint8_t *out, size_t len) {
  block_fn_t block =
      modes_block_direction(ctx) == CRYPTILE_DECRYPT ? aes_compact_decrypt : aes_compact_encrypt;
  return modes_process(ctx, block, in, out, len);
}

const cryptile_impl_t cryptile_compact = {
    .name = "compact", .constant_time = false, .set_key = set_key, .process = process};
