// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "sha2/hash_sha2.h"
#include "sha2/sha512.h"
#include "wipe/wiped.h"

static void blocks(cryptile_sha2_t *sha2, const uint8_t *in, size_t count) {
  cry_sha512_blocks(sha2->chain.w64, in, count);
}

// FIPS 180-4, section 5.3.
static const uint64_t initial_384[8] = {0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17,
                                        0x152fecd8f70e5939, 0x67332667ffc00b31, 0x8eb44a8768581511,
                                        0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4};
static const uint64_t initial_512[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                        0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                        0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const uint64_t initial_512_224[8] = {
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1};
static const uint64_t initial_512_256[8] = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2};

const cryptile_hash_alg_t cryptile_sha384 = {
    .name = "SHA-384",
    .digest_size = 48,
    .block_size = 128,
    .stack = STACK(240, 176),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = cry_hash_sha2_final,
    .initial = initial_384,
    .blocks = blocks,
    .oid = 2,
};

const cryptile_hash_alg_t cryptile_sha512 = {
    .name = "SHA-512",
    .digest_size = 64,
    .block_size = 128,
    .stack = STACK(240, 176),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = cry_hash_sha2_final,
    .initial = initial_512,
    .blocks = blocks,
    .oid = 3,
};

// The digest ends within a word.
static void final_224(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                      uint8_t *digest) {
  uint8_t words[32];
  cry_hash_sha2_final(alg, state, words);
  memcpy(digest, words, 28);
}

const cryptile_hash_alg_t cryptile_sha512_224 = {
    .name = "SHA-512/224",
    .digest_size = 28,
    .block_size = 128,
    .stack = STACK(304, 256),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = final_224,
    .initial = initial_512_224,
    .blocks = blocks,
    .oid = 5,
};

const cryptile_hash_alg_t cryptile_sha512_256 = {
    .name = "SHA-512/256",
    .digest_size = 32,
    .block_size = 128,
    .stack = STACK(240, 176),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = cry_hash_sha2_final,
    .initial = initial_512_256,
    .blocks = blocks,
    .oid = 6,
};
