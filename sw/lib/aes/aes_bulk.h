// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Modes of operation over code that works on several aligned blocks at once: any alignment, any
// length, in place as cryptile_cipher_impl_t.process allows it.
#ifndef CRYPTILE_LIB_AES_BULK_H
#define CRYPTILE_LIB_AES_BULK_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile.h"

// Transforms whole passes of blocks. Buffers are equal or disjoint, and aligned to a register.
typedef void (*aes_passes_t)(const void *keys, unsigned rounds, const void *in, void *out,
                             size_t passes);

// Adds whole passes of the key stream. The last word of the counter is a big-endian number that
// counts; when it wraps the rest stays.
typedef void (*aes_ctr_passes_t)(const void *keys, unsigned rounds, uint32_t counter[4],
                                 const void *in, void *out, size_t passes);

typedef struct {
  const void *keys;
  unsigned rounds;
  unsigned blocks;  // in a pass
} aes_bulk_t;

// `len` is a multiple of 16.
void cry_aes_bulk_ecb(const aes_bulk_t *bulk, aes_passes_t run, const uint8_t *in, uint8_t *out,
                      size_t len);

// Encrypts one block after another, each in a pass. `len` is a multiple of 16.
void cry_aes_bulk_cbc_encrypt(const aes_bulk_t *bulk, aes_passes_t run, uint32_t chain[4],
                              const uint8_t *in, uint8_t *out, size_t len);

// `len` is a multiple of 16.
void cry_aes_bulk_cbc_decrypt(const aes_bulk_t *bulk, aes_passes_t run, uint32_t chain[4],
                              const uint8_t *in, uint8_t *out, size_t len);

// Moves the counter on by the number of blocks begun, modulo 2^32.
void cry_aes_bulk_ctr(const aes_bulk_t *bulk, aes_ctr_passes_t run, uint32_t counter[4],
                      const uint8_t *in, uint8_t *out, size_t len);

// The number of bytes, at most `len`, before the last word of the counter wraps.
size_t cry_aes_bulk_before_wrap(const uint32_t counter[4], size_t len);

// Adds one to the first three words of the counter if the last one has just become zero.
void cry_aes_bulk_carry(uint32_t counter[4]);

// The parts of an implementation that keeps the keys for its direction in ctx->key.
typedef struct {
  unsigned blocks;
  aes_passes_t encrypt;
  aes_passes_t decrypt;
  aes_ctr_passes_t ctr;
} aes_bulk_impl_t;

// cryptile_cipher_impl_t.process for such an implementation.
void cry_aes_bulk_process(cryptile_cipher_ctx_t *ctx, const aes_bulk_impl_t *impl,
                          const uint8_t *in, uint8_t *out, size_t len);

#endif  // CRYPTILE_LIB_AES_BULK_H
