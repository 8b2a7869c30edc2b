// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES-GCM (NIST SP 800-38D).
#include <stdbool.h>
#include <string.h>

#include "aes/aes.h"
#include "bytes.h"
#include "cryptile/aead.h"
#include "ghash/ghash.h"
#include "wipe.h"
#include "wipe/wiped.h"

typedef struct {
  ghash_t hash;
  uint8_t counter[16];
  uint8_t mask[16];        // what the tag is encrypted with
  uint8_t key_stream[16];  // of the unfinished block
  uint8_t used;            // bytes of `key_stream` that were used; 16: no block is unfinished
  bool lost;               // `key_stream` is not there: that of the counter before `counter` is due
  aes_key_t key;
} state_t;

_Static_assert(sizeof(state_t) <= CRYPTILE_AEAD_STATE_BYTES, "the context is too small");

static cryptile_status_t check(const cryptile_aead_params_t *params) {
  size_t key = params->key_len, tag = params->tag_len;
  bool good = (key == 16 || key == 24 || key == 32) && params->nonce_len != 0 &&
              (tag == 4 || tag == 8 || (tag >= 12 && tag <= 16));
  return good ? CRYPTILE_OK : CRYPTILE_ERR_PARAM;
}

// Hashes the lengths, in bits, of the two parts of a message.
static void add_lengths(ghash_t *hash, uint64_t first_len, uint64_t second_len) {
  uint8_t lengths[16];
  store32_be(lengths, (uint32_t)(first_len >> 29));
  store32_be(lengths + 4, (uint32_t)first_len << 3);
  store32_be(lengths + 8, (uint32_t)(second_len >> 29));
  store32_be(lengths + 12, (uint32_t)second_len << 3);
  cry_ghash_update(hash, lengths, sizeof lengths);
}

static void init(void *state, cryptile_direction_t direction,
                 const cryptile_aead_params_t *params) {
  (void)direction;
  state_t *s = state;
  uint8_t blocks[32] = {0};
  cry_aes_set_encrypt_key(&s->key, params->key, (unsigned)params->key_len);
  cry_aes_encrypt_block(&s->key, blocks, blocks);
  cry_ghash_init(&s->hash, blocks);
  if (params->nonce_len == 12) {
    memcpy(s->counter, params->nonce, 12);
    store32_be(s->counter + 12, 1);
  } else {
    s->key.secret_counters = true;
    ghash_t nonce = s->hash;
    cry_ghash_update(&nonce, params->nonce, params->nonce_len);
    cry_ghash_pad(&nonce);
    add_lengths(&nonce, 0, params->nonce_len);
    cry_ghash_value(&nonce, s->counter);
    wipe(&nonce, sizeof nonce);
  }
  // The mask and the first block of key stream at once: the AES may take two for the price of one.
  memset(blocks, 0, sizeof blocks);
  cry_aes_ctr32(&s->key, s->counter, blocks, blocks, sizeof blocks);
  memcpy(s->mask, blocks, 16);
  memcpy(s->key_stream, blocks + 16, 16);
  s->used = 0;
  s->lost = false;
  wipe(blocks, sizeof blocks);
}

static void aad(void *state, const uint8_t *data, size_t len) {
  state_t *s = state;
  cry_ghash_update(&s->hash, data, len);
}

static void end_aad(void *state) {
  state_t *s = state;
  cry_ghash_pad(&s->hash);
}

// Uses up to `len` bytes of the key stream of the unfinished block; returns how many.
static size_t xor_held(state_t *s, const uint8_t *in, uint8_t *out, size_t len) {
  if (len == 0 || s->used == 16) {
    return 0;
  }
  if (s->lost) {
    uint8_t counter[16];
    memcpy(counter, s->counter, sizeof counter);
    store32_be(counter + 12, load32_be(counter + 12) - 1);
    memset(s->key_stream, 0, sizeof s->key_stream);
    cry_aes_ctr32(&s->key, counter, s->key_stream, s->key_stream, sizeof s->key_stream);
    s->lost = false;
  }
  size_t left = 16u - s->used;
  size_t count = len < left ? len : left;
  for (size_t i = 0; i < count; ++i) {
    out[i] = in[i] ^ s->key_stream[s->used + i];
  }
  s->used = (uint8_t)(s->used + count);
  return count;
}

static void xor_stream(state_t *s, const uint8_t *in, uint8_t *out, size_t len) {
  size_t done = xor_held(s, in, out, len);
  if (done == len) {
    return;
  }
  // All the rest in one call, as the AES works on several blocks at once. Most often a partial
  // block is the last one; if it is not, its key stream has to be made again.
  len -= done;
  cry_aes_ctr32(&s->key, s->counter, in + done, out + done, len);
  s->used = len % 16 == 0 ? 16 : (uint8_t)(len % 16);
  s->lost = true;
}

static void update(void *state, cryptile_direction_t direction, const uint8_t *in, uint8_t *out,
                   size_t len) {
  state_t *s = state;
  if (direction == CRYPTILE_DECRYPT) {
    cry_ghash_update(&s->hash, in, len);
  }
  xor_stream(s, in, out, len);
  if (direction == CRYPTILE_ENCRYPT) {
    cry_ghash_update(&s->hash, out, len);
  }
}

static void finish(void *state, uint64_t aad_len, uint64_t text_len,
                   uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  state_t *s = state;
  cry_ghash_pad(&s->hash);
  add_lengths(&s->hash, aad_len, text_len);
  cry_ghash_value(&s->hash, tag);
  for (unsigned i = 0; i < 16; ++i) {
    tag[i] ^= s->mask[i];
  }
}

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { Stack = STACK(480, 784), LongStack = Stack, EndStack = STACK(160, 240) };
#else
enum { Stack = STACK(704, 1280), LongStack = STACK(3264, 6240), EndStack = STACK(320, 512) };
#endif

const cryptile_aead_alg_t cryptile_aes_gcm = {
    .name = "AES-GCM",
    .state_size = sizeof(state_t),
    .max_aad = ((uint64_t)1 << 61) - 1,
    .max_text = ((uint64_t)1 << 36) - 32,
    .stack = Stack,
    .long_stack = LongStack,
    .end_stack = EndStack,
    .check = check,
    .init = init,
    .aad = aad,
    .end_aad = end_aad,
    .update = update,
    .finish = finish,
};
