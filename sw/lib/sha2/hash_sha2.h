// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// What the hash functions of SHA-2 have in common: FIPS 180-4, section 5. All differences are in
// the descriptor.
#ifndef CRYPTILE_LIB_SHA2_HASH_SHA2_H
#define CRYPTILE_LIB_SHA2_HASH_SHA2_H

#include "cryptile/hash.h"

void cry_hash_sha2_init(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state);
void cry_hash_sha2_update(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                          const uint8_t *in, size_t len);
void cry_hash_sha2_final(const cryptile_hash_alg_t *alg, cryptile_hash_state_t *state,
                         uint8_t *digest);

#endif  // CRYPTILE_LIB_SHA2_HASH_SHA2_H
