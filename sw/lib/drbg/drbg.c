// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/drbg.h"

#include <stdbool.h>
#include <string.h>

#include "aes/aes.h"
#include "aes/aes_cbc_mac.h"
#include "wipe.h"
#include "wipe/wiped.h"

enum { KeyBytes = 32, SeedBytes = KeyBytes + AesBlock };

// What SP 800-90A calls reseed_counter is 0 without a seed.
typedef struct {
  uint8_t key[KeyBytes];
  uint8_t v[AesBlock];
  uint64_t requests;
} state_t;

static const uint64_t kMostRequests = (uint64_t)1 << 48;

_Static_assert(sizeof(state_t) <= sizeof(cryptile_drbg_ctx_t), "the context is too small");

typedef struct {
  const uint8_t *bytes;
  size_t len;
} input_t;

static state_t *state_of(cryptile_drbg_ctx_t *ctx) {
  return (state_t *)ctx->state;
}

static void put_be32(uint8_t to[4], uint32_t value) {
  for (unsigned i = 0; i < 4; i++) {
    to[i] = (uint8_t)(value >> (24 - 8 * i));
  }
}

// V is secret: every byte is touched.
static void increment(uint8_t v[AesBlock]) {
  unsigned carry = 1;
  for (unsigned i = AesBlock; i-- > 0;) {
    carry += v[i];
    v[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

// Encrypts V + 1, V + 2 and so on; V is the last of them then.
static void stream(const aes_key_t *key, uint8_t v[AesBlock], uint8_t *out, size_t len) {
  const size_t whole = len / AesBlock * AesBlock;
  for (size_t at = 0; at < whole; at += AesBlock) {
    increment(v);
    memcpy(out + at, v, AesBlock);
  }
  cry_aes_ecb(key, CRYPTILE_ENCRYPT, out, out, whole);
  if (whole != len) {
    uint8_t block[AesBlock];
    increment(v);
    cry_aes_encrypt_block(key, v, block);
    memcpy(out + whole, block, len - whole);
  }
}

// CTR_DRBG_Update (10.2.1.2).
static void update(state_t *s, const aes_key_t *key, const uint8_t data[SeedBytes]) {
  uint8_t made[SeedBytes];
  stream(key, s->v, made, sizeof made);
  for (unsigned i = 0; i < SeedBytes; i++) {
    made[i] ^= data[i];
  }
  memcpy(s->key, made, KeyBytes);
  memcpy(s->v, made + KeyBytes, AesBlock);
}

// BCC (10.3.3) of a block of the number and what the derivation function pads.
static void chain(const aes_key_t *key, uint32_t number, const input_t inputs[2],
                  uint8_t out[AesBlock]) {
  static const uint8_t kPadding[AesBlock] = {0x80};
  uint8_t head[AesBlock + 8] = {0};
  aes_cbc_mac_t mac = {0};
  put_be32(head, number);
  put_be32(head + AesBlock, (uint32_t)(inputs[0].len + inputs[1].len));
  put_be32(head + AesBlock + 4, SeedBytes);
  cry_aes_cbc_mac_add(&mac, key, head, sizeof head);
  for (unsigned i = 0; i < 2; i++) {
    cry_aes_cbc_mac_add(&mac, key, inputs[i].bytes, inputs[i].len);
  }
  cry_aes_cbc_mac_add(&mac, key, kPadding, 1);
  cry_aes_cbc_mac_add(&mac, key, kPadding + 1, (size_t)AesBlock - mac.used);
  cry_aes_encrypt_block(key, (const uint8_t *)mac.chain, out);
}

// Block_Cipher_df (10.3.2) of two inputs one behind the other.
static void derive(aes_key_t *key, const input_t inputs[2], uint8_t seed[SeedBytes]) {
  uint8_t first[KeyBytes];
  uint8_t made[SeedBytes];
  for (unsigned i = 0; i < KeyBytes; i++) {
    first[i] = (uint8_t)i;
  }
  cry_aes_set_encrypt_key(key, first, KeyBytes);
  for (uint32_t i = 0; i < SeedBytes / AesBlock; i++) {
    chain(key, i, inputs, made + i * AesBlock);
  }
  cry_aes_set_encrypt_key(key, made, KeyBytes);
  const uint8_t *before = made + KeyBytes;
  for (unsigned at = 0; at < SeedBytes; at += AesBlock) {
    cry_aes_encrypt_block(key, before, seed + at);
    before = seed + at;
  }
}

static bool is_missing(const uint8_t *bytes, size_t len) {
  return bytes == NULL && len != 0;
}

// Derives a seed of the inputs and mixes it in.
static void mix(state_t *s, const uint8_t *first, size_t first_len, const uint8_t *second,
                size_t second_len) {
  const input_t inputs[2] = {{first, first_len}, {second, second_len}};
  uint8_t seed[SeedBytes];
  aes_key_t key;
  derive(&key, inputs, seed);
  cry_aes_set_encrypt_key(&key, s->key, KeyBytes);
  update(s, &key, seed);
  s->requests = 1;
}

static WORK cryptile_status_t init(cryptile_drbg_ctx_t *ctx, const uint8_t *entropy,
                                   size_t entropy_len, const uint8_t *personal,
                                   size_t personal_len) {
  if (ctx == NULL) {
    return CRYPTILE_ERR_PARAM;
  }
  wipe(ctx, sizeof *ctx);
  if (entropy == NULL || is_missing(personal, personal_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (entropy_len < CRYPTILE_DRBG_MIN_SEED || entropy_len > CRYPTILE_DRBG_MAX_INPUT ||
      personal_len > CRYPTILE_DRBG_MAX_INPUT) {
    return CRYPTILE_ERR_LENGTH;
  }
  mix(state_of(ctx), entropy, entropy_len, personal, personal_len);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t reseed(cryptile_drbg_ctx_t *ctx, const uint8_t *entropy,
                                     size_t entropy_len, const uint8_t *additional,
                                     size_t additional_len) {
  if (ctx == NULL || entropy == NULL || is_missing(additional, additional_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (entropy_len < CRYPTILE_DRBG_MIN_ENTROPY || entropy_len > CRYPTILE_DRBG_MAX_INPUT ||
      additional_len > CRYPTILE_DRBG_MAX_INPUT) {
    return CRYPTILE_ERR_LENGTH;
  }
  if (state_of(ctx)->requests == 0) {
    return CRYPTILE_ERR_STATE;
  }
  mix(state_of(ctx), entropy, entropy_len, additional, additional_len);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t generate(cryptile_drbg_ctx_t *ctx, uint8_t *out, size_t len,
                                       const uint8_t *additional, size_t additional_len) {
  if (ctx == NULL || is_missing(out, len) || is_missing(additional, additional_len)) {
    return CRYPTILE_ERR_PARAM;
  }
  if (len > CRYPTILE_DRBG_MAX_REQUEST || additional_len > CRYPTILE_DRBG_MAX_INPUT) {
    return CRYPTILE_ERR_LENGTH;
  }
  state_t *s = state_of(ctx);
  if (s->requests == 0 || s->requests > kMostRequests) {
    if (len != 0) {  // memset() takes no null pointer, not even for nothing
      wipe(out, len);
    }
    return CRYPTILE_ERR_STATE;
  }
  const input_t inputs[2] = {{additional, additional_len}, {NULL, 0}};
  uint8_t data[SeedBytes] = {0};
  aes_key_t key;
  if (additional_len != 0) {
    derive(&key, inputs, data);
    cry_aes_set_encrypt_key(&key, s->key, KeyBytes);
    update(s, &key, data);
  }
  cry_aes_set_encrypt_key(&key, s->key, KeyBytes);
  stream(&key, s->v, out, len);
  update(s, &key, data);
  s->requests++;
  return CRYPTILE_OK;
}

void cryptile_drbg_wipe(cryptile_drbg_ctx_t *ctx) {
  if (ctx != NULL) {
    wipe(ctx, sizeof *ctx);
  }
}

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { SeedStack = STACK(800, 1072), GenerateStack = STACK(784, 1056) };
#else
enum { SeedStack = STACK(1264, 2144), GenerateStack = STACK(1248, 2128) };
#endif

cryptile_status_t cryptile_drbg_init(cryptile_drbg_ctx_t *ctx, const uint8_t *entropy,
                                     size_t entropy_len, const uint8_t *personal,
                                     size_t personal_len) {
  return WIPED(init(ctx, entropy, entropy_len, personal, personal_len), SeedStack);
}

cryptile_status_t cryptile_drbg_reseed(cryptile_drbg_ctx_t *ctx, const uint8_t *entropy,
                                       size_t entropy_len, const uint8_t *additional,
                                       size_t additional_len) {
  return WIPED(reseed(ctx, entropy, entropy_len, additional, additional_len), SeedStack);
}

cryptile_status_t cryptile_drbg_generate(cryptile_drbg_ctx_t *ctx, uint8_t *out, size_t len,
                                         const uint8_t *additional, size_t additional_len) {
  return WIPED(generate(ctx, out, len, additional, additional_len), GenerateStack);
}
