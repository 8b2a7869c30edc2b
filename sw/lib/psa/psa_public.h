// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Public-key operations by the engine (cryptile/psa_engine.h) where it has them, else by the
// library, whose functions these are otherwise.
#ifndef CRYPTILE_LIB_PSA_PUBLIC_H
#define CRYPTILE_LIB_PSA_PUBLIC_H

#include "cryptile/rsa.h"
#include "psa/psa_curve.h"

// The engine that is set; without one it has no functions.
const cryptile_psa_engine_t *cry_psa_engine(void);

CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_curve_public(const psa_curve_t *curve,
                                                           uint8_t *public_key,
                                                           const uint8_t *private_key);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_curve_ecdh(const psa_curve_t *curve, uint8_t *secret,
                                                         const uint8_t *private_key,
                                                         const uint8_t *peer_key);

// By `alg` the nonce is random or not: that of the library never is.
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_curve_sign(const psa_curve_t *curve,
                                                         psa_algorithm_t alg, uint8_t *signature,
                                                         const uint8_t *private_key,
                                                         const cryptile_hash_alg_t *hash,
                                                         const uint8_t *digest);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_curve_verify(const psa_curve_t *curve,
                                                           const uint8_t *public_key,
                                                           const uint8_t *digest, size_t digest_len,
                                                           const uint8_t *signature);

CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_x25519(uint8_t *secret, const uint8_t *private_key,
                                                     const uint8_t *peer_key);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_x25519_public(uint8_t *public_key,
                                                            const uint8_t *private_key);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_ed25519_public(uint8_t *public_key,
                                                             const uint8_t *seed);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_ed25519_sign(uint8_t *signature,
                                                           const uint8_t *message, size_t len,
                                                           const uint8_t *seed,
                                                           const uint8_t *public_key);
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_ed25519_verify(const uint8_t *signature,
                                                             const uint8_t *message, size_t len,
                                                             const uint8_t *public_key);

// As cry_rsa_public().
CRYPTILE_MUST_CHECK cryptile_status_t cry_psa_rsa_public(uint8_t *message,
                                                         const cryptile_rsa_public_key_t *key,
                                                         const uint8_t *signature);

#endif  // CRYPTILE_LIB_PSA_PUBLIC_H
