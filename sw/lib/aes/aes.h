// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// AES for other parts of the library: always the constant-time code that is best for
// the instruction set.
#ifndef CRYPTILE_LIB_AES_AES_H
#define CRYPTILE_LIB_AES_AES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aes/aes_gates.h"
#include "cryptile/cipher.h"

#if HAVE_CRY_AES_ZKN_CTR_ASM
enum { AesKeyWords = 15 * 16 / sizeof(aes_plane_t) };  // expanded keys
#else
enum { AesKeyWords = 15 * 8 };  // planes
#endif

// A key in the form that its direction wants.
typedef struct {
  aes_plane_t words[AesKeyWords];  // private
  uint8_t rounds;                  // private
  // Counters for cry_aes_ctr32() are secret: it is slower then, and its time does not depend on
  // them. In GCM they come from the key unless the nonce has 12 bytes. cry_aes_set_encrypt_key()
  // clears it.
  bool secret_counters;
} aes_key_t;

// Prepares a key of `key_len` = 16, 24 or 32 bytes.
void cry_aes_set_encrypt_key(aes_key_t *key, const uint8_t *bytes, unsigned key_len);

// Prepares a key for one direction of cry_aes_ecb(); encryption has all else here too.
void cry_aes_set_key(aes_key_t *key, cryptile_direction_t direction, const uint8_t *bytes,
                     unsigned key_len);

// One block. `in` and `out` may be the same; any alignment.
void cry_aes_encrypt_block(const aes_key_t *key, const uint8_t in[16], uint8_t out[16]);

// Two blocks in place, where bit planes take no longer for two than for one; any alignment.
void cry_aes_encrypt_pair(const aes_key_t *key, uint8_t first[16], uint8_t second[16]);

// Transforms each block of `len` bytes, a multiple of 16, in the direction of the key. `out` is
// `in`, or they are disjoint; any alignment.
void cry_aes_ecb(const aes_key_t *key, cryptile_direction_t direction, const uint8_t *in,
                 uint8_t *out, size_t len);

// Adds the key stream to `len` bytes. The last four bytes of `counter` are a big-endian number
// that counts blocks and wraps modulo 2^32 (as GCM wants it); it is moved on by the number of
// blocks begun. `out` is `in`, or they are disjoint; any alignment; null pointers if `len` is 0.
// Stack: on RV32 up to 3.2 KiB, on RV64 6.4 KiB, from 512 bytes on; a third of it below.
void cry_aes_ctr32(const aes_key_t *key, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                   size_t len);

#endif  // CRYPTILE_LIB_AES_AES_H
