// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES by bytes, with S-box tables: small, slow, and NOT constant-time (table look-ups by secret
// index). The block functions under cryptile_aes_compact, for programs that need no modes.
#ifndef CRYPTILE_LIB_AES_COMPACT_H
#define CRYPTILE_LIB_AES_COMPACT_H

#include <stdint.h>

// Expands a key of 16, 24 or 32 bytes (rounds = 10, 12, 14) into 4 * (rounds + 1) words.
void cry_aes_compact_expand_key(uint32_t *round_keys, unsigned rounds, const uint8_t *key);

// One block; `in` and `out` may be the same; any alignment.
void cry_aes_compact_encrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                             uint8_t out[16]);
void cry_aes_compact_decrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                             uint8_t out[16]);

#endif  // CRYPTILE_LIB_AES_COMPACT_H
