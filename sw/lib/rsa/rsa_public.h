// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// The public operation of RSA (RFC 8017, section 5.2.2: RSAVP1). Not constant-time.
#ifndef CRYPTILE_LIB_RSA_PUBLIC_H
#define CRYPTILE_LIB_RSA_PUBLIC_H

#include "cryptile/rsa.h"

#define RSA_MAX_BYTES (CRYPTILE_RSA_MAX_BITS / 8)

// The length of a modulus in bits; 0 if this is no public key.
size_t cry_rsa_bits(const cryptile_rsa_public_key_t *key);

// Writes signature^exponent modulo the modulus, each of modulus_len bytes, of a key that
// cry_rsa_bits() knows. Returns CRYPTILE_ERR_AUTH if the signature is not less than the modulus.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rsa_public(uint8_t *message,
                                                     const cryptile_rsa_public_key_t *key,
                                                     const uint8_t *signature);

// The function above, or another one that does the same.
typedef cryptile_status_t (*rsa_public_t)(uint8_t *message, const cryptile_rsa_public_key_t *key,
                                          const uint8_t *signature);

// As cryptile_rsa_pkcs1_verify() and cryptile_rsa_pss_verify(), by a function of choice.
CRYPTILE_MUST_CHECK cryptile_status_t cry_rsa_pkcs1_verify(
    rsa_public_t public_of, const cryptile_rsa_public_key_t *key, const cryptile_hash_alg_t *alg,
    const uint8_t *digest, const uint8_t *signature, size_t signature_len);
CRYPTILE_MUST_CHECK cryptile_status_t cry_rsa_pss_verify(
    rsa_public_t public_of, const cryptile_rsa_public_key_t *key, const cryptile_hash_alg_t *alg,
    const uint8_t *digest, size_t salt_len, const uint8_t *signature, size_t signature_len);

#endif  // CRYPTILE_LIB_RSA_PUBLIC_H
