// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// P-256 (NIST SP 800-186, also secp256r1): key agreement (SP 800-56A, ECDH) and signatures
// (FIPS 186-5, ECDSA, with the deterministic nonces of RFC 6979).
//
// All numbers are big-endian. A private key is a number from 1 to n - 1 in 32 bytes; draw it from
// a good random source, and again if cryptile_p256_public_key() refuses it. A public key is
// uncompressed: 0x04, x, y. A signature is r, s.
//
// Holds for every function here unless it says otherwise:
// - Alignment: any.
// - Aliasing: outputs may overlap inputs in any way; they are written last.
// - Constant time: does not depend on private keys, shared secrets and nonces, on cores with a
//   multiplication of constant time; an instruction set without M multiplies in loops and is not
//   meant here. Public keys, digests and signatures are public.
// - Stack: bounds with everything that is called, seen on RV32IM and RV64IM at -O2.
#ifndef CRYPTILE_P256_H
#define CRYPTILE_P256_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/hash.h"
#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_P256_PRIVATE_BYTES   32u
#define CRYPTILE_P256_PUBLIC_BYTES    65u
#define CRYPTILE_P256_SECRET_BYTES    32u
#define CRYPTILE_P256_SIGNATURE_BYTES 64u

// Computes the public key of a private key.
//
// Stack: 3072 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_KEY: not a private key (the output is zeroed);
// CRYPTILE_ERR_PARAM: null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p256_public_key(uint8_t public_key[65],
                                                               const uint8_t private_key[32]);

// Computes the shared secret: the x coordinate of private key times peer's public key. Derive keys
// from it (cryptile_hkdf()), do not use it as one.
//
// Stack: 3072 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_KEY: not a private key, or the peer's key is no point of the
// curve (the output is zeroed); CRYPTILE_ERR_PARAM: null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p256_ecdh(uint8_t secret[32],
                                                         const uint8_t private_key[32],
                                                         const uint8_t peer_key[65]);

// Signs a digest that `alg` has made, of alg->digest_size bytes. The nonce comes from key and
// digest by HMAC with `alg`.
//
// Stack: 4096 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_KEY: not a private key (the output is zeroed);
// CRYPTILE_ERR_PARAM: null pointer, or a hash function without HMAC.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p256_sign(uint8_t signature[64],
                                                         const uint8_t private_key[32],
                                                         const cryptile_hash_alg_t *alg,
                                                         const uint8_t *digest);

// Checks a signature of a digest of any length but 0; what is beyond 32 bytes does not count. An
// empty digest is refused: it would be a hash that was not made, and anyone can sign it. Everything
// here is public: nothing is wiped.
//
// Stack: 5120 bytes.
// Returns CRYPTILE_OK: the signature is right; CRYPTILE_ERR_AUTH: it is not; CRYPTILE_ERR_KEY: the
// public key is no point of the curve; CRYPTILE_ERR_PARAM: null pointer, or an empty digest.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_p256_verify(const uint8_t public_key[65],
                                                           const uint8_t *digest, size_t digest_len,
                                                           const uint8_t signature[64]);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_P256_H
