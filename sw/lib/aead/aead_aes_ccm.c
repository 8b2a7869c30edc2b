// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES-CCM (NIST SP 800-38C).
//
// The MAC of a block waits until the key stream of the next one is needed: so both are encrypted at
// once, which bit planes do in the time of one.
#include <stdbool.h>
#include <string.h>

#include "aes/aes_cbc_mac.h"
#include "bytes.h"
#include "cryptile/aead.h"
#include "wipe/wiped.h"

enum { NonceAndLength = 15, HasAad = 0x40 };

typedef struct {
  aes_cbc_mac_t mac;          // of the text too: then `used` counts in `key_stream` as well
  uint32_t key_stream[4];     // of the unfinished block
  uint8_t counter[AesBlock];  // of the next block
  uint8_t length_bytes;       // of the length of the text in the first block, and of the counter
  aes_key_t key;
} state_t;

_Static_assert(sizeof(state_t) <= CRYPTILE_AEAD_STATE_BYTES, "the context is too small");

static cryptile_status_t check(const cryptile_aead_params_t *params) {
  size_t key = params->key_len, nonce = params->nonce_len, tag = params->tag_len;
  bool good = (key == 16 || key == 24 || key == 32) && nonce >= 7 && nonce <= 13 && tag >= 4 &&
              tag <= 16 && tag % 2 == 0;
  return good ? CRYPTILE_OK : CRYPTILE_ERR_PARAM;
}

static void init(void *state, cryptile_direction_t direction,
                 const cryptile_aead_params_t *params) {
  (void)direction;
  state_t *s = state;
  uint8_t *first = (uint8_t *)s->mac.chain;
  s->length_bytes = (uint8_t)(NonceAndLength - params->nonce_len);
  memset(first, 0, AesBlock);
  memset(s->counter, 0, AesBlock);
  memcpy(first + 1, params->nonce, params->nonce_len);
  memcpy(s->counter + 1, params->nonce, params->nonce_len);
  s->counter[0] = (uint8_t)(s->length_bytes - 1);
  s->counter[AesBlock - 1] = 1;
  first[0] = (uint8_t)(s->counter[0] | (params->tag_len - 2) / 2 << 3);
  cry_aes_set_encrypt_key(&s->key, params->key, (unsigned)params->key_len);
}

// Writes the last `count` bytes of a big-endian number.
static void store_be(uint8_t *out, uint64_t value, unsigned count) {
  while (count-- != 0) {
    out[count] = (uint8_t)value;
    value >>= 8;
  }
}

// Ends the first block and adds how long the associated data will be.
static cryptile_status_t set_lengths(void *state, uint64_t aad_len, uint64_t text_len) {
  state_t *s = state;
  uint8_t *first = (uint8_t *)s->mac.chain;
  if (s->length_bytes < 8 && text_len >> 8 * s->length_bytes != 0) {
    return CRYPTILE_ERR_LENGTH;
  }
  store_be(first + AesBlock - s->length_bytes, text_len, s->length_bytes);
  s->mac.used = AesBlock;
  if (aad_len == 0) {
    return CRYPTILE_OK;
  }
  first[0] |= HasAad;
  uint8_t length[10];
  unsigned marks = 0, count = 2;
  if (aad_len >= 0xff00) {
    const bool is_short = aad_len >> 32 == 0;
    marks = 2;
    count = is_short ? 4 : 8;
    length[0] = 0xff;
    length[1] = is_short ? 0xfe : 0xff;
  }
  store_be(length + marks, aad_len, count);
  cry_aes_cbc_mac_add(&s->mac, &s->key, length, marks + count);
  return CRYPTILE_OK;
}

static void aad(void *state, const uint8_t *data, size_t len) {
  state_t *s = state;
  cry_aes_cbc_mac_add(&s->mac, &s->key, data, len);
}

// Zeros fill the last block.
static void end_aad(void *state) {
  state_t *s = state;
  s->mac.used = AesBlock;
}

static void increment(uint8_t counter[AesBlock]) {
  for (unsigned i = AesBlock; i-- != 0;) {
    if (++counter[i] != 0) {
      return;
    }
  }
}

// Encrypts what waits in the chain, and a counter.
static void next_block(state_t *s) {
  memcpy(s->key_stream, s->counter, AesBlock);
  cry_aes_encrypt_pair(&s->key, (uint8_t *)s->mac.chain, (uint8_t *)s->key_stream);
  increment(s->counter);
  s->mac.used = 0;
}

// Adds a whole block of text to the chain, and the key stream to it.
static void add_block(state_t *s, bool decrypts, const uint8_t *in, uint8_t *out) {
  uint32_t text[4];
  memcpy(text, in, sizeof text);
  for (unsigned i = 0; i < 4; i++) {
    const uint32_t other = text[i] ^ s->key_stream[i];
    s->mac.chain[i] ^= decrypts ? other : text[i];
    text[i] = other;
  }
  memcpy(out, text, sizeof text);
}

// The same for a part of a block.
static void add_part(state_t *s, bool decrypts, const uint8_t *in, uint8_t *out, size_t len) {
  uint8_t *chain = (uint8_t *)s->mac.chain + s->mac.used;
  const uint8_t *key_stream = (const uint8_t *)s->key_stream + s->mac.used;
  for (size_t i = 0; i < len; i++) {
    const uint8_t text = in[i], other = text ^ key_stream[i];
    chain[i] ^= decrypts ? other : text;
    out[i] = other;
  }
}

static void update(void *state, cryptile_direction_t direction, const uint8_t *in, uint8_t *out,
                   size_t len) {
  state_t *s = state;
  const bool decrypts = direction == CRYPTILE_DECRYPT;
  while (len != 0) {
    if (s->mac.used == AesBlock) {
      next_block(s);
    }
    const size_t left = (size_t)AesBlock - s->mac.used;
    const size_t part = len < left ? len : left;
    if (part == AesBlock) {
      add_block(s, decrypts, in, out);
    } else {
      add_part(s, decrypts, in, out, part);
    }
    s->mac.used = (uint8_t)(s->mac.used + part);
    in += part;
    out += part;
    len -= part;
  }
}

static void finish(void *state, uint64_t aad_len, uint64_t text_len,
                   uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  (void)aad_len;
  (void)text_len;
  state_t *s = state;
  memset(s->counter + AesBlock - s->length_bytes, 0, s->length_bytes);
  next_block(s);
  const uint8_t *chain = (const uint8_t *)s->mac.chain;
  const uint8_t *key_stream = (const uint8_t *)s->key_stream;
  for (unsigned i = 0; i < AesBlock; i++) {
    tag[i] = chain[i] ^ key_stream[i];
  }
}

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { Stack = STACK(320, 480) };
#else
enum { Stack = STACK(512, 896) };
#endif

const cryptile_aead_alg_t cryptile_aes_ccm = {
    .name = "AES-CCM",
    .state_size = sizeof(state_t),
    .max_aad = UINT64_MAX,
    .max_text = UINT64_MAX,
    .stack = Stack,
    .long_stack = Stack,
    .end_stack = Stack,
    .check = check,
    .init = init,
    .set_lengths = set_lengths,
    .aad = aad,
    .end_aad = end_aad,
    .update = update,
    .finish = finish,
};
