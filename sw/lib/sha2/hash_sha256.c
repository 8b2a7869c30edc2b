// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "sha2/hash_sha2.h"
#include "sha2/sha256.h"
#include "wipe/wiped.h"

static void blocks(cryptile_sha2_t *sha2, const uint8_t *in, size_t count) {
  cry_sha256_blocks(sha2->chain.w32, in, count);
}

// FIPS 180-4, section 5.3.
static const uint32_t initial_224[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                        0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
static const uint32_t initial_256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

const cryptile_hash_alg_t cryptile_sha224 = {
    .name = "SHA-224",
    .digest_size = 28,
    .block_size = 64,
    .stack = STACK(144, 176),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = cry_hash_sha2_final,
    .initial = initial_224,
    .blocks = blocks,
    .oid = 4,
};

const cryptile_hash_alg_t cryptile_sha256 = {
    .name = "SHA-256",
    .digest_size = 32,
    .block_size = 64,
    .stack = STACK(144, 176),
    .init = cry_hash_sha2_init,
    .update = cry_hash_sha2_update,
    .final = cry_hash_sha2_final,
    .initial = initial_256,
    .blocks = blocks,
    .oid = 1,
};
