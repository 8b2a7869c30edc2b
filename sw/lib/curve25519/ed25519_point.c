// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Extended coordinates (Hisil, Wong, Carter and Dawson, "Twisted Edwards curves revisited",
// ASIACRYPT 2008), as in RFC 8032, section 5.1.4.
#include "curve25519/ed25519_point.h"

static const uint32_t d[8] = {0x135978a3, 0x75eb4dca, 0x4141d8ab, 0x00700a4d,
                              0x7779e898, 0x8cc74079, 0x2b6ffe73, 0x52036cee};
const uint32_t cry_ed25519_2d[8] = {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a,
                                    0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc};
static const uint32_t root_of_minus_1[8] = {0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806,
                                            0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480};

void cry_ed25519_neutral(ed25519_point_t *r) {
  cry_fe25519_set(r->x, 0);
  cry_fe25519_set(r->y, 1);
  cry_fe25519_set(r->z, 1);
  cry_fe25519_set(r->t, 0);
}

static void negate(fe25519_t r, const fe25519_t a) {
  fe25519_t zero;
  cry_fe25519_set(zero, 0);
  cry_fe25519_sub(r, zero, a);
}

void cry_ed25519_negate(ed25519_point_t *r, const ed25519_point_t *a) {
  negate(r->x, a->x);
  cry_fe25519_copy(r->y, a->y);
  cry_fe25519_copy(r->z, a->z);
  negate(r->t, a->t);
}

void cry_ed25519_to_addend(ed25519_addend_t *r, const ed25519_point_t *a) {
  fe25519_t twice_d;
  cry_fe25519_from_words(twice_d, cry_ed25519_2d);
  cry_fe25519_add(r->plus, a->y, a->x);
  cry_fe25519_sub(r->minus, a->y, a->x);
  cry_fe25519_mul(r->t2d, a->t, twice_d);
  cry_fe25519_add(r->z2, a->z, a->z);
}

// X = E F, Y = G H, Z = F G, T = E H.
static void finish(ed25519_point_t *r, const fe25519_t e, const fe25519_t f, const fe25519_t g,
                   const fe25519_t h, bool with_t) {
  cry_fe25519_mul(r->x, e, f);
  cry_fe25519_mul(r->y, g, h);
  cry_fe25519_mul(r->z, f, g);
  if (with_t) {
    cry_fe25519_mul(r->t, e, h);
  }
}

void cry_ed25519_double(ed25519_point_t *r, const ed25519_point_t *a, bool with_t) {
  fe25519_t e, f, g, h;
  cry_fe25519_add(e, a->x, a->y);
  cry_fe25519_sqrn(e, e, 1);
  cry_fe25519_sqrn(f, a->x, 1);
  cry_fe25519_sqrn(g, a->y, 1);
  cry_fe25519_add(h, f, g);
  cry_fe25519_sub(e, h, e);
  cry_fe25519_sub(g, f, g);
  cry_fe25519_sqrn(f, a->z, 1);
  cry_fe25519_add(f, f, f);
  cry_fe25519_add(f, f, g);
  finish(r, e, f, g, h, with_t);
}

void cry_ed25519_add(ed25519_point_t *r, const ed25519_point_t *a, const ed25519_addend_t *b,
                     bool affine, bool with_t) {
  fe25519_t e, f, g, h;
  cry_fe25519_sub(e, a->y, a->x);
  cry_fe25519_mul(e, e, b->minus);
  cry_fe25519_add(h, a->y, a->x);
  cry_fe25519_mul(h, h, b->plus);
  cry_fe25519_mul(f, a->t, b->t2d);
  if (affine) {
    cry_fe25519_add(g, a->z, a->z);
  } else {
    cry_fe25519_mul(g, a->z, b->z2);
  }
  fe25519_t difference;
  cry_fe25519_sub(difference, h, e);
  cry_fe25519_add(h, h, e);
  cry_fe25519_sub(e, g, f);
  cry_fe25519_add(g, g, f);
  finish(r, difference, e, g, h, with_t);
}

void cry_ed25519_negate_addend(ed25519_addend_t *r, fe25519_word_t mask) {
  fe25519_t t;
  cry_fe25519_copy(t, r->plus);
  cry_fe25519_cmov(r->plus, r->minus, mask);
  cry_fe25519_cmov(r->minus, t, mask);
  negate(t, r->t2d);
  cry_fe25519_cmov(r->t2d, t, mask);
}

void cry_ed25519_encode(uint8_t bytes[32], const ed25519_point_t *a) {
  fe25519_t x, y, inverse;
  cry_fe25519_invert(inverse, a->z);
  cry_fe25519_mul(x, a->x, inverse);
  cry_fe25519_mul(y, a->y, inverse);
  cry_fe25519_to_bytes(bytes, y);
  bytes[31] |= (uint8_t)(cry_fe25519_is_odd(x) << 7);
}

static bool equal(const fe25519_t a, const fe25519_t b) {
  fe25519_t difference;
  cry_fe25519_sub(difference, a, b);
  return cry_fe25519_is_zero(difference);
}

// r = sqrt(u / v), if there is one (RFC 8032, section 5.1.3).
static bool root(fe25519_t r, const fe25519_t u, const fe25519_t v) {
  fe25519_t v3, t;
  cry_fe25519_sqrn(v3, v, 1);
  cry_fe25519_mul(v3, v3, v);
  cry_fe25519_sqrn(t, v3, 1);
  cry_fe25519_mul(t, t, v);
  cry_fe25519_mul(t, t, u);
  cry_fe25519_pow22523(t, t);  // (u v^7)^((p - 5) / 8)
  cry_fe25519_mul(t, t, v3);
  cry_fe25519_mul(r, t, u);
  cry_fe25519_sqrn(t, r, 1);
  cry_fe25519_mul(t, t, v);
  if (equal(t, u)) {
    return true;
  }
  cry_fe25519_add(t, t, u);
  if (!cry_fe25519_is_zero(t)) {
    return false;
  }
  cry_fe25519_from_words(t, root_of_minus_1);
  cry_fe25519_mul(r, r, t);
  return true;
}

bool cry_ed25519_decode(ed25519_point_t *r, const uint8_t bytes[32]) {
  fe25519_t u, v, one;
  uint8_t canonical[32];
  const uint32_t sign = bytes[31] >> 7;
  cry_fe25519_from_bytes(r->y, bytes);
  cry_fe25519_to_bytes(canonical, r->y);
  canonical[31] |= (uint8_t)(sign << 7);
  for (int i = 0; i < 32; i++) {
    if (canonical[i] != bytes[i]) {
      return false;
    }
  }
  cry_fe25519_set(one, 1);
  cry_fe25519_sqrn(u, r->y, 1);
  cry_fe25519_from_words(v, d);
  cry_fe25519_mul(v, v, u);
  cry_fe25519_add(v, v, one);
  cry_fe25519_sub(u, u, one);
  if (!root(r->x, u, v)) {
    return false;
  }
  if (sign && cry_fe25519_is_zero(r->x)) {
    return false;
  }
  if (cry_fe25519_is_odd(r->x) != sign) {
    negate(r->x, r->x);
  }
  cry_fe25519_set(r->z, 1);
  cry_fe25519_mul(r->t, r->x, r->y);
  return true;
}
