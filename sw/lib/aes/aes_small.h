// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES encryption in the least code, for RV32 (also RV32E): NOT constant-time (table look-ups by
// secret index). For CTR and what else needs no decryption.
#ifndef CRYPTILE_LIB_AES_SMALL_H
#define CRYPTILE_LIB_AES_SMALL_H

#include <stdint.h>

extern const uint8_t cry_aes_small_sbox[256];

// Expands a key of 16, 24 or 32 bytes (rounds = 10, 12, 14) into 4 * (rounds + 1) words. `key` has
// any alignment.
void cry_aes_small_expand_key_asm(uint32_t *round_keys, unsigned rounds, const uint8_t *key);

// One block; `in` and `out` are aligned to 4 and may be the same.
void cry_aes_small_encrypt_asm(const uint32_t *round_keys, unsigned rounds, const void *in,
                               void *out);

#endif  // CRYPTILE_LIB_AES_SMALL_H
