// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "ascon/ascon.h"
#include "cryptile/hash.h"
#include "wipe/wiped.h"

static void init(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state) {
  (void)alg;
  cry_ascon_hash256_init(&state->ascon);
}

static void update(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, const uint8_t *in,
                   size_t len) {
  (void)alg;
  cry_ascon_absorb(&state->ascon, in, len);
}

static void final(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, uint8_t *digest) {
  cry_ascon_squeeze(&state->ascon, digest, alg->digest_size);
}

// FIPS 198-1 wants a block at least as long as the digest, and SP 800-232 defines no HMAC.
const cryptile_hash_alg_t cryptile_ascon_hash256 = {
    .name = "Ascon-Hash256",
    .digest_size = 32,
    .block_size = 0,
    .stack = STACK(144, 176),
    .init = init,
    .update = update,
    .final = final,
};
