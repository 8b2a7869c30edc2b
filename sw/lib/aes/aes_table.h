// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES with 32-bit tables: fast, about 8.5 KiB of tables, and NOT constant-time (table look-ups by
// secret index). The block functions under cryptile_aes_table.
#ifndef CRYPTILE_LIB_AES_TABLE_H
#define CRYPTILE_LIB_AES_TABLE_H

#include <stddef.h>
#include <stdint.h>

// Expands a key of 16, 24 or 32 bytes (rounds = 10, 12, 14) into 4 * (rounds + 1) words for
// cry_aes_table_encrypt().
void cry_aes_table_expand_key(uint32_t *round_keys, unsigned rounds, const uint8_t *key);

// Turns expanded keys into those that cry_aes_table_decrypt() needs (equivalent inverse cipher).
void cry_aes_table_invert_key(uint32_t *round_keys, unsigned rounds);

// One block; `in` and `out` may be the same; any alignment.
void cry_aes_table_encrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                           uint8_t out[16]);
void cry_aes_table_decrypt(const uint32_t *round_keys, unsigned rounds, const uint8_t in[16],
                           uint8_t out[16]);

// Assembly, on RV32. Many blocks; pointers are aligned to 4, buffers equal or disjoint.
void cry_aes_table_encrypt_asm(const uint32_t *round_keys, unsigned rounds, const void *in,
                               void *out, size_t blocks);
void cry_aes_table_decrypt_asm(const uint32_t *round_keys, unsigned rounds, const void *in,
                               void *out, size_t blocks);

// Adds the key stream. The last word of the counter is a big-endian number that counts blocks; it
// may wrap at the end of a call only, and is stored back.
void cry_aes_table_ctr_asm(const uint32_t *round_keys, unsigned rounds, uint32_t counter[4],
                           const void *in, void *out, size_t blocks);

// What both need: for every row of a column, the S-box and the matrix in one, and the inverse
// S-box.
extern const uint32_t cry_aes_table_enc[4][256];
extern const uint32_t cry_aes_table_dec[4][256];
extern const uint8_t cry_aes_table_inv_sbox[256];

#endif  // CRYPTILE_LIB_AES_TABLE_H
