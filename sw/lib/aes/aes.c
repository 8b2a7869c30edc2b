// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "aes/aes.h"

#include <string.h>

#include "aes/aes_bitsliced.h"
#include "aes/aes_bitsliced_stream.h"
#include "aes/aes_bulk.h"
#include "aes/aes_zkn.h"
#include "wipe.h"

// Blocks as the code below wants them: aligned to a register.
typedef union {
  aes_plane_t align;
  uint32_t words[4 * AES_PASS_BLOCKS];
  uint8_t bytes[16 * AES_PASS_BLOCKS];
} blocks_t;

#if HAVE_CRY_AES_ZKN_CTR_ASM

static void expand(aes_key_t *key, const uint8_t *bytes) {
  cry_aes_zkn_expand_key_asm((uint32_t *)key->words, key->rounds, bytes);
}

static void prepare_decryption(aes_key_t *key) {
  cry_aes_zkn_invert_key_asm((uint32_t *)key->words, key->rounds);
}

static void encrypt(const aes_key_t *key, blocks_t *blocks) {
  cry_aes_zkn_encrypt_asm((const uint32_t *)key->words, key->rounds, blocks, blocks,
                          AES_PASS_BLOCKS);
}

enum { PassBlocks = 1 };

static void encrypt_passes(const void *keys, unsigned rounds, const void *in, void *out,
                           size_t blocks) {
  cry_aes_zkn_encrypt_asm(keys, rounds, in, out, blocks);
}

static void decrypt_passes(const void *keys, unsigned rounds, const void *in, void *out,
                           size_t blocks) {
  cry_aes_zkn_decrypt_asm(keys, rounds, in, out, blocks);
}

static void ctr_blocks(const void *keys, unsigned rounds, uint32_t counter[4], const void *in,
                       void *out, size_t blocks) {
  cry_aes_zkn_ctr_asm(keys, rounds, counter, in, out, blocks);
}

static void stream(const aes_key_t *key, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t len) {
  const aes_bulk_t bulk = {key->words, key->rounds, 1};
  cry_aes_bulk_ctr(&bulk, ctr_blocks, counter, in, out, len);
}

#else

static void expand(aes_key_t *key, const uint8_t *bytes) {
  uint32_t round_keys[60];
  cry_aes_bitsliced_expand_key(round_keys, key->rounds, bytes);
  cry_aes_bitsliced_slice_keys(key->words, round_keys, key->rounds);
  wipe(round_keys, sizeof(round_keys));
}

// Planes serve both directions.
static void prepare_decryption(aes_key_t *key) {
  (void)key;
}

enum { PassBlocks = AES_PASS_BLOCKS };

#define encrypt_passes cry_aes_bitsliced_encrypt_passes
#define decrypt_passes cry_aes_bitsliced_decrypt_passes

static void encrypt(const aes_key_t *key, blocks_t *blocks) {
  cry_aes_bitsliced_encrypt(key->words, key->rounds, blocks, blocks);
}

static void stream(const aes_key_t *key, uint32_t counter[4], const uint8_t *in, uint8_t *out,
                   size_t len) {
  const aes_bitsliced_keys_t keys = {key->words, NULL, key->rounds};
  cry_aes_bitsliced_stream(&keys, counter, in, out, len);
}

#endif

void cry_aes_set_encrypt_key(aes_key_t *key, const uint8_t *bytes, unsigned key_len) {
  key->rounds = (uint8_t)(6 + key_len / 4);
  key->secret_counters = false;
  expand(key, bytes);
}

void cry_aes_set_key(aes_key_t *key, cryptile_direction_t direction, const uint8_t *bytes,
                     unsigned key_len) {
  cry_aes_set_encrypt_key(key, bytes, key_len);
  if (direction == CRYPTILE_DECRYPT) {
    prepare_decryption(key);
  }
}

void cry_aes_encrypt_block(const aes_key_t *key, const uint8_t in[16], uint8_t out[16]) {
  blocks_t blocks = {.bytes = {0}};
  memcpy(blocks.bytes, in, 16);
  encrypt(key, &blocks);
  memcpy(out, blocks.bytes, 16);
  wipe(&blocks, sizeof blocks);
}

void cry_aes_encrypt_pair(const aes_key_t *key, uint8_t first[16], uint8_t second[16]) {
  blocks_t blocks = {.bytes = {0}};
  memcpy(blocks.bytes, first, 16);
  memcpy(blocks.bytes + 16, second, 16);
  encrypt(key, &blocks);
  memcpy(first, blocks.bytes, 16);
  memcpy(second, blocks.bytes + 16, 16);
  wipe(&blocks, sizeof blocks);
}

void cry_aes_ecb(const aes_key_t *key, cryptile_direction_t direction, const uint8_t *in,
                 uint8_t *out, size_t len) {
  const aes_bulk_t bulk = {key->words, key->rounds, PassBlocks};
  cry_aes_bulk_ecb(&bulk, direction == CRYPTILE_DECRYPT ? decrypt_passes : encrypt_passes, in, out,
                   len);
}

static void increment(uint8_t counter[16]) {
  unsigned carry = 1;
  for (unsigned i = 16; i-- > 12;) {
    carry += counter[i];
    counter[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

static void stream_secretly(const aes_key_t *key, uint8_t counter[16], const uint8_t *in,
                            uint8_t *out, size_t len) {
  blocks_t blocks = {.bytes = {0}};
  while (len != 0) {
    size_t part = len < sizeof blocks ? len : sizeof blocks;
    for (size_t i = 0; i < part; i += 16) {
      memcpy(blocks.bytes + i, counter, 16);
      increment(counter);
    }
    encrypt(key, &blocks);
    for (size_t i = 0; i < part; i++) {
      out[i] = in[i] ^ blocks.bytes[i];
    }
    in += part;
    out += part;
    len -= part;
  }
  wipe(&blocks, sizeof blocks);
}

void cry_aes_ctr32(const aes_key_t *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                   size_t len) {
  if (key->secret_counters) {
    stream_secretly(key, counter, in, out, len);
    return;
  }
  blocks_t next;
  memcpy(next.bytes, counter, 16);
  while (len != 0) {
    size_t part = cry_aes_bulk_before_wrap(next.words, len);
    stream(key, next.words, in, out, part);
    in += part;
    out += part;
    len -= part;
  }
  memcpy(counter, next.bytes, 16);
}
