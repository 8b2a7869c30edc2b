// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES with the scalar cryptography extension (Zkne and Zknd, with Zbkb): constant-time. Only where
// the instruction set has it.
//
// Expanded keys and buffers are aligned to a register; `in` and `out` are equal or disjoint.
#ifndef CRYPTILE_LIB_AES_ZKN_H
#define CRYPTILE_LIB_AES_ZKN_H

#include <stddef.h>
#include <stdint.h>

// Expands a key of 16, 24 or 32 bytes (rounds = 10, 12, 14) into 4 * (rounds + 1) words as in FIPS
// 197. `key` has any alignment.
void cry_aes_zkn_expand_key_asm(uint32_t *round_keys, unsigned rounds, const uint8_t *key);

// Turns expanded keys into those that cry_aes_zkn_decrypt_asm() needs.
void cry_aes_zkn_invert_key_asm(uint32_t *round_keys, unsigned rounds);

void cry_aes_zkn_encrypt_asm(const uint32_t *round_keys, unsigned rounds, const void *in, void *out,
                             size_t blocks);
void cry_aes_zkn_decrypt_asm(const uint32_t *round_keys, unsigned rounds, const void *in, void *out,
                             size_t blocks);

// Adds the key stream. The last word of the counter is a big-endian number that counts blocks; it
// is public, may wrap at the end of a call only, and is stored back. `counter` is aligned as well.
void cry_aes_zkn_ctr_asm(const uint32_t *round_keys, unsigned rounds, uint32_t counter[4],
                         const void *in, void *out, size_t blocks);

#endif  // CRYPTILE_LIB_AES_ZKN_H
