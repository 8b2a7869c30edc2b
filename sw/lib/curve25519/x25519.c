// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// X25519 (RFC 7748, section 5).
#include "cryptile/curve25519.h"
#include "curve25519/fe25519.h"
#include "curve25519/x25519_ladder.h"
#include "declassify.h"
#include "wipe.h"

typedef struct {
  uint8_t k[32];
  fe25519_t x;
  fe25519_t xz[2];
} work_t;

static void multiply(uint8_t out[32], const uint8_t secret[32], const uint8_t point[32]) {
  work_t w;
  for (int i = 0; i < 32; i++) {
    w.k[i] = secret[i];
  }
  w.k[0] &= 0xf8;
  w.k[31] = (w.k[31] & 0x7f) | 0x40;
  fe25519_from_bytes(w.x, point);
  x25519_ladder(w.xz, w.x, w.k);
  fe25519_invert(w.xz[1], w.xz[1]);
  fe25519_mul(w.xz[0], w.xz[0], w.xz[1]);
  fe25519_to_bytes(out, w.xz[0]);
  wipe(&w, sizeof w);
}

cryptile_status_t cryptile_x25519_public(uint8_t public_key[32], const uint8_t secret[32]) {
  static const uint8_t base[32] = {9};
  if (public_key == 0 || secret == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  multiply(public_key, secret, base);
  return CRYPTILE_OK;
}

cryptile_status_t cryptile_x25519(uint8_t shared[32], const uint8_t secret[32],
                                  const uint8_t peer[32]) {
  if (shared == 0 || secret == 0 || peer == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  multiply(shared, secret, peer);
  uint32_t any = 0;
  for (int i = 0; i < 32; i++) {
    any |= shared[i];
  }
  // 0 only for a peer's point of small order: public, and every caller must branch on it.
  const uint32_t good = (any | (0 - any)) >> 31;
  declassify(&good, sizeof good);
  return good ? CRYPTILE_OK : CRYPTILE_ERR_KEY;
}
