// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Deterministic random bit generator: CTR_DRBG of NIST SP 800-90A Rev. 1 (10.2.1) with AES-256 and
// derivation function, 256 bits of security strength, without prediction resistance; as the
// hardware's (rtl/engine/drbg). It makes no entropy: what it gives is as hard to guess as what it
// is given at the start.
//
//   status = cryptile_drbg_init(&ctx, entropy, 48, NULL, 0);  // 32 bytes of entropy, nonce of 16
//   status = cryptile_drbg_generate(&ctx, out, len, NULL, 0);
//   status = cryptile_drbg_reseed(&ctx, entropy, 32, NULL, 0);
//
// Holds for every function here unless it says otherwise:
// - Alignment: any.
// - Aliasing: no buffer may overlap the context; `out` may overlap `additional` in any way.
// - Constant time: the time depends on lengths alone, not on entropy, state or output.
// - Stack: bounds with everything that is called, seen on RV32 and RV64 at -O2.
// - Not reentrant on one context; different contexts are independent. A copy of a context gives the
//   same bits again: never use both.
// - A null pointer stands for no bytes where its length is 0.
#ifndef CRYPTILE_DRBG_H
#define CRYPTILE_DRBG_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_DRBG_MIN_SEED    48u     // bytes: entropy and nonce
#define CRYPTILE_DRBG_MIN_ENTROPY 32u     // of a reseed
#define CRYPTILE_DRBG_MAX_INPUT   65536u  // entropy, personalization, additional input: each
#define CRYPTILE_DRBG_MAX_REQUEST 65536u  // bytes of a request

#define CRYPTILE_DRBG_STATE_BYTES 56u

// An instance. The size is public so that the caller can place it; the member is private. One that
// is all zero has no seed.
typedef struct {
  uint64_t state[CRYPTILE_DRBG_STATE_BYTES / 8];
} cryptile_drbg_ctx_t;

// Instantiates: `entropy` are `entropy_len` bytes, CRYPTILE_DRBG_MIN_SEED at least, that have 256
// bits of entropy, and a nonce behind them (section 8.6.7); or 384 bits of entropy and no nonce.
// `personal` tells this instance from others, and may be public.
//
// Any state in `ctx` is overwritten.
// Stack: 1280 bytes; on RV64 2176.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: null pointer; CRYPTILE_ERR_LENGTH: too little or too
// much. On an error the context is wiped, if there is one.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_drbg_init(cryptile_drbg_ctx_t *ctx,
                                                         const uint8_t *entropy, size_t entropy_len,
                                                         const uint8_t *personal,
                                                         size_t personal_len);

// Mixes fresh entropy in: `entropy_len` bytes, CRYPTILE_DRBG_MIN_ENTROPY at least, that have 256
// bits of it; and additional input.
//
// Stack: 1280 bytes; on RV64 2176.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM, CRYPTILE_ERR_LENGTH as above, with nothing done;
// CRYPTILE_ERR_STATE: it has no seed.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_drbg_reseed(cryptile_drbg_ctx_t *ctx,
                                                           const uint8_t *entropy,
                                                           size_t entropy_len,
                                                           const uint8_t *additional,
                                                           size_t additional_len);

// Gives `len` bytes, up to CRYPTILE_DRBG_MAX_REQUEST. Who learns the context later learns none of
// them.
//
// Stack: 1280 bytes; on RV64 2176.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: null pointer, and CRYPTILE_ERR_LENGTH: too much, with
// nothing done; CRYPTILE_ERR_STATE: it has no seed, or gave 2^48 requests since the last one, and
// `out` is zeroized.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_drbg_generate(cryptile_drbg_ctx_t *ctx, uint8_t *out,
                                                             size_t len, const uint8_t *additional,
                                                             size_t additional_len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
// Stack: 16 bytes.
void cryptile_drbg_wipe(cryptile_drbg_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_DRBG_H
