// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// P-521 (NIST SP 800-186, also secp521r1): key agreement (SP 800-56A, ECDH) and signatures
// (FIPS 186-5, ECDSA, with the deterministic nonces of RFC 6979).
//
// As cryptile/p256.h, which says what holds for alignment, aliasing, time and return codes, with
// numbers of 66 bytes. The seven bits above the numbers are 0.
//
// Stack: bounds with everything that is called, seen on RV32IM and RV64IM at -O2.
#ifndef CRYPTILE_P521_H
#define CRYPTILE_P521_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/hash.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_P521_PRIVATE_BYTES   66u
#define CRYPTILE_P521_PUBLIC_BYTES    133u
#define CRYPTILE_P521_SECRET_BYTES    66u
#define CRYPTILE_P521_SIGNATURE_BYTES 132u

// Computes the public key of a private key.
//
// Stack: 6144 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p521_public_key(uint8_t public_key[133],
                                                               const uint8_t private_key[66]);

// Computes the shared secret: the x coordinate of private key times peer's public key.
//
// Stack: 6144 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p521_ecdh(uint8_t secret[66],
                                                         const uint8_t private_key[66],
                                                         const uint8_t peer_key[133]);

// Signs a digest that `alg` has made, of alg->digest_size bytes.
//
// Stack: 7168 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p521_sign(uint8_t signature[132],
                                                         const uint8_t private_key[66],
                                                         const cryptile_hash_alg_t *alg,
                                                         const uint8_t *digest);

// Checks a signature of a digest of any length but 0; what is beyond its leftmost 521 bits does not
// count. Everything here is public: nothing is wiped.
//
// Stack: 9216 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p521_verify(const uint8_t public_key[133],
                                                           const uint8_t *digest, size_t digest_len,
                                                           const uint8_t signature[132]);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_P521_H
