// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cryptile/status.h"
#include "declassify.h"
#include "hash/hash_core.h"
#include "hmac/hmac_core.h"
#include "nistp/point.h"
#include "wipe.h"

// The generator of nonces of RFC 6979, section 3.2.
typedef struct {
  const cryptile_hash_alg_t *alg;
  uint8_t key[CRYPTILE_HASH_MAX_DIGEST];
  uint8_t value[CRYPTILE_HASH_MAX_DIGEST];
} nonces_t;

// key = HMAC(key, value || tag || extra), value = HMAC(key, value)
static void stir(nonces_t *nonces, uint8_t tag, const uint8_t *extra, size_t len) {
  size_t size = nonces->alg->digest_size;
  cryptile_hmac_ctx_t hmac;
  cry_hmac_core_init(&hmac, nonces->alg, nonces->key, size);
  cry_hmac_core_update(&hmac, nonces->value, size);
  cry_hmac_core_update(&hmac, &tag, 1);
  cry_hmac_core_update(&hmac, extra, len);
  cry_hmac_core_final(&hmac, nonces->key, size);
  cry_hmac_core(nonces->alg, nonces->key, size, nonces->value, size, nonces->value, size);
}

static void nonces_init(nonces_t *nonces, const cryptile_hash_alg_t *alg,
                        const uint8_t private_key[CURVE_BYTES], const scalar_t *hash) {
  uint8_t seed[2 * CURVE_BYTES];
  nonces->alg = alg;
  memset(nonces->key, 0, sizeof nonces->key);
  memset(nonces->value, 1, sizeof nonces->value);
  memcpy(seed, private_key, CURVE_BYTES);
  scalar_to_bytes(seed + CURVE_BYTES, hash);
  stir(nonces, 0, seed, sizeof seed);
  stir(nonces, 1, seed, sizeof seed);
  wipe(seed, sizeof seed);
}

// Draws a nonce; false if it is not in 1 to n - 1. That one had to be thrown away becomes known: it
// happens with a probability of 2^-32 on P-256, and of less than 2^-190 on the larger curves.
static bool draw(nonces_t *nonces, scalar_t *nonce) {
  uint8_t candidate[CURVE_BYTES];
  size_t size = nonces->alg->digest_size;
  for (size_t have = 0; have < sizeof candidate;) {
    cry_hmac_core(nonces->alg, nonces->key, size, nonces->value, size, nonces->value, size);
    size_t take = sizeof candidate - have < size ? sizeof candidate - have : size;
    memcpy(candidate + have, nonces->value, take);
    have += take;
  }
  scalar_leftmost(candidate);
  bool good = scalar_from_bytes(nonce, candidate);
  declassify(&good, sizeof good);
  wipe(candidate, sizeof candidate);
  return good;
}

// Signs with one nonce (FIPS 186-5, section 6.4.1). False if the nonce does not do: r or s is zero.
static bool sign_with(uint8_t signature[2 * CURVE_BYTES], const scalar_t *private_scalar,
                      const scalar_t *hash, scalar_t *nonce) {
  point_t point;
  scalar_t r, s;
  uint8_t x[CURVE_BYTES];  // the caller's buffer may be another's, too: s needs the x that was made
  point_mul(&point, nonce, &generator);
  point_to_bytes(x, NULL, &point);
  scalar_from_number(&r, x);
  scalar_mul(&s, &r, private_scalar);
  scalar_add(&s, &s, hash);
  scalar_invert(nonce, nonce);
  scalar_mul(&s, &s, nonce);
  wipe(&point, sizeof point);
  bool good = (words_are_zero(r.w) | words_are_zero(s.w)) == 0;
  declassify(&good, sizeof good);
  if (good) {
    scalar_to_bytes(signature, &r);
    scalar_to_bytes(signature + CURVE_BYTES, &s);
    declassify(signature, 2 * CURVE_BYTES);
  }
  return good;
}

static WORK cryptile_status_t sign(uint8_t signature[2 * CURVE_BYTES],
                                   const uint8_t private_key[CURVE_BYTES],
                                   const cryptile_hash_alg_t *alg, const uint8_t *digest) {
  scalar_t private_scalar, hash, nonce;
  nonces_t nonces;
  if (!signature || !private_key || !alg || !digest || alg->block_size == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  bool good = scalar_from_bytes(&private_scalar, private_key);
  declassify(&good, sizeof good);
  if (!good) {
    memset(signature, 0, 2 * CURVE_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  scalar_from_hash(&hash, digest, alg->digest_size);
  nonces_init(&nonces, alg, private_key, &hash);
  while (!draw(&nonces, &nonce) || !sign_with(signature, &private_scalar, &hash, &nonce)) {
    stir(&nonces, 0, NULL, 0);
  }
  wipe(&private_scalar, sizeof private_scalar);
  wipe(&nonce, sizeof nonce);
  wipe(&nonces, sizeof nonces);
  return CRYPTILE_OK;
}

static cryptile_status_t verify(const uint8_t public_key[CURVE_PUBLIC_BYTES], const uint8_t *digest,
                                size_t digest_len, const uint8_t signature[2 * CURVE_BYTES]) {
  point_t point;
  scalar_t r, s, hash, found;
  uint8_t x[CURVE_BYTES];
  if (!public_key || !digest || digest_len == 0 || !signature) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!point_from_bytes(&point, public_key)) {
    return CRYPTILE_ERR_KEY;
  }
  if (!scalar_from_bytes(&r, signature) || !scalar_from_bytes(&s, signature + CURVE_BYTES)) {
    return CRYPTILE_ERR_AUTH;
  }
  scalar_from_hash(&hash, digest, digest_len);
  scalar_invert(&s, &s);
  scalar_mul(&hash, &hash, &s);
  scalar_mul(&s, &r, &s);
  point_mul_add(&point, &hash, &s, &point);
  if (!point_to_bytes(x, NULL, &point)) {
    return CRYPTILE_ERR_AUTH;
  }
  scalar_from_number(&found, x);
  return memcmp(found.w, r.w, sizeof r.w) == 0 ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}
