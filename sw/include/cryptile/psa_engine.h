// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// An engine that does the public-key work of PSA Crypto (psa/crypto.h) in place of the library:
// that of the tile is cry_tile_psa_engine() of sw/hal/tile_psa.h. Keys stay where they are, in the
// slots of the PSA layer, which checks policies, lengths and hashes as before; the engine is given
// the bytes. Signatures of PSA_ALG_DETERMINISTIC_ECDSA are always made by the library.
//
// Opaque keys, of the location PSA_KEY_LOCATION_PRIMARY_SECURE_ELEMENT, are made in the engine and
// never leave it: the PSA layer has their public keys, and a handle.
#ifndef CRYPTILE_PSA_ENGINE_H
#define CRYPTILE_PSA_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// For every function here: null, or one that returns CRYPTILE_ERR_SUPPORT before it writes
// anything, leaves the work to the library. Another status is the result of the call, translated as
// those of the library are: an engine that fails is not replaced. When a function fails nothing
// secret may be in its outputs. Outputs may overlap inputs in any way, and are written last. An
// engine zeroizes what it leaves on the stack and in registers.

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

typedef enum {
  CRYPTILE_PSA_P256,
  CRYPTILE_PSA_P384,
  CRYPTILE_PSA_P521,
  CRYPTILE_PSA_X25519,
  CRYPTILE_PSA_ED25519
} cryptile_psa_curve_id_t;

// Opaque keys. What the engine has not is CRYPTILE_ERR_SUPPORT; the library cannot do it.
typedef struct {
  // Makes a key that signs, agrees on secrets or does both, or neither. Gives the handle by which
  // the others know it, and its public key, as cryptile_psa_curve_t has it. CRYPTILE_ERR_BUSY: it
  // can hold no more keys.
  cryptile_status_t (*generate)(uint32_t *handle, uint8_t *public_key,
                                cryptile_psa_curve_id_t curve, bool signs, bool agrees);
  // Afterwards nobody can use the key. If it fails the key is still there, and its handle.
  cryptile_status_t (*destroy)(uint32_t handle);
  // As those of cryptile_psa_curve_t, and for X25519 as `x25519` below.
  cryptile_status_t (*ecdh)(uint8_t *secret, uint32_t handle, const uint8_t *peer_key);
  cryptile_status_t (*sign)(uint8_t *signature, uint32_t handle, const uint8_t *digest,
                            size_t digest_len);
  // As `ed25519_sign` below, or with a random nonce; `public_key` is the key's.
  cryptile_status_t (*ed25519_sign)(uint8_t *signature, uint32_t handle, const uint8_t *message,
                                    size_t len, const uint8_t *public_key);
} cryptile_psa_opaque_t;

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
  cryptile_psa_opaque_t opaque;
} cryptile_psa_engine_t;

// Sets the engine for all calls from now on; null: the library does all. The structure is not
// copied. Opaque keys of another one than is set cannot be used (PSA_ERROR_BAD_STATE).
void cryptile_psa_set_engine(const cryptile_psa_engine_t *engine);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_PSA_ENGINE_H
