// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// NIST's curves, as the PSA layer calls them.
#ifndef CRYPTILE_LIB_PSA_CURVE_H
#define CRYPTILE_LIB_PSA_CURVE_H

#include "psa/psa_key.h"

#define PSA_PAIR_SECP_R1   PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PSA_PUBLIC_SECP_R1 PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)

// The functions of cryptile/p256.h, p384.h or p521.h.
typedef struct {
  uint16_t bits;
  uint8_t private_bytes;  // also of a shared secret; a signature has twice as many
  uint8_t public_bytes;
  cryptile_status_t (*public_key)(uint8_t *public_key, const uint8_t *private_key);
  cryptile_status_t (*ecdh)(uint8_t *secret, const uint8_t *private_key, const uint8_t *peer_key);
  cryptile_status_t (*sign)(uint8_t *signature, const uint8_t *private_key,
                            const cryptile_hash_alg_t *alg, const uint8_t *digest);
  cryptile_status_t (*verify)(const uint8_t *public_key, const uint8_t *digest, size_t digest_len,
                              const uint8_t *signature);
} psa_curve_t;

// The curve of a key of PSA_PAIR_SECP_R1 or PSA_PUBLIC_SECP_R1 with so many bytes; null if there is
// none.
const psa_curve_t *cry_psa_curve(psa_key_type_t type, size_t length);

// That of a key; null if it is of another type.
static inline const psa_curve_t *psa_curve_of(const psa_slot_t *slot) {
  return cry_psa_curve(slot->attributes.type, slot->length);
}

// Zeroizes the bits above those that a random number of one of the curves has: P-521's seven.
static inline void psa_trim(psa_key_type_t type, size_t bits, uint8_t *number) {
  if (type == PSA_PAIR_SECP_R1 && bits % 8 != 0) {
    number[0] &= (uint8_t)((1u << bits % 8) - 1);
  }
}

#endif  // CRYPTILE_LIB_PSA_CURVE_H
