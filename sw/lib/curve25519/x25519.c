// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// X25519 (RFC 7748, section 5).
#include "cryptile/curve25519.h"
#include "curve25519/ed25519_base.h"
#include "curve25519/fe25519.h"
#include "curve25519/x25519_ladder.h"
#include "declassify.h"
#include "wipe.h"
#include "wipe/wiped.h"

typedef struct {
  uint8_t k[64];  // the upper half is zero: the rest makes up a number to reduce
  fe25519_t x;
  fe25519_t xz[2];
} work_t;

static void clamp(uint8_t k[64], const uint8_t secret[32]) {
  for (int i = 0; i < 32; i++) {
    k[i] = secret[i];
    k[i + 32] = 0;
  }
  k[0] &= 0xf8;
  k[31] = (k[31] & 0x7f) | 0x40;
}

// out = X / Z
static void finish(uint8_t out[32], fe25519_t xz[2]) {
  cry_fe25519_invert(xz[1], xz[1]);
  cry_fe25519_mul(xz[0], xz[0], xz[1]);
  cry_fe25519_to_bytes(out, xz[0]);
}

// On the Edwards curve, where multiples of the base point are tabulated: u = (1 + y) / (1 - y)
// (RFC 7748, section 4.1). The result is never neutral: no clamped number is a multiple of the
// order.
static WORK cryptile_status_t x25519_public(uint8_t public_key[32], const uint8_t secret[32]) {
  if (public_key == 0 || secret == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  work_t w;
  ed25519_scalar_t a;
  ed25519_point_t point;
  clamp(w.k, secret);
  cry_ed25519_scalar_reduce(a, w.k);
  cry_ed25519_base_mul(&point, a);
  cry_fe25519_add(w.xz[0], point.z, point.y);
  cry_fe25519_sub(w.xz[1], point.z, point.y);
  finish(public_key, w.xz);
  declassify(public_key, CRYPTILE_X25519_BYTES);
  wipe(&w, sizeof w);
  wipe(a, sizeof a);
  wipe(&point, sizeof point);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t x25519(uint8_t shared[32], const uint8_t secret[32],
                                     const uint8_t peer[32]) {
  if (shared == 0 || secret == 0 || peer == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  work_t w;
  clamp(w.k, secret);
  cry_fe25519_from_bytes(w.x, peer);
  cry_x25519_ladder(w.xz, w.x, w.k);
  finish(shared, w.xz);
  wipe(&w, sizeof w);
  uint32_t any = 0;
  for (int i = 0; i < 32; i++) {
    any |= shared[i];
  }
  // 0 only for a peer's point of small order: public, and every caller must branch on it.
  const uint32_t good = (any | (0 - any)) >> 31;
  declassify(&good, sizeof good);
  return good ? CRYPTILE_OK : CRYPTILE_ERR_KEY;
}

cryptile_status_t cryptile_x25519_public(uint8_t public_key[32], const uint8_t secret[32]) {
  return WIPED(x25519_public(public_key, secret), STACK(1056, 1360));
}

cryptile_status_t cryptile_x25519(uint8_t shared[32], const uint8_t secret[32],
                                  const uint8_t peer[32]) {
  return WIPED(x25519(shared, secret, peer), STACK(688, 768));
}
