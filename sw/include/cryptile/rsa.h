// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// RSA signatures are verified (FIPS 186-5, RFC 8017): RSASSA-PKCS1-v1_5 and RSASSA-PSS, with moduli
// of 2048 to 4096 bits. There are no private keys here.
//
// Holds for every function here:
// - Alignment: any. Nothing is written, so that inputs may overlap.
// - Constant time: no. Keys, digests and signatures are public, and nothing is wiped.
// - All numbers are big-endian. A signature has as many bytes as the modulus has.
// - Stack: bounds with everything that is called, seen on RV32IM and RV64IM at -O2.
// - Returns CRYPTILE_OK: the signature is right; CRYPTILE_ERR_AUTH: it is not, or it has another
//   length; CRYPTILE_ERR_KEY: not a key that is taken (below); CRYPTILE_ERR_PARAM: null pointer, a
//   hash function without object identifier, a salt that does not fit.
#ifndef CRYPTILE_RSA_H
#define CRYPTILE_RSA_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/hash.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_RSA_MIN_BITS 2048u
#define CRYPTILE_RSA_MAX_BITS 4096u

// A public key: modulus without leading zeros, odd, of 2048 to 4096 bits; exponent odd, from 3 to
// 2^32 - 1.
typedef struct {
  const uint8_t *modulus;
  size_t modulus_len;  // bytes
  uint32_t exponent;
} cryptile_rsa_public_key_t;

// The salt of a PSS signature may have any length.
#define CRYPTILE_RSA_ANY_SALT SIZE_MAX

// Checks an RSASSA-PKCS1-v1_5 signature (RFC 8017, section 8.2.2) of a digest that `alg` has made,
// of alg->digest_size bytes. The encoding must be the one of section 9.2, to the byte.
//
// Stack: 4096 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t
cryptile_rsa_pkcs1_verify(const cryptile_rsa_public_key_t *key, const cryptile_hash_alg_t *alg,
                          const uint8_t *digest, const uint8_t *signature, size_t signature_len);

// Checks an RSASSA-PSS signature (RFC 8017, section 8.1.2) of a digest that `alg` has made, with
// MGF1 of the same hash function and a salt of `salt_len` bytes, or CRYPTILE_RSA_ANY_SALT.
//
// Stack: 4096 bytes.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_rsa_pss_verify(
    const cryptile_rsa_public_key_t *key, const cryptile_hash_alg_t *alg, const uint8_t *digest,
    size_t salt_len, const uint8_t *signature, size_t signature_len);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_RSA_H
