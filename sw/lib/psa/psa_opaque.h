// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Opaque keys: the engine (cryptile/psa_engine.h) has them, the PSA layer its handles and their
// public keys.
#ifndef CRYPTILE_LIB_PSA_OPAQUE_H
#define CRYPTILE_LIB_PSA_OPAQUE_H

#include "psa/psa_key.h"

static inline bool psa_is_opaque(const psa_slot_t *slot) {
  return slot->holder != NULL;
}

// Makes a key of one of the curves, for what usage and algorithm say and nothing else. Gives its
// public key, holder and handle. Returns PSA_ERROR_NOT_SUPPORTED if there is no engine, or it does
// not make such keys, PSA_ERROR_INSUFFICIENT_MEMORY if it has no room.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_opaque_generate(const psa_key_attributes_t *attributes,
                                                         psa_slot_t *slot);

// All others return PSA_ERROR_BAD_STATE if another engine is set than holds the key.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_opaque_destroy(const psa_slot_t *slot);

CRYPTILE_MUST_CHECK psa_status_t cry_psa_opaque_ecdh(const psa_slot_t *slot, uint8_t *secret,
                                                     const uint8_t *peer_key);

// PSA_ERROR_NOT_SUPPORTED if the nonce is to be deterministic.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_opaque_sign(const psa_slot_t *slot, psa_algorithm_t alg,
                                                     uint8_t *signature, const uint8_t *digest,
                                                     size_t digest_len);

CRYPTILE_MUST_CHECK psa_status_t cry_psa_opaque_ed25519_sign(const psa_slot_t *slot,
                                                             uint8_t *signature,
                                                             const uint8_t *message, size_t len);

#endif  // CRYPTILE_LIB_PSA_OPAQUE_H
