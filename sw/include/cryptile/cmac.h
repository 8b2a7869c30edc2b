// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// CMAC with AES (NIST SP 800-38B), by the constant-time AES that is best for the instruction set.
//
// Holds for every function here unless it says otherwise:
// - Alignment: any.
// - Aliasing: no buffer may overlap the context; `mac` may overlap `in` or `key` in any way.
// - Constant time: the time depends on lengths alone, not on key, message or code; whether a code
//   is right shows in the return value only.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - Not reentrant on one context; different contexts are independent.
// - A context may be copied as a whole: one that is fresh from cryptile_cmac_init() saves the
//   preparation of the key for each further message.
#ifndef CRYPTILE_CMAC_H
#define CRYPTILE_CMAC_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_CMAC_MAX_MAC 16u

#if UINTPTR_MAX > 0xffffffffu
#define CRYPTILE_CMAC_STATE_BYTES 1000u
#else
#define CRYPTILE_CMAC_STATE_BYTES 512u
#endif

// A message being authenticated. The size is public so that the caller can place it; the member is
// private.
typedef struct {
  uint64_t state[CRYPTILE_CMAC_STATE_BYTES / 8];
} cryptile_cmac_ctx_t;

// Starts a message with a key of 16, 24 or 32 bytes. The key is not read again.
//
// Any state in `ctx` is overwritten, not wiped.
// Stack: 832 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM: null pointer or length of the key (the context then
// refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac_init(cryptile_cmac_ctx_t *ctx,
                                                         const uint8_t *key, size_t key_len);

// Goes on with the next `len` bytes of the message; any number, also 0, then `in` may be null.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM on a null pointer (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac_update(cryptile_cmac_ctx_t *ctx, const void *in,
                                                           size_t len);

// Ends the message: writes the first `mac_len` bytes of its code, 1 to 16, and wipes the context.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM: null pointer or `mac_len` (nothing was done),
// CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac_final(cryptile_cmac_ctx_t *ctx, uint8_t *mac,
                                                          size_t mac_len);

// Ends the message: compares its code with `mac`, of 1 to 16 bytes, and wipes the context.
//
// A truncated code of n bytes is guessed with probability 2^-8n: SP 800-38B wants 8 bytes at least,
// unless it cannot be tried often.
// Stack: 448 bytes.
// Returns CRYPTILE_OK: the code is right, CRYPTILE_ERR_AUTH: it is not, CRYPTILE_ERR_PARAM: null
// pointer or `mac_len` (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac_verify(cryptile_cmac_ctx_t *ctx,
                                                           const uint8_t *mac, size_t mac_len);

// One call for the code of a whole message.
//
// Stack: 1408 bytes, of which 512 are the context.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac(const uint8_t *key, size_t key_len,
                                                    const void *in, size_t len, uint8_t *mac,
                                                    size_t mac_len);

// One call to check the code of a whole message.
//
// Stack: 1408 bytes, of which 512 are the context.
// Returns CRYPTILE_OK, CRYPTILE_ERR_AUTH or CRYPTILE_ERR_PARAM.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cmac_check(const uint8_t *key, size_t key_len,
                                                          const void *in, size_t len,
                                                          const uint8_t *mac, size_t mac_len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
// Stack: 16 bytes.
void cryptile_cmac_wipe(cryptile_cmac_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_CMAC_H
