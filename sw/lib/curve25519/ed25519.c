// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Ed25519 (RFC 8032, section 5.1).
#include "cryptile/curve25519.h"
#include "curve25519/ed25519_base.h"
#include "declassify.h"
#include "hash/hash_core.h"
#include "wipe.h"

typedef struct {
  const void *data;
  size_t len;
} part_t;

static void hash(uint8_t digest[64], const part_t *parts, int count) {
  cryptile_hash_ctx_t ctx;
  cry_hash_core_init(&ctx, &cryptile_sha512);
  for (int i = 0; i < count; i++) {
    cry_hash_core_update(&ctx, parts[i].data, parts[i].len);
  }
  cry_hash_core_final(&ctx, digest);
}

// scalar = SHA-512(parts) modulo the order.
static void hash_to_scalar(ed25519_scalar_t scalar, const part_t *parts, int count) {
  uint8_t digest[64];
  hash(digest, parts, count);
  cry_ed25519_scalar_reduce(scalar, digest);
  wipe(digest, sizeof digest);
}

typedef struct {
  uint8_t digest[64];  // of the seed: the scalar before clamping, and the prefix
  ed25519_scalar_t a;  // the secret scalar modulo the order
  ed25519_scalar_t r;  // the one-time secret
  ed25519_point_t point;
} work_t;

static void expand(work_t *w, const uint8_t seed[32]) {
  hash(w->digest, &(part_t){seed, 32}, 1);
  uint8_t clamped[64] = {0};
  for (int i = 0; i < 32; i++) {
    clamped[i] = w->digest[i];
  }
  clamped[0] &= 0xf8;
  clamped[31] = (clamped[31] & 0x7f) | 0x40;
  cry_ed25519_scalar_reduce(w->a, clamped);
  wipe(clamped, sizeof clamped);
}

static WORK cryptile_status_t ed25519_public(uint8_t public_key[32], const uint8_t seed[32]) {
  if (public_key == 0 || seed == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  work_t w;
  expand(&w, seed);
  cry_ed25519_base_mul(&w.point, w.a);
  cry_ed25519_encode(public_key, &w.point);
  declassify(public_key, CRYPTILE_ED25519_PUBLIC_BYTES);
  wipe(&w, sizeof w);
  return CRYPTILE_OK;
}

static WORK cryptile_status_t ed25519_sign(uint8_t signature[64], const void *message, size_t len,
                                           const uint8_t seed[32], const uint8_t public_key[32]) {
  if (signature == 0 || (message == 0 && len != 0) || seed == 0 || public_key == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  work_t w;
  uint8_t encoded_r[32];
  ed25519_scalar_t k;
  expand(&w, seed);
  hash_to_scalar(w.r, (part_t[]){{w.digest + 32, 32}, {message, len}}, 2);
  cry_ed25519_base_mul(&w.point, w.r);
  cry_ed25519_encode(encoded_r, &w.point);
  hash_to_scalar(k, (part_t[]){{encoded_r, 32}, {public_key, 32}, {message, len}}, 3);
  cry_ed25519_scalar_muladd(k, k, w.a, w.r);
  for (int i = 0; i < 32; i++) {
    signature[i] = encoded_r[i];
  }
  cry_ed25519_scalar_to_bytes(signature + 32, k);
  declassify(signature, CRYPTILE_ED25519_SIGNATURE_BYTES);
  wipe(&w, sizeof w);
  return CRYPTILE_OK;
}

cryptile_status_t cryptile_ed25519_verify(const uint8_t signature[64], const void *message,
                                          size_t len, const uint8_t public_key[32]) {
  if (signature == 0 || (message == 0 && len != 0) || public_key == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  ed25519_point_t a, r;
  ed25519_scalar_t k, s;
  uint8_t encoded[32];
  if (!cry_ed25519_decode(&a, public_key)) {
    return CRYPTILE_ERR_KEY;
  }
  if (!cry_ed25519_scalar_from_bytes(s, signature + 32)) {
    return CRYPTILE_ERR_AUTH;
  }
  hash_to_scalar(k, (part_t[]){{signature, 32}, {public_key, 32}, {message, len}}, 3);
  cry_ed25519_negate(&a, &a);
  cry_ed25519_base_muladd(&r, s, k, &a);
  cry_ed25519_encode(encoded, &r);
  uint32_t wrong = 0;
  for (int i = 0; i < 32; i++) {
    wrong |= encoded[i] ^ signature[i];
  }
  return wrong ? CRYPTILE_ERR_AUTH : CRYPTILE_OK;
}

cryptile_status_t cryptile_ed25519_public(uint8_t public_key[32], const uint8_t seed[32]) {
  return WIPED(ed25519_public(public_key, seed), STACK(976, 1264));
}

cryptile_status_t cryptile_ed25519_sign(uint8_t signature[64], const void *message, size_t len,
                                        const uint8_t seed[32], const uint8_t public_key[32]) {
  return WIPED(ed25519_sign(signature, message, len, seed, public_key), STACK(1264, 1552));
}
