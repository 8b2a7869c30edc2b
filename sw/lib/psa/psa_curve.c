// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_curve.h"

#include "cryptile/p256.h"
#include "cryptile/p384.h"
#include "cryptile/p521.h"

static const psa_curve_t kCurves[] = {
    {
        256,
        CRYPTILE_P256_PRIVATE_BYTES,
        CRYPTILE_P256_PUBLIC_BYTES,
        cryptile_p256_public_key,
        cryptile_p256_ecdh,
        cryptile_p256_sign,
        cryptile_p256_verify,
    },
    {
        384,
        CRYPTILE_P384_PRIVATE_BYTES,
        CRYPTILE_P384_PUBLIC_BYTES,
        cryptile_p384_public_key,
        cryptile_p384_ecdh,
        cryptile_p384_sign,
        cryptile_p384_verify,
    },
    {
        521,
        CRYPTILE_P521_PRIVATE_BYTES,
        CRYPTILE_P521_PUBLIC_BYTES,
        cryptile_p521_public_key,
        cryptile_p521_ecdh,
        cryptile_p521_sign,
        cryptile_p521_verify,
    },
};

const psa_curve_t *cry_psa_curve(psa_key_type_t type, size_t length) {
  for (size_t i = 0; i < sizeof kCurves / sizeof kCurves[0]; i++) {
    if ((type == PSA_PAIR_SECP_R1 && length == kCurves[i].private_bytes) ||
        (type == PSA_PUBLIC_SECP_R1 && length == kCurves[i].public_bytes)) {
      return &kCurves[i];
    }
  }
  return NULL;
}
