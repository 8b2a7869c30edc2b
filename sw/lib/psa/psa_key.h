// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Keys of the PSA layer, and what its files share.
#ifndef CRYPTILE_LIB_PSA_KEY_H
#define CRYPTILE_LIB_PSA_KEY_H

#include "cryptile/psa_engine.h"
#include "psa/crypto.h"

typedef struct {
  psa_key_id_t id;  // PSA_KEY_ID_NULL: free
  psa_key_attributes_t attributes;
  uint16_t length;                      // of the key; of an opaque one as it would have
  uint8_t data[PSA_KEY_MAX_BYTES];      // the key; of an opaque one the public key
  const cryptile_psa_engine_t *holder;  // of an opaque key, else null
  uint32_t handle;                      // there
} psa_slot_t;

// Of an operation in parts. An error with an active one makes it fail, and then psa_*_abort() alone
// helps; one that succeeds in its last part is inactive again, and zero as a fresh one is.
enum { PSA_PHASE_INACTIVE, PSA_PHASE_ACTIVE, PSA_PHASE_FAILED };

// Takes note of a status: an error with an active operation wipes it and leaves it to be aborted.
// Returns the status.
#define PSA_SETTLE(operation, status) \
  cry_psa_settle((operation), sizeof *(operation), &(operation)->phase, (status))
CRYPTILE_MUST_CHECK psa_status_t cry_psa_settle(void *operation, size_t size, uint8_t *phase,
                                                psa_status_t status);

// Finds a key that may be used so. Returns PSA_ERROR_INVALID_HANDLE, or PSA_ERROR_NOT_PERMITTED if
// its policy has not that usage or not that algorithm.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_key_get(psa_key_id_t key, psa_key_usage_t usage,
                                                 psa_algorithm_t alg, const psa_slot_t **slot);

// Whether a key of that many bytes, of which nothing is known yet, can be what the attributes say;
// not a public key. Returns what psa_import_key() would.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_key_fits(const psa_key_attributes_t *attributes,
                                                  size_t length);

// Computes the shared secret of a key pair with a peer; it has as many bytes as the private key.
enum { PSA_SECRET_BYTES = 66 };  // at most
CRYPTILE_MUST_CHECK psa_status_t cry_psa_agree(const psa_slot_t *slot, const uint8_t *peer_key,
                                               size_t peer_key_length, uint8_t *secret);

// Finds the public key: that of a key pair is computed in the room.
enum { PSA_POINT_BYTES = 133 };  // at most
CRYPTILE_MUST_CHECK psa_status_t cry_psa_key_public(const psa_slot_t *slot,
                                                    uint8_t room[PSA_POINT_BYTES],
                                                    const uint8_t **public_key, size_t *length);

// The library's status in the words of the standard.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_from_cryptile(cryptile_status_t status);

// The hash function that the low byte of an algorithm with HMAC, ECDSA or RSA names; null if there
// is none.
const cryptile_hash_alg_t *cry_psa_hash_alg(psa_algorithm_t alg);

// Whether a buffer is null that may not be: its length is not 0.
static inline bool psa_is_missing(const void *buffer, size_t length) {
  return !buffer && length != 0;
}

// Deterministic or not, with any low byte.
static inline bool psa_is_ecdsa(psa_algorithm_t alg) {
  return (alg & 0xfffffe00) == 0x06000600;
}

static inline bool psa_is_deterministic(psa_algorithm_t ecdsa) {
  return (ecdsa & (PSA_ALG_DETERMINISTIC_ECDSA(0) ^ PSA_ALG_ECDSA(0))) != 0;
}

static inline size_t psa_tag_length(psa_algorithm_t alg) {
  return alg >> 16 & 0x3f;
}

// Whether a policy for MACs or AEADs allows all lengths of the code or tag from one on.
static inline bool psa_is_at_least(psa_algorithm_t policy) {
  const psa_algorithm_t category = policy >> 24;
  return (category == 3 || category == 5) && (policy & 0x8000) != 0;
}

// An algorithm without the length of its tag or code.
static inline psa_algorithm_t psa_without_length(psa_algorithm_t alg) {
  return alg & ~(psa_algorithm_t)0x003f0000;
}

#endif  // CRYPTILE_LIB_PSA_KEY_H
