// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An engine that does the public-key work of PSA Crypto (psa/crypto.h) in place of the library:
// that of the tile is cry_tile_psa_engine() of sw/hal/tile_psa.h. Keys stay where they are, in the
// slots of the PSA layer, which checks policies, lengths and hashes as before; the engine is given
// the bytes.
//
// Signatures of PSA_ALG_DETERMINISTIC_ECDSA are always made by the library.
#ifndef CRYPTILE_PSA_ENGINE_H
#define CRYPTILE_PSA_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// For every function here: null, or one that returns CRYPTILE_ERR_SUPPORT before it writes
// anything, leaves the work to the library. Another status is the result of the call, translated as
// those of the library are: an engine that fails is not replaced. When a function fails nothing
// secret may be in its outputs. Inputs and outputs do not overlap, but for the message and the
// signature of Ed25519. An engine zeroizes what it leaves on the stack and in registers.

// One of NIST's curves. As the functions of cryptile/p256.h, p384.h and p521.h, but that a
// signature has a random nonce; `digest_len` is any, and the leftmost bits count (FIPS 186-5,
// 6.4.1).
typedef struct {
  cryptile_status_t (*public_key)(uint8_t *public_key, const uint8_t *private_key);
  cryptile_status_t (*ecdh)(uint8_t *secret, const uint8_t *private_key, const uint8_t *peer_key);
  cryptile_status_t (*sign)(uint8_t *signature, const uint8_t *private_key, const uint8_t *digest,
                            size_t digest_len);
  cryptile_status_t (*verify)(const uint8_t *public_key, const uint8_t *digest, size_t digest_len,
                              const uint8_t *signature);
} cryptile_psa_curve_t;

typedef struct {
  cryptile_psa_curve_t p256, p384, p521;
  // As those of cryptile/curve25519.h. The public key of X25519 is made with the base point.
  cryptile_status_t (*x25519)(uint8_t *secret, const uint8_t *private_key, const uint8_t *peer_key);
  cryptile_status_t (*ed25519_public)(uint8_t *public_key, const uint8_t *seed);
  cryptile_status_t (*ed25519_sign)(uint8_t *signature, const uint8_t *message, size_t len,
                                    const uint8_t *seed, const uint8_t *public_key);
  cryptile_status_t (*ed25519_verify)(const uint8_t *signature, const uint8_t *message, size_t len,
                                      const uint8_t *public_key);
  // number^exponent modulo the modulus (RFC 8017, 5.2.2), all of `size` bytes, big-endian; the
  // modulus is odd, and its first byte is not 0. CRYPTILE_ERR_KEY: the number is not below it.
  cryptile_status_t (*rsa_public)(uint8_t *result, const uint8_t *modulus, size_t size,
                                  uint32_t exponent, const uint8_t *number);
} cryptile_psa_engine_t;

// Sets the engine for all calls from now on; null: the library does all. The structure is not
// copied.
void cryptile_psa_set_engine(const cryptile_psa_engine_t *engine);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_PSA_ENGINE_H
