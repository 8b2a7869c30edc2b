// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes_compact.h"

#include <string.h>

#include "aes/aes_modes.h"
#include "aes/aes_sbox.h"
#include "wipe.h"
#include "wipe/wiped.h"

#define ENTRY(s) (s),
static const uint8_t kSbox[256] = {AES_SBOX_LIST(ENTRY)};
static const uint8_t kInvSbox[256] = {AES_INV_SBOX_LIST(ENTRY)};
#undef ENTRY

// The state is 16 bytes in the order of the message: column c is bytes 4c to 4c+3. It lies in words
// so that round keys are added by words.
typedef union {
  uint8_t bytes[16];
  uint32_t words[4];
} state_t;

// Multiplies by x in GF(2^8), without a branch on the value. Too short to be worth a call, which
// GCC does not see at -Os.
static inline __attribute__((always_inline)) uint8_t times2(uint8_t a) {
  return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
}

void cry_aes_compact_expand_key(uint32_t *round_keys, unsigned rounds, const uint8_t *key) {
  uint8_t *w = (uint8_t *)round_keys;
  unsigned key_len = 4 * (rounds - 6);
  const uint8_t *end = w + 16 * (rounds + 1);
  uint8_t rcon = 1;
  unsigned phase = 0;
  memcpy(w, key, key_len);
  for (w += key_len; w != end; w += 4) {
    uint8_t t[4] = {w[-4], w[-3], w[-2], w[-1]};
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
      w[j] = w[(int)j - (int)key_len] ^ t[j];
    }
    phase = phase + 4 == key_len ? 0 : phase + 4;
  }
}

static void add_round_key(state_t *to, const state_t *from, const uint32_t *round_key) {
  for (unsigned i = 0; i < 4; i++) {
    to->words[i] = from->words[i] ^ round_key[i];
  }
}

// Byte i = 4c + r comes from the same row r, r columns to the right: 4(c + r) + r, which is 5i
// modulo
// 16. To the left it is -3i.
enum { ShiftLeft = 5, ShiftRight = 13 };

static void substitute_and_shift(state_t *to, const state_t *from, const uint8_t sbox[256],
                                 unsigned step) {
  for (unsigned i = 0, j = 0; i < 16; i++, j = (j + step) & 15) {
    to->bytes[i] = sbox[from->bytes[j]];
  }
}

static void mix_columns(state_t *s) {
  for (uint8_t *c = s->bytes; c != s->bytes + 16; c += 4) {
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
static void inv_mix_columns(state_t *s) {
  for (uint8_t *c = s->bytes; c != s->bytes + 16; c += 4) {
    uint8_t even = times2(times2(c[0] ^ c[2]));
    uint8_t odd = times2(times2(c[1] ^ c[3]));
    c[0] ^= even;
    c[1] ^= odd;
    c[2] ^= even;
    c[3] ^= odd;
  }
  mix_columns(s);
}

void cry_aes_compact_encrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                             uint8_t out[16]) {
  state_t s[2];
  memcpy(&s[0], in, 16);
  add_round_key(&s[0], &s[0], round_keys);
  while (rounds-- != 0) {
    round_keys += 4;
    substitute_and_shift(&s[1], &s[0], kSbox, ShiftLeft);
    if (rounds != 0) {
      mix_columns(&s[1]);
    }
    add_round_key(&s[0], &s[1], round_keys);
  }
  memcpy(out, &s[0], 16);
  wipe(s, sizeof(s));
}

void cry_aes_compact_decrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                             uint8_t out[16]) {
  state_t s[2];
  round_keys += 4 * rounds;
  memcpy(&s[0], in, 16);
  add_round_key(&s[0], &s[0], round_keys);
  while (rounds-- != 0) {
    round_keys -= 4;
    substitute_and_shift(&s[1], &s[0], kInvSbox, ShiftRight);
    add_round_key(&s[0], &s[1], round_keys);
    if (rounds != 0) {
      inv_mix_columns(&s[0]);
    }
  }
  memcpy(out, &s[0], 16);
  wipe(s, sizeof(s));
}

static cryptile_status_t set_key(cryptile_cipher_ctx_t *ctx, const uint8_t *key) {
  cry_aes_compact_expand_key(ctx->key, ctx->rounds, key);
  return CRYPTILE_OK;
}

static cryptile_status_t process(cryptile_cipher_ctx_t *ctx, const uint8_t *in, uint8_t *out,
                                 size_t len) {
  block_fn_t block = modes_block_direction(ctx) == CRYPTILE_DECRYPT ? cry_aes_compact_decrypt
                                                                    : cry_aes_compact_encrypt;
  return cry_modes_process(ctx, block, in, out, len);
}

const cryptile_cipher_impl_t cryptile_aes_compact = {
    .name = "compact",
    .constant_time = false,
    .key_stack = STACK(64, 80),
    .stack = STACK(448, 912),
    .cbc_decrypt_stack = STACK(448, 912),
    .long_stack = STACK(448, 912),
    .set_key = set_key,
    .process = process,
};
