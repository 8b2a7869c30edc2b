// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Public keys of RSA in the PSA layer: RSAPublicKey (RFC 8017, appendix A.1.1) in DER (X.690).
#ifndef CRYPTILE_LIB_PSA_RSA_H
#define CRYPTILE_LIB_PSA_RSA_H

#include "psa/psa_key.h"

// The bits of the modulus; 0 if these bytes are no RSAPublicKey in DER.
size_t cry_psa_rsa_bits(const uint8_t *der, size_t length);

// Whether the library takes the key. Returns PSA_ERROR_NOT_SUPPORTED if a number is too small or
// too large for it, PSA_ERROR_INVALID_ARGUMENT if one is even.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_rsa_check(const uint8_t *der, size_t length);

// Checks a signature of a digest that `hash` has made, with a key that is a public key of RSA.
CRYPTILE_MUST_CHECK psa_status_t cry_psa_rsa_verify(const psa_slot_t *slot, psa_algorithm_t alg,
                                                    const cryptile_hash_alg_t *hash,
                                                    const uint8_t *digest, const uint8_t *signature,
                                                    size_t signature_length);

#endif  // CRYPTILE_LIB_PSA_RSA_H
