// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// XTS-AES (IEEE 1619, NIST SP 800-38E) for storage: each data unit, such as a sector, is encrypted
// under its own tweak, and keeps its length.
//
// It does not authenticate: a changed data unit decrypts to garbage in the blocks that were
// changed.
//
// Holds for every function here unless it says otherwise:
// - Alignment: any. Buffers aligned to a register are faster.
// - Aliasing: `in` and `out` may overlap in any way, and the result is as if they did not; so may
//   `out` and key or tweak. It is fastest if `out` is `in`, or nothing overlaps: else the input is
//   moved first. The context overlaps no other object.
// - Constant time: the time depends on lengths and the direction alone, and on whether a key was
//   refused.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - A context is only read by cryptile_xts_crypt(): several threads may share one.
#ifndef CRYPTILE_XTS_H
#define CRYPTILE_XTS_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/cipher.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_XTS_MIN_BYTES 16u          // of a data unit
#define CRYPTILE_XTS_MAX_BYTES (16u << 20)  // 2^20 blocks, the limit of SP 800-38E

#if UINTPTR_MAX > 0xffffffffu
#define CRYPTILE_XTS_STATE_BYTES 1968u
#else
#define CRYPTILE_XTS_STATE_BYTES 1000u
#endif

// A key for one direction. The size is public so that the caller can place it; the member is
// private.
typedef struct {
  uint64_t state[CRYPTILE_XTS_STATE_BYTES / 8];
} cryptile_xts_ctx_t;

// Prepares a key: 32 bytes for XTS-AES-128, 64 for XTS-AES-256. The first half is for the data, the
// second for the tweak. The key is not read again.
//
// Any state in `ctx` is overwritten, not wiped.
// Stack: 832 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_KEY if the halves are equal; CRYPTILE_ERR_PARAM: null pointer,
// length of the key or direction. After an error the context refuses all work.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_xts_init(cryptile_xts_ctx_t *ctx,
                                                        cryptile_direction_t direction,
                                                        const uint8_t *key, size_t key_len);

// Encrypts or decrypts one data unit of `len` bytes, 16 to 2^24. The last block may be partial: it
// steals ciphertext from the one before. `tweak` is the number of the data unit, little-endian.
//
// Stack: 1024 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH; CRYPTILE_ERR_STATE; CRYPTILE_ERR_PARAM on a null
// pointer. On an error nothing was written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_xts_crypt(const cryptile_xts_ctx_t *ctx,
                                                         const uint8_t tweak[16], const uint8_t *in,
                                                         uint8_t *out, size_t len);

// Forgets a key; a null pointer is allowed. The compiler cannot remove it. Stack: 16 bytes.
void cryptile_xts_wipe(cryptile_xts_ctx_t *ctx);

// One call for one data unit.
//
// Stack: 2048 bytes, of which 1000 are the context.
// Returns as the functions above. On an error nothing was written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_xts(cryptile_direction_t direction,
                                                   const uint8_t *key, size_t key_len,
                                                   const uint8_t tweak[16], const uint8_t *in,
                                                   uint8_t *out, size_t len);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_XTS_H
