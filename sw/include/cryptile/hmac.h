// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// HMAC (FIPS 198-1) with any hash function of cryptile/hash.h that has a block size.
//
// Holds for every function here unless it says otherwise:
// - Alignment: any.
// - Aliasing: no buffer may overlap the context; `mac` may overlap `in` or `key` in any way.
// - Constant time: the time depends on lengths and on the hash function alone, not on key, message
//   or code; whether a code is right shows in the return value only.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - A context may be copied as a whole: one that is fresh from cryptile_hmac_init() saves the two
//   compressions of the key for each further message.
#ifndef CRYPTILE_HMAC_H
#define CRYPTILE_HMAC_H

#include "cryptile/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

// A message being authenticated. The size is public, the members are private.
typedef struct {
  cryptile_hash_ctx_t inner;
  cryptile_hash_ctx_t outer;
} cryptile_hmac_ctx_t;

// Starts a message with a key of any length, also 0, then `key` may be null. The key is not read
// again.
//
// Any state in `ctx` is overwritten, not wiped.
// Stack: 624 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM: null pointer, or a hash function without HMAC (the
// context then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac_init(cryptile_hmac_ctx_t *ctx,
                                                         const cryptile_hash_alg_t *alg,
                                                         const void *key, size_t key_len);

// Goes on with the next `len` bytes of the message; any number, also 0, then `in` may be null.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM on a null pointer (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac_update(cryptile_hmac_ctx_t *ctx, const void *in,
                                                           size_t len);

// Ends the message: writes the first `mac_len` bytes of its code, 1 to digest_size, and wipes the
// context.
//
// Stack: 560 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_PARAM: null pointer or `mac_len` (nothing was done),
// CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac_final(cryptile_hmac_ctx_t *ctx, uint8_t *mac,
                                                          size_t mac_len);

// Ends the message: compares its code with `mac`, of 1 to digest_size bytes, and wipes the context.
//
// A truncated code of n bytes is guessed with probability 2^-8n: the caller decides what is enough.
// Stack: 560 bytes.
// Returns CRYPTILE_OK: the code is right, CRYPTILE_ERR_AUTH: it is not, CRYPTILE_ERR_PARAM: null
// pointer or `mac_len` (nothing was done), CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac_verify(cryptile_hmac_ctx_t *ctx,
                                                           const uint8_t *mac, size_t mac_len);

// One call for the code of a whole message.
//
// Stack: 1152 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac(const cryptile_hash_alg_t *alg, const void *key,
                                                    size_t key_len, const void *in, size_t len,
                                                    uint8_t *mac, size_t mac_len);

// One call to check the code of a whole message.
//
// Stack: 1152 bytes.
// Returns CRYPTILE_OK, CRYPTILE_ERR_AUTH or CRYPTILE_ERR_PARAM.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hmac_check(const cryptile_hash_alg_t *alg,
                                                          const void *key, size_t key_len,
                                                          const void *in, size_t len,
                                                          const uint8_t *mac, size_t mac_len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
void cryptile_hmac_wipe(cryptile_hmac_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_HMAC_H
