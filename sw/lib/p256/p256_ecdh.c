// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cryptile/p256.h"
#include "declassify.h"
#include "p256/p256_point.h"
#include "wipe.h"
#include "wipe/wiped.h"

// Reads a private key; only whether it is one becomes known.
static bool read_private(p256_scalar_t *r, const uint8_t bytes[32]) {
  bool good = cry_p256_scalar_from_bytes(r, bytes);
  declassify(&good, sizeof good);
  return good;
}

static WORK cryptile_status_t public_key_of(uint8_t public_key[65], const uint8_t private_key[32]) {
  p256_scalar_t scalar;
  p256_point_t point;
  if (!public_key || !private_key) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!read_private(&scalar, private_key)) {
    memset(public_key, 0, CRYPTILE_P256_PUBLIC_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  cry_p256_point_mul(&point, &scalar, &cry_p256_generator);
  public_key[0] = 4;
  cry_p256_point_to_bytes(public_key + 1, public_key + 33, &point);
  declassify(public_key, CRYPTILE_P256_PUBLIC_BYTES);
  wipe(&scalar, sizeof scalar);
  wipe(&point, sizeof point);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t ecdh(uint8_t secret[32], const uint8_t private_key[32],
                                   const uint8_t peer_key[65]) {
  p256_scalar_t scalar;
  p256_point_t point;
  if (!secret || !private_key || !peer_key) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!cry_p256_point_from_bytes(&point, peer_key) || !read_private(&scalar, private_key)) {
    memset(secret, 0, CRYPTILE_P256_SECRET_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  cry_p256_point_mul(&point, &scalar, &point);
  cry_p256_point_to_bytes(secret, NULL, &point);
  wipe(&scalar, sizeof scalar);
  wipe(&point, sizeof point);
  return CRYPTILE_OK;
}

cryptile_status_t cryptile_p256_public_key(uint8_t public_key[65], const uint8_t private_key[32]) {
  return WIPED(public_key_of(public_key, private_key), STACK(2592, 2800));
}

cryptile_status_t cryptile_p256_ecdh(uint8_t secret[32], const uint8_t private_key[32],
                                     const uint8_t peer_key[65]) {
  return WIPED(ecdh(secret, private_key, peer_key), STACK(2592, 2800));
}
