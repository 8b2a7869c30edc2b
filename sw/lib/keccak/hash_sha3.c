// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/hash.h"
#include "keccak/keccak.h"
#include "wipe/wiped.h"

static void init(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state) {
  cry_keccak_init(&state->sponge, alg->block_size, KECCAK_SUFFIX_SHA3);
}

static void update(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, const uint8_t *in,
                   size_t len) {
  (void)alg;
  cry_keccak_absorb(&state->sponge, in, len);
}

static void final(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state, uint8_t *digest) {
  cry_keccak_squeeze(&state->sponge, digest, alg->digest_size);
}

const cryptile_hash_alg_t cryptile_sha3_224 = {
    .name = "SHA3-224",
    .digest_size = 28,
    .block_size = KECCAK_RATE_224,
    .stack = STACK(352, 176),
    .init = init,
    .update = update,
    .final = final,
    .oid = 7,
};

const cryptile_hash_alg_t cryptile_sha3_256 = {
    .name = "SHA3-256",
    .digest_size = 32,
    .block_size = KECCAK_RATE_256,
    .stack = STACK(352, 176),
    .init = init,
    .update = update,
    .final = final,
    .oid = 8,
};

const cryptile_hash_alg_t cryptile_sha3_384 = {
    .name = "SHA3-384",
    .digest_size = 48,
    .block_size = KECCAK_RATE_384,
    .stack = STACK(352, 176),
    .init = init,
    .update = update,
    .final = final,
    .oid = 9,
};

const cryptile_hash_alg_t cryptile_sha3_512 = {
    .name = "SHA3-512",
    .digest_size = 64,
    .block_size = KECCAK_RATE_512,
    .stack = STACK(352, 176),
    .init = init,
    .update = update,
    .final = final,
    .oid = 10,
};
