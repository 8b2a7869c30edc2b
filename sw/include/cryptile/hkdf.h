// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// HKDF (RFC 5869): key derivation from HMAC with any hash function of cryptile/hash.h that has a
// block size.
//
// Holds for every function here unless it says otherwise:
// - Alignment: any.
// - Aliasing: outputs may overlap inputs, but for `okm` and `info`, which is refused.
// - Constant time: the time depends on lengths and on the hash function alone.
// - Stack: bounds with everything that is called, seen on RV32 at -O2.
// - An input of length 0 may be null.
#ifndef CRYPTILE_HKDF_H
#define CRYPTILE_HKDF_H

#include "cryptile/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

// Extracts a pseudorandom key of alg->digest_size bytes from input keying material (section 2.2).
//
// A salt of length 0 counts as one of digest_size zeros.
// Stack: 1152 bytes.
// Returns CRYPTILE_OK or CRYPTILE_ERR_PARAM: null pointer, or a hash function without HMAC.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hkdf_extract(const cryptile_hash_alg_t *alg,
                                                            const void *salt, size_t salt_len,
                                                            const void *ikm, size_t ikm_len,
                                                            uint8_t *prk);

// Expands a pseudorandom key to `okm_len` bytes (section 2.3).
//
// Stack: 1392 bytes.
// Returns CRYPTILE_OK; CRYPTILE_ERR_LENGTH: `okm_len` is more than 255 * digest_size, or `prk_len`
// less than digest_size; CRYPTILE_ERR_PARAM as above, or `okm` overlaps `info`. On an error nothing
// was written.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hkdf_expand(const cryptile_hash_alg_t *alg,
                                                           const void *prk, size_t prk_len,
                                                           const void *info, size_t info_len,
                                                           uint8_t *okm, size_t okm_len);

// Extracts and expands.
//
// Stack: 1504 bytes.
// Returns as the two functions above.
CRYPTILE_MUST_CHECK cryptile_status_t cryptile_hkdf(const cryptile_hash_alg_t *alg,
                                                    const void *salt, size_t salt_len,
                                                    const void *ikm, size_t ikm_len,
                                                    const void *info, size_t info_len, uint8_t *okm,
                                                    size_t okm_len);

#ifdef __cplusplus
}
#endif

#endif  // CRYPTILE_HKDF_H
