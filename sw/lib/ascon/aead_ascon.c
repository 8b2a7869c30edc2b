// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ascon-AEAD128 (NIST SP 800-232, section 4).
#include "ascon/ascon.h"
#include "cryptile/aead.h"
#include "wipe/wiped.h"

_Static_assert(sizeof(ascon_aead128_t) <= CRYPTILE_AEAD_STATE_BYTES, "the context is too small");

static cryptile_status_t check(const cryptile_aead_params_t *params) {
  return params->key_len == 16 && params->nonce_len == 16 && params->tag_len >= 8 &&
                 params->tag_len <= 16
             ? CRYPTILE_OK
             : CRYPTILE_ERR_PARAM;
}

static void init(void *state, cryptile_direction_t direction,
                 const cryptile_aead_params_t *params) {
  int way = direction == CRYPTILE_DECRYPT ? ASCON_DECRYPT : ASCON_ENCRYPT;
  cry_ascon_aead128_init(state, way, params->key, params->nonce);
}

static void aad(void *state, const uint8_t *data, size_t len) {
  cry_ascon_aead128_aad(state, data, len);
}

static void end_aad(void *state) {
  (void)state;  // the first text does
}

static void update(void *state, cryptile_direction_t direction, const uint8_t *in, uint8_t *out,
                   size_t len) {
  (void)direction;  // known since init
  cry_ascon_aead128_update(state, in, out, len);
}

static void finish(void *state, uint64_t aad_len, uint64_t text_len,
                   uint8_t tag[CRYPTILE_AEAD_MAX_TAG]) {
  (void)aad_len;
  (void)text_len;
  cry_ascon_aead128_finish(state, tag);
}

const cryptile_aead_alg_t cryptile_ascon_aead128 = {
    .name = "Ascon-AEAD128",
    .state_size = sizeof(ascon_aead128_t),
    .max_aad = (uint64_t)1 << 54,
    .max_text = (uint64_t)1 << 54,
    .stack = STACK(272, 336),
    .long_stack = STACK(272, 336),
    .end_stack = STACK(224, 288),
    .check = check,
    .init = init,
    .aad = aad,
    .end_aad = end_aad,
    .update = update,
    .finish = finish,
};
