// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// ChaCha20 (RFC 8439, section 2.4): the stream cipher alone.
//
// It does not authenticate: use cryptile_chacha20_poly1305 of cryptile/aead.h unless the format is
// given. NEVER use a nonce twice with one key, nor ranges of the block counter that overlap.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment. Those aligned to 4 are faster.
// - Aliasing: `in` and `out` may overlap in any way, and the result is as if they did not; so may
//   `out` and the key or the nonce. It is fastest if `out` is `in`, or nothing overlaps: else the
//   input is moved first. The context overlaps no other object.
// - Constant time: the time depends on lengths and alignment alone.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - Not reentrant on one context; different contexts are independent.
// - A context may be copied as a whole, to go on from the same place of the key stream later.
#ifndef CRYPTILE_CHACHA20_H
#define CRYPTILE_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A message being worked on. The size is public so that the caller can place it; the members are
// private.
typedef struct {
  uint32_t state[16];
  uint32_t key_stream[16];  // the last block, while a part of it is unused
  uint64_t left;            // bytes until the block counter would wrap
} cryptile_chacha20_ctx_t;

// Starts a message at block `counter` of the key stream. Key and nonce are not read again.
//
// Any state in `ctx` is overwritten, not wiped.
// Stack: 96 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer (the context then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_chacha20_init(cryptile_chacha20_ctx_t *ctx,
                                                             const uint8_t key[32],
                                                             const uint8_t nonce[12],
                                                             uint32_t counter);

// Encrypts or decrypts the next `len` bytes; any number, also 0, then pointers may be null. Chunks
// of whole blocks of 64 bytes are fastest.
//
// Stack: 352 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH if the block counter would pass 2^32 - 1;
// CRYPTILE_ERR_STATE; CRYPTILE_ERR_PARAM on a null pointer. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_chacha20_update(cryptile_chacha20_ctx_t *ctx,
                                                               const uint8_t *in, uint8_t *out,
                                                               size_t len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
// Stack: 16 bytes.
void cryptile_chacha20_wipe(cryptile_chacha20_ctx_t *ctx);

// One call for a whole message.
//
// Stack: 512 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_LENGTH or CRYPTILE_ERR_PARAM, as above. On an error nothing was
// written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_chacha20(const uint8_t key[32],
                                                        const uint8_t nonce[12], uint32_t counter,
                                                        const uint8_t *in, uint8_t *out,
                                                        size_t len);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_CHACHA20_H
