// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES on bit planes: constant-time, several blocks at once (2 on RV32, 4 on RV64). Bit j of every
// byte of every block lies in plane j: the byte of row r and column c of block b at bit
// (4r + c) * AES_PASS_BLOCKS + b.
//
// Fixslicing (Adomnicai and Peyrin, "Fixslicing AES-like ciphers", CHES 2021): ShiftRows is never
// carried out. Before the MixColumns of round t = 1, 2, ... the byte that lies at row r and
// column c belongs into column c - (t - 1) * r modulo 4, and MixColumns takes it from there.
#ifndef CRYPTILE_LIB_AES_BITSLICED_H
#define CRYPTILE_LIB_AES_BITSLICED_H

#include <stddef.h>
#include <stdint.h>

#include "aes/aes_gates.h"

// Blocks in a pass.
#define AES_PASS_BLOCKS (sizeof(aes_plane_t) / 2)
#define AES_PASS_BYTES  (16 * AES_PASS_BLOCKS)

// Expands a key of 16, 24 or 32 bytes (rounds = 10, 12, 14) into 4 * (rounds + 1) words, without
// tables. The result is that of FIPS 197, bytes in memory order. `key` has any alignment.
void cry_aes_bitsliced_expand_key_c(uint32_t *round_keys, unsigned rounds, const uint8_t *key);
void cry_aes_bitsliced_expand_key_asm(uint32_t *round_keys, unsigned rounds, const uint8_t *key);

// Turns expanded keys into 8 * (rounds + 1) planes, for both directions. The constant 0x63 of the
// S-box is in them.
void cry_aes_bitsliced_slice_keys_c(aes_plane_t *sliced, const uint32_t *round_keys,
                                    unsigned rounds);
void cry_aes_bitsliced_slice_keys_asm(aes_plane_t *sliced, const uint32_t *round_keys,
                                      unsigned rounds);

// The way back; `round_keys` is aligned to a register.
void cry_aes_bitsliced_unslice_keys_asm(uint32_t *round_keys, const aes_plane_t *sliced,
                                        unsigned rounds);

// One pass. `in` and `out` are equal or disjoint, and aligned to a register.
void cry_aes_bitsliced_encrypt_c(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                 void *out);
void cry_aes_bitsliced_encrypt_asm(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                   void *out);
void cry_aes_bitsliced_decrypt_c(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                 void *out);
void cry_aes_bitsliced_decrypt_asm(const aes_plane_t *sliced, unsigned rounds, const void *in,
                                   void *out);

// Several passes, one behind the other (aes_passes_t); `sliced` are planes.
void cry_aes_bitsliced_encrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes);
void cry_aes_bitsliced_decrypt_passes(const void *sliced, unsigned rounds, const void *in,
                                      void *out, size_t passes);

// Adds `passes` > 0 passes of the key stream. Pointers as above, and so is `counter`, which is
// public: its last word is a big-endian number that counts modulo 2^32, and is stored back.
void cry_aes_bitsliced_ctr_c(const aes_plane_t *sliced, unsigned rounds, uint32_t counter[4],
                             const void *in, void *out, size_t passes);
void cry_aes_bitsliced_ctr_asm(const aes_plane_t *sliced, unsigned rounds, uint32_t counter[4],
                               const void *in, void *out, size_t passes);

#if HAVE_CRY_AES_BITSLICED_CTR_ASM
#define cry_aes_bitsliced_expand_key cry_aes_bitsliced_expand_key_asm
#define cry_aes_bitsliced_slice_keys cry_aes_bitsliced_slice_keys_asm
#define cry_aes_bitsliced_encrypt    cry_aes_bitsliced_encrypt_asm
#define cry_aes_bitsliced_decrypt    cry_aes_bitsliced_decrypt_asm
#define cry_aes_bitsliced_ctr        cry_aes_bitsliced_ctr_asm
#else
#define cry_aes_bitsliced_expand_key cry_aes_bitsliced_expand_key_c
#define cry_aes_bitsliced_slice_keys cry_aes_bitsliced_slice_keys_c
#define cry_aes_bitsliced_encrypt    cry_aes_bitsliced_encrypt_c
#define cry_aes_bitsliced_decrypt    cry_aes_bitsliced_decrypt_c
#define cry_aes_bitsliced_ctr        cry_aes_bitsliced_ctr_c
#endif

#endif  // CRYPTILE_LIB_AES_BITSLICED_H
