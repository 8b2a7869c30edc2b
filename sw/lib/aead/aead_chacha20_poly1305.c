// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20-Poly1305 (RFC 8439, section 2.8).
#include "bytes.h"
#include "chacha20/chacha20.h"
#include "cryptile/aead.h"
#include "poly1305/poly1305.h"
#include "wipe.h"
#include "wipe/wiped.h"

typedef struct {
  cryptile_chacha20_ctx_t cipher;
  poly1305_t mac;
} state_t;

_Static_assert(sizeof(state_t) <= CRYPTILE_AEAD_STATE_BYTES, "the context is too small");

static cryptile_status_t check(const cryptile_aead_params_t *params) {
  return params->key_len == 32 && params->nonce_len == 12 && params->tag_len == 16
             ? CRYPTILE_OK
             : CRYPTILE_ERR_PARAM;
}

static void init(void *state, cryptile_direction_t direction,
                 const cryptile_aead_params_t *params) {
  (void)direction;
  state_t *s = state;
  _Alignas(4) uint8_t block[CHACHA20_BLOCK] = {0};
  cry_chacha20_init(&s->cipher, params->key, params->nonce, 0);
  (void)cry_chacha20_xor(&s->cipher, block, block, sizeof block);
  cry_poly1305_init(&s->mac, block);
  wipe(block, sizeof block);
}

static void aad(void *state, const uint8_t *data, size_t len) {
  state_t *s = state;
  cry_poly1305_update(&s->mac, data, len);
}

static void end_aad(void *state) {
  state_t *s = state;
  cry_poly1305_pad(&s->mac);
}

static void update(void *state, cryptile_direction_t direction, const uint8_t *in, uint8_t *out,
                   size_t len) {
  state_t *s = state;
  if (direction == CRYPTILE_DECRYPT) {
    cry_poly1305_update(&s->mac, in, len);
  }
  (void)cry_chacha20_xor(&s->cipher, in, out, len);  // max_text keeps it from failing
  if (direction == CRYPTILE_ENCRYPT) {
    cry_poly1305_update(&s->mac, out, len);
  }
}

static void finish(void *state, uint64_t aad_len, uint64_t text_len,
                   uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  state_t *s = state;
  uint8_t lengths[16];
  cry_poly1305_pad(&s->mac);
  store32_le(lengths, (uint32_t)aad_len);
  store32_le(lengths + 4, (uint32_t)(aad_len >> 32));
  store32_le(lengths + 8, (uint32_t)text_len);
  store32_le(lengths + 12, (uint32_t)(text_len >> 32));
  cry_poly1305_update(&s->mac, lengths, sizeof lengths);
  cry_poly1305_final(&s->mac, tag);
}

const cryptile_aead_alg_t cryptile_chacha20_poly1305 = {
    .name = "ChaCha20-Poly1305",
    .state_size = sizeof(state_t),
    .max_aad = UINT64_MAX,
    .max_text = ((uint64_t)1 << 38) - 64,
    .stack = STACK(288, 384),
    .long_stack = STACK(288, 384),
    .end_stack = STACK(176, 176),
    .check = check,
    .init = init,
    .aad = aad,
    .end_aad = end_aad,
    .update = update,
    .finish = finish,
};
