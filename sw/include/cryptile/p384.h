// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// P-384 (NIST SP 800-186, also secp384r1): key agreement (SP 800-56A, ECDH) and signatures
// (FIPS 186-5, ECDSA, with the deterministic nonces of RFC 6979).
//
// As cryptile/p256.h, which says what holds for alignment, aliasing, time and return codes, with
// numbers of 48 bytes.
//
// Stack: bounds with everything that is called, seen on RV32IM and RV64IM at -O2.
#ifndef CRYPTILE_P384_H
#define CRYPTILE_P384_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/hash.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_P384_PRIVATE_BYTES   48u
#define CRYPTILE_P384_PUBLIC_BYTES    97u
#define CRYPTILE_P384_SECRET_BYTES    48u
#define CRYPTILE_P384_SIGNATURE_BYTES 96u

// Computes the public key of a private key.
//
// Stack: 4096 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p384_public_key(uint8_t public_key[97],
                                                               const uint8_t private_key[48]);

// Computes the shared secret: the x coordinate of private key times peer's public key.
//
// Stack: 4096 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p384_ecdh(uint8_t secret[48],
                                                         const uint8_t private_key[48],
                                                         const uint8_t peer_key[97]);

// Signs a digest that `alg` has made, of alg->digest_size bytes.
//
// Stack: 5376 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p384_sign(uint8_t signature[96],
                                                         const uint8_t private_key[48],
                                                         const cryptile_hash_alg_t *alg,
                                                         const uint8_t *digest);

// Checks a signature of a digest of any length but 0; what is beyond its leftmost 384 bits does not
// count. Everything here is public: nothing is wiped.
//
// Stack: 6400 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p384_verify(const uint8_t public_key[97],
                                                           const uint8_t *digest, size_t digest_len,
                                                           const uint8_t signature[96]);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_P384_H
