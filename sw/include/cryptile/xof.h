// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Output of any length from a message: SHAKE128 and SHAKE256 (FIPS 202), cSHAKE and KMAC (NIST
// SP 800-185).
//
// Nothing is allocated: all state is in a context that the caller owns.
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment. Those aligned to a word are faster.
// - Aliasing: no buffer may overlap the context; of one call's buffers, the output may overlap the
//   input in any way.
// - Constant time: the time depends on lengths alone; whether a code is right shows in the return
//   value only.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - Not reentrant on one context; different contexts are independent.
// - A context may be copied as a whole, to save the state of a message or to branch it.
// - Lengths may be 0, and then pointers null.
#ifndef CRYPTILE_XOF_H
#define CRYPTILE_XOF_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/sponge.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// The security strength in bits; the values are the rates in bytes.
typedef enum { CRYPTILE_XOF_128 = 168, CRYPTILE_XOF_256 = 136 } cryptile_xof_strength_t;

// A message being worked on. The size is public so that the caller can place it; the members are
// private.
typedef struct {
  cryptile_sponge_t sponge;
  uint8_t phase;
} cryptile_xof_ctx_t;

// Starts a message for SHAKE128 or SHAKE256.
//
// Stack: 64 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM on a null pointer or an unknown strength (the context
// then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_shake_init(cryptile_xof_ctx_t *ctx,
                                                          cryptile_xof_strength_t strength);

// Starts a message for cSHAKE128 or cSHAKE256 with a function name, which NIST assigns, and a
// customization string, both of any length. With both empty this is SHAKE.
//
// Stack: 448 bytes.
// Returns as cryptile_shake_init().
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_cshake_init(cryptile_xof_ctx_t *ctx,
                                                           cryptile_xof_strength_t strength,
                                                           const void *name, size_t name_len,
                                                           const void *custom, size_t custom_len);

// Goes on with the next `len` bytes of the message; any number.
//
// Stack: 416 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE after the first output, or if not initialised;
// CRYPTILE_ERR_PARAM on a null pointer. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_xof_absorb(cryptile_xof_ctx_t *ctx, const void *in,
                                                          size_t len);

// Gives the next `len` bytes of the output; any number. The first call ends the message.
//
// Stack: 416 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE if not initialised; CRYPTILE_ERR_PARAM on a null pointer.
// On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_xof_squeeze(cryptile_xof_ctx_t *ctx, void *out,
                                                           size_t len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
void cryptile_xof_wipe(cryptile_xof_ctx_t *ctx);

// SHAKE of a whole message in one call.
//
// Stack: 704 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer or an unknown strength.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_shake(cryptile_xof_strength_t strength,
                                                     const void *in, size_t len, void *out,
                                                     size_t out_len);

// A message being authenticated by KMAC. The size is public, the members are private.
typedef struct {
  cryptile_sponge_t sponge;
  uint8_t phase;
} cryptile_kmac_ctx_t;

// Starts a message for KMAC128 or KMAC256 with a key and a customization string, both of any
// length. The key is not read again; it should have as many bits as the strength at least.
//
// Stack: 464 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM on a null pointer or an unknown strength (the context
// then refuses all work).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_kmac_init(cryptile_kmac_ctx_t *ctx,
                                                         cryptile_xof_strength_t strength,
                                                         const void *key, size_t key_len,
                                                         const void *custom, size_t custom_len);

// Goes on with the next `len` bytes of the message; any number.
//
// Stack: 416 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE after cryptile_kmac_squeeze(), or if not initialised;
// CRYPTILE_ERR_PARAM on a null pointer. On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_kmac_update(cryptile_kmac_ctx_t *ctx, const void *in,
                                                           size_t len);

// Ends the message: writes its code of `mac_len` > 0 bytes, which depends on the length wanted, and
// wipes the context.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM: null pointer or no length (nothing was done);
// CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_kmac_final(cryptile_kmac_ctx_t *ctx, void *mac,
                                                          size_t mac_len);

// Ends the message: compares its code with `mac`, of `mac_len` > 0 bytes, and wipes the context.
//
// A code of n bytes is guessed with probability 2^-8n: SP 800-185 wants 8 bytes at least.
// Stack: 496 bytes.
// Returns CRYPTILE_OK: the code is right; CRYPTILE_ERR_AUTH: it is not; CRYPTILE_ERR_PARAM: null
// pointer or no length (nothing was done); CRYPTILE_ERR_STATE.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_kmac_verify(cryptile_kmac_ctx_t *ctx,
                                                           const void *mac, size_t mac_len);

// KMACXOF: gives the next `len` bytes of an output whose length is not known beforehand; any
// number. The first call ends the message.
//
// Stack: 448 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_STATE if not initialised; CRYPTILE_ERR_PARAM on a null pointer.
// On an error nothing was done.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_kmac_squeeze(cryptile_kmac_ctx_t *ctx, void *out,
                                                            size_t len);

// Forgets everything in a context; a null pointer is allowed. The compiler cannot remove it.
void cryptile_kmac_wipe(cryptile_kmac_ctx_t *ctx);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_XOF_H
