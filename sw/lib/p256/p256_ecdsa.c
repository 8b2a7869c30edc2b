// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cryptile/p256.h"
#include "declassify.h"
#include "hash/hash_core.h"
#include "hmac/hmac_core.h"
#include "p256/p256_point.h"
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
                        const uint8_t private_key[32], const p256_scalar_t *hash) {
  uint8_t seed[64];
  nonces->alg = alg;
  memset(nonces->key, 0, sizeof nonces->key);
  memset(nonces->value, 1, sizeof nonces->value);
  memcpy(seed, private_key, 32);
  cry_p256_scalar_to_bytes(seed + 32, hash);
  stir(nonces, 0, seed, sizeof seed);
  stir(nonces, 1, seed, sizeof seed);
  wipe(seed, sizeof seed);
}

// The next nonce from 1 to n - 1. That a candidate had to be thrown away, which happens with a
// probability of 2^-32, becomes known.
static void nonces_next(nonces_t *nonces, p256_scalar_t *nonce) {
  uint8_t candidate[32];
  size_t size = nonces->alg->digest_size;
  bool good = false;
  while (!good) {
    for (size_t have = 0; have < sizeof candidate;) {
      cry_hmac_core(nonces->alg, nonces->key, size, nonces->value, size, nonces->value, size);
      size_t take = sizeof candidate - have < size ? sizeof candidate - have : size;
      memcpy(candidate + have, nonces->value, take);
      have += take;
    }
    good = cry_p256_scalar_from_bytes(nonce, candidate);
    declassify(&good, sizeof good);
    if (!good) {
      stir(nonces, 0, NULL, 0);
    }
  }
  wipe(candidate, sizeof candidate);
}

// Signs with one nonce (FIPS 186-5, section 6.4.1). False if the nonce does not do: r or s is zero.
static bool sign_with(uint8_t signature[64], const p256_scalar_t *private_scalar,
                      const p256_scalar_t *hash, p256_scalar_t *nonce) {
  p256_point_t point;
  p256_scalar_t r, s;
  cry_p256_point_mul(&point, nonce, &cry_p256_generator);
  cry_p256_point_to_bytes(signature, NULL, &point);
  cry_p256_scalar_from_hash(&r, signature, 32);
  cry_p256_scalar_mul(&s, &r, private_scalar);
  cry_p256_scalar_add(&s, &s, hash);
  cry_p256_scalar_invert(nonce, nonce);
  cry_p256_scalar_mul(&s, &s, nonce);
  cry_p256_scalar_to_bytes(signature, &r);
  cry_p256_scalar_to_bytes(signature + 32, &s);
  declassify(signature, CRYPTILE_P256_SIGNATURE_BYTES);
  wipe(&point, sizeof point);
  p256_scalar_t check;
  return cry_p256_scalar_from_bytes(&check, signature) &&
         cry_p256_scalar_from_bytes(&check, signature + 32);
}

static WORK cryptile_status_t sign(uint8_t signature[64], const uint8_t private_key[32],
                                   const cryptile_hash_alg_t *alg, const uint8_t *digest) {
  p256_scalar_t private_scalar, hash, nonce;
  nonces_t nonces;
  if (!signature || !private_key || !alg || !digest || alg->block_size == 0) {
    return CRYPTILE_ERR_PARAM;
  }
  bool good = cry_p256_scalar_from_bytes(&private_scalar, private_key);
  declassify(&good, sizeof good);
  if (!good) {
    memset(signature, 0, CRYPTILE_P256_SIGNATURE_BYTES);
    return CRYPTILE_ERR_KEY;
  }
  cry_p256_scalar_from_hash(&hash, digest, alg->digest_size);
  nonces_init(&nonces, alg, private_key, &hash);
  do {
    nonces_next(&nonces, &nonce);
  } while (!sign_with(signature, &private_scalar, &hash, &nonce));
  wipe(&private_scalar, sizeof private_scalar);
  wipe(&nonce, sizeof nonce);
  wipe(&nonces, sizeof nonces);
  return CRYPTILE_OK;
}

cryptile_status_t cryptile_p256_verify(const uint8_t public_key[65], const uint8_t *digest,
                                       size_t digest_len, const uint8_t signature[64]) {
  p256_point_t point;
  p256_scalar_t r, s, hash, found;
  uint8_t x[32];
  if (!public_key || (!digest && digest_len != 0) || !signature) {
    return CRYPTILE_ERR_PARAM;
  }
  if (!cry_p256_point_from_bytes(&point, public_key)) {
    return CRYPTILE_ERR_KEY;
  }
  if (!cry_p256_scalar_from_bytes(&r, signature) ||
      !cry_p256_scalar_from_bytes(&s, signature + 32)) {
    return CRYPTILE_ERR_AUTH;
  }
  cry_p256_scalar_from_hash(&hash, digest, digest_len);
  cry_p256_scalar_invert(&s, &s);
  cry_p256_scalar_mul(&hash, &hash, &s);
  cry_p256_scalar_mul(&s, &r, &s);
  cry_p256_point_mul_add(&point, &hash, &s, &point);
  if (!cry_p256_point_to_bytes(x, NULL, &point)) {
    return CRYPTILE_ERR_AUTH;
  }
  cry_p256_scalar_from_hash(&found, x, sizeof x);
  return memcmp(found.w, r.w, sizeof r.w) == 0 ? CRYPTILE_OK : CRYPTILE_ERR_AUTH;
}

cryptile_status_t cryptile_p256_sign(uint8_t signature[64], const uint8_t private_key[32],
                                     const cryptile_hash_alg_t *alg, const uint8_t *digest) {
  return WIPED(sign(signature, private_key, alg, digest), STACK(3200, 3520));
}
