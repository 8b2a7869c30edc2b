// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Curve25519: key agreement with X25519 (RFC 7748), signatures with Ed25519 (RFC 8032).
//
// Holds for every function here unless it says otherwise:
// - Alignment: byte buffers may have any alignment.
// - Aliasing: outputs may overlap inputs in any way; they are written last.
// - Constant time: in all secrets, where the core's multiplications are. That is not so on cores
//   without the M extension: the compiler's multiplication by software is not constant-time.
// - Stack: bounds with everything that is called, seen on RV32IM and RV64IM at -O2.
// - Numbers and coordinates are little-endian, as the RFCs have them.
#ifndef CRYPTILE_CURVE25519_H
#define CRYPTILE_CURVE25519_H

#include <stddef.h>
#include <stdint.h>

#include "cryptile/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CRYPTILE_X25519_BYTES            32u
#define CRYPTILE_ED25519_SEED_BYTES      32u
#define CRYPTILE_ED25519_PUBLIC_BYTES    32u
#define CRYPTILE_ED25519_SIGNATURE_BYTES 64u

// Makes the public key of a secret: 32 random bytes, clamped here.
//
// Stack: 1408 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_x25519_public(uint8_t public_key[32],
                                                             const uint8_t secret[32]);

// Makes the shared secret of a secret and the peer's public key. Hash it before use.
//
// Bit 255 of `peer` is ignored and values not less than p are reduced, as RFC 7748 wants.
// Stack: 768 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM on a null pointer; CRYPTILE_ERR_KEY if the result is
// zero, which tells that `peer` has small order (`shared` is zero then).
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_x25519(uint8_t shared[32], const uint8_t secret[32],
                                                      const uint8_t peer[32]);

// Makes the public key of a seed: the 32 random bytes that are the private key.
//
// Stack: 1280 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ed25519_public(uint8_t public_key[32],
                                                              const uint8_t seed[32]);

// Signs a message (PureEdDSA); `message` may be null if `len` is 0.
//
// `public_key` must be the one of `seed`: signing with another one gives the private key away.
// Cryptile does not check that, as it would double the time.
// Stack: 1600 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM on a null pointer.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ed25519_sign(uint8_t signature[64],
                                                            const void *message, size_t len,
                                                            const uint8_t seed[32],
                                                            const uint8_t public_key[32]);

// Verifies a signature.
//
// The equation is the one without the cofactor: S B - h A must encode to the bytes of R. S must be
// less than the group's order, and A a canonical encoding of a point (any point: of small order
// too). So there is one verdict for a signature, also in another implementation of these rules.
// NOT constant-time: everything here is public, the message too, and nothing is wiped.
// Stack: 2560 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_PARAM on a null pointer; CRYPTILE_ERR_KEY if `public_key` is
// not a point; CRYPTILE_ERR_AUTH if the signature does not match.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_ed25519_verify(const uint8_t signature[64],
                                                              const void *message, size_t len,
                                                              const uint8_t public_key[32]);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_CURVE25519_H
