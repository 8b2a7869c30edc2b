// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "cryptile/p521.h"
#include "p521/p521_curve.h"
// The same for all curves:
#include "nistp/ecdsa_impl.h"

cryptile_status_t cryptile_p521_sign(uint8_t signature[132], const uint8_t private_key[66],
                                     const cryptile_hash_alg_t *alg, const uint8_t *digest) {
  const size_t hash = hash_core_stack(alg);
  return WIPED(sign(signature, private_key, alg, digest), STACK(6192, 6304) + hash);
}

cryptile_status_t cryptile_p521_verify(const uint8_t public_key[133], const uint8_t *digest,
                                       size_t digest_len, const uint8_t signature[132]) {
  return verify(public_key, digest, digest_len, signature);
}
