// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cryptile/status.h"
#include "declassify.h"
#include "nistp/point.h"
#include "wipe.h"
#include "wipe/wiped.h"

// Reads a private key; only whether it is one becomes known.
static bool read_private(scalar_t *r, const uint8_t bytes[CURVE_BYTES]) {
  bool good = scalar_from_bytes(r, bytes);
  declassify(&good, sizeof good);
  return good;
}

static WORK cryptile_status_t public_key_of(uint8_t public_key[CURVE_PUBLIC_BYTES],
                                            const uint8_t private_key[CURVE_BYTES]) {
  scalar_t scalar;
  point_t point;
  if (!public_key || !private_key) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!read_private(&scalar, private_key)) {
    memset(public_key, 0, CURVE_PUBLIC_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  point_mul(&point, &scalar, &generator);
  public_key[0] = 4;
  point_to_bytes(public_key + 1, public_key + 1 + CURVE_BYTES, &point);
  declassify(public_key, CURVE_PUBLIC_BYTES);
  wipe(&scalar, sizeof scalar);
  wipe(&point, sizeof point);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t ecdh(uint8_t secret[CURVE_BYTES],
                                   const uint8_t private_key[CURVE_BYTES],
                                   const uint8_t peer_key[CURVE_PUBLIC_BYTES]) {
  scalar_t scalar;
  point_t point;
  if (!secret || !private_key || !peer_key) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!point_from_bytes(&point, peer_key) || !read_private(&scalar, private_key)) {
    memset(secret, 0, CURVE_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  point_mul(&point, &scalar, &point);
  point_to_bytes(secret, NULL, &point);
  wipe(&scalar, sizeof scalar);
  wipe(&point, sizeof point);
  return CRYPTILE_OK;
}
