// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_public.h"

#include "cryptile/curve25519.h"
#include "rsa/rsa_public.h"

// What is left to the library has this status, too.
#define BY(function, ...) ((function) != NULL ? (function)(__VA_ARGS__) : CRYPTILE_ERR_SUPPORT)

static const cryptile_psa_engine_t kNone;
static const cryptile_psa_engine_t *engine = &kNone;

void cryptile_psa_set_engine(const cryptile_psa_engine_t *chosen) {
  engine = chosen ? chosen : &kNone;
}

const cryptile_psa_engine_t *cry_psa_engine(void) {
  return engine;
}

static const cryptile_psa_curve_t *by_engine(const psa_curve_t *curve) {
  return curve->bits == 256 ? &engine->p256 : curve->bits == 384 ? &engine->p384 : &engine->p521;
}

cryptile_status_t cry_psa_curve_public(const psa_curve_t *curve, uint8_t *public_key,
                                       const uint8_t *private_key) {
  const cryptile_status_t status = BY(by_engine(curve)->public_key, public_key, private_key);
  return status == CRYPTILE_ERR_SUPPORT ? curve->public_key(public_key, private_key) : status;
}

cryptile_status_t cry_psa_curve_ecdh(const psa_curve_t *curve, uint8_t *secret,
                                     const uint8_t *private_key, const uint8_t *peer_key) {
  const cryptile_status_t status = BY(by_engine(curve)->ecdh, secret, private_key, peer_key);
  return status == CRYPTILE_ERR_SUPPORT ? curve->ecdh(secret, private_key, peer_key) : status;
}

cryptile_status_t cry_psa_curve_sign(const psa_curve_t *curve, psa_algorithm_t alg,
                                     uint8_t *signature, const uint8_t *private_key,
                                     const cryptile_hash_alg_t *hash, const uint8_t *digest) {
  const cryptile_status_t status =
      psa_is_deterministic(alg)
          ? CRYPTILE_ERR_SUPPORT
          : BY(by_engine(curve)->sign, signature, private_key, digest, hash->digest_size);
  return status == CRYPTILE_ERR_SUPPORT ? curve->sign(signature, private_key, hash, digest)
                                        : status;
}

cryptile_status_t cry_psa_curve_verify(const psa_curve_t *curve, const uint8_t *public_key,
                                       const uint8_t *digest, size_t digest_len,
                                       const uint8_t *signature) {
  const cryptile_status_t status =
      BY(by_engine(curve)->verify, public_key, digest, digest_len, signature);
  return status == CRYPTILE_ERR_SUPPORT ? curve->verify(public_key, digest, digest_len, signature)
                                        : status;
}

cryptile_status_t cry_psa_x25519(uint8_t *secret, const uint8_t *private_key,
                                 const uint8_t *peer_key) {
  const cryptile_status_t status = BY(engine->x25519, secret, private_key, peer_key);
  return status == CRYPTILE_ERR_SUPPORT ? cryptile_x25519(secret, private_key, peer_key) : status;
}

cryptile_status_t cry_psa_x25519_public(uint8_t *public_key, const uint8_t *private_key) {
  static const uint8_t kBase[CRYPTILE_X25519_BYTES] = {9};
  const cryptile_status_t status = BY(engine->x25519, public_key, private_key, kBase);
  return status == CRYPTILE_ERR_SUPPORT ? cryptile_x25519_public(public_key, private_key) : status;
}

cryptile_status_t cry_psa_ed25519_public(uint8_t *public_key, const uint8_t *seed) {
  const cryptile_status_t status = BY(engine->ed25519_public, public_key, seed);
  return status == CRYPTILE_ERR_SUPPORT ? cryptile_ed25519_public(public_key, seed) : status;
}

cryptile_status_t cry_psa_ed25519_sign(uint8_t *signature, const uint8_t *message, size_t len,
                                       const uint8_t *seed, const uint8_t *public_key) {
  const cryptile_status_t status =
      BY(engine->ed25519_sign, signature, message, len, seed, public_key);
  return status == CRYPTILE_ERR_SUPPORT
             ? cryptile_ed25519_sign(signature, message, len, seed, public_key)
             : status;
}

cryptile_status_t cry_psa_ed25519_verify(const uint8_t *signature, const uint8_t *message,
                                         size_t len, const uint8_t *public_key) {
  const cryptile_status_t status = BY(engine->ed25519_verify, signature, message, len, public_key);
  return status == CRYPTILE_ERR_SUPPORT
             ? cryptile_ed25519_verify(signature, message, len, public_key)
             : status;
}

cryptile_status_t cry_psa_rsa_public(uint8_t *message, const cryptile_rsa_public_key_t *key,
                                     const uint8_t *signature) {
  const cryptile_status_t status =
      BY(engine->rsa_public, message, key->modulus, key->modulus_len, key->exponent, signature);
  if (status == CRYPTILE_ERR_SUPPORT) {
    return cry_rsa_public(message, key, signature);
  }
  return status == CRYPTILE_ERR_KEY ? CRYPTILE_ERR_AUTH : status;
}
