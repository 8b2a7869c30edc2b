// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "cryptile/curve25519.h"
#include "psa/psa_curve.h"
#include "psa/psa_opaque.h"
#include "psa/psa_public.h"
#include "psa/psa_rsa.h"
#include "wipe.h"
#include "wipe/wiped.h"

#define PAIR_ED25519   PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define PUBLIC_ED25519 PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define PAIR_X25519    PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)

static bool is_type(const psa_slot_t *slot, psa_key_type_t pair, psa_key_type_t public_key) {
  return slot->attributes.type == pair || slot->attributes.type == public_key;
}

// Finds a key for a call with two buffers, neither of which is null: an engine would not look.
static psa_status_t key_for(psa_key_id_t key, psa_key_usage_t usage, psa_algorithm_t alg,
                            const uint8_t *input, size_t input_length, const uint8_t *other,
                            size_t other_size, const psa_slot_t **slot) {
  const psa_status_t status = cry_psa_key_get(key, usage, alg, slot);
  if (status == PSA_SUCCESS &&
      (psa_is_missing(input, input_length) || psa_is_missing(other, other_size))) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return status;
}

// Zeroes a signature or secret that could not be made. Returns the status.
static psa_status_t given(psa_status_t status, uint8_t *output, size_t length) {
  if (status != PSA_SUCCESS) {
    memset(output, 0, length);
  }
  return status;
}

// Finds the hash function of a signature for a digest of that length.
static psa_status_t hash_of(psa_algorithm_t alg, size_t hash_length,
                            const cryptile_hash_alg_t **hash) {
  *hash = cry_psa_hash_alg(alg);
  if (!*hash) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  return hash_length == (*hash)->digest_size ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

static psa_status_t sign_digest(const psa_slot_t *slot, psa_algorithm_t alg, const uint8_t *hash,
                                size_t hash_length, uint8_t *signature) {
  const cryptile_hash_alg_t *found;
  psa_status_t status = hash_of(alg, hash_length, &found);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (slot->attributes.type != PSA_PAIR_SECP_R1) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  status = psa_is_opaque(slot) ? cry_psa_opaque_sign(slot, alg, signature, hash, hash_length)
                               : cry_psa_from_cryptile(cry_psa_curve_sign(
                                     psa_curve_of(slot), alg, signature, slot->data, found, hash));
  return given(status, signature, 2u * slot->length);
}

static psa_status_t verify_digest(const psa_slot_t *slot, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, const uint8_t *signature,
                                  size_t signature_length) {
  uint8_t room[PSA_POINT_BYTES];
  const uint8_t *public_key;
  size_t length;
  const cryptile_hash_alg_t *found;
  psa_status_t status = hash_of(alg, hash_length, &found);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (PSA_ALG_IS_RSA_SIGN(alg)) {
    return slot->attributes.type == PSA_KEY_TYPE_RSA_PUBLIC_KEY
               ? cry_psa_rsa_verify(slot, alg, found, hash, signature, signature_length)
               : PSA_ERROR_INVALID_ARGUMENT;
  }
  const psa_curve_t *curve = psa_curve_of(slot);
  if (!curve) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (signature_length != 2u * curve->private_bytes) {
    return PSA_ERROR_INVALID_SIGNATURE;
  }
  status = cry_psa_key_public(slot, room, &public_key, &length);
  return status == PSA_SUCCESS ? cry_psa_from_cryptile(cry_psa_curve_verify(curve, public_key, hash,
                                                                            hash_length, signature))
                               : status;
}

static psa_status_t digest_of(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                              uint8_t *digest, size_t *length) {
  const cryptile_hash_alg_t *hash = cry_psa_hash_alg(alg);
  if (!hash) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  *length = hash->digest_size;
  return cry_psa_from_cryptile(cryptile_hash(hash, input, input_length, digest));
}

static psa_status_t sign_eddsa(const psa_slot_t *slot, const uint8_t *input, size_t input_length,
                               uint8_t *signature) {
  uint8_t public_key[CRYPTILE_ED25519_PUBLIC_BYTES];
  if (slot->attributes.type != PAIR_ED25519) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  psa_status_t status;
  if (psa_is_opaque(slot)) {
    status = cry_psa_opaque_ed25519_sign(slot, signature, input, input_length);
  } else {
    cryptile_status_t made = cry_psa_ed25519_public(public_key, slot->data);
    if (made == CRYPTILE_OK) {
      made = cry_psa_ed25519_sign(signature, input, input_length, slot->data, public_key);
    }
    status = cry_psa_from_cryptile(made);
  }
  return given(status, signature, CRYPTILE_ED25519_SIGNATURE_BYTES);
}

// A signature has twice as many bytes as the private key has.
static psa_status_t check_room(const psa_slot_t *slot, size_t signature_size) {
  if (!PSA_KEY_TYPE_IS_ECC_KEY_PAIR(slot->attributes.type)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return signature_size < 2u * slot->length ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS;
}

static WORK psa_status_t sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                      size_t input_length, uint8_t *signature,
                                      size_t signature_size, size_t *signature_length) {
  const psa_slot_t *slot;
  uint8_t digest[CRYPTILE_HASH_MAX_DIGEST];
  size_t length;
  *signature_length = 0;
  psa_status_t status = key_for(key, PSA_KEY_USAGE_SIGN_MESSAGE, alg, input, input_length,
                                signature, signature_size, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  status = check_room(slot, signature_size);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (alg == PSA_ALG_PURE_EDDSA) {
    status = sign_eddsa(slot, input, input_length, signature);
  } else if (psa_is_ecdsa(alg)) {
    status = digest_of(alg, input, input_length, digest, &length);
    if (status == PSA_SUCCESS) {
      status = sign_digest(slot, alg, digest, length, signature);
    }
  } else {  // there are no private keys of RSA
    status = PSA_ALG_IS_RSA_SIGN(alg) ? PSA_ERROR_INVALID_ARGUMENT : PSA_ERROR_NOT_SUPPORTED;
  }
  *signature_length = status == PSA_SUCCESS ? 2u * slot->length : 0;
  return status;
}

psa_status_t psa_verify_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, const uint8_t *signature,
                                size_t signature_length) {
  const psa_slot_t *slot;
  uint8_t buffer[PSA_POINT_BYTES];
  const uint8_t *public_key;
  size_t length;
  psa_status_t status = key_for(key, PSA_KEY_USAGE_VERIFY_MESSAGE, alg, input, input_length,
                                signature, signature_length, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (alg == PSA_ALG_PURE_EDDSA) {
    if (!is_type(slot, PAIR_ED25519, PUBLIC_ED25519)) {
      return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_length != CRYPTILE_ED25519_SIGNATURE_BYTES) {
      return PSA_ERROR_INVALID_SIGNATURE;
    }
    status = cry_psa_key_public(slot, buffer, &public_key, &length);
    return status == PSA_SUCCESS ? cry_psa_from_cryptile(cry_psa_ed25519_verify(
                                       signature, input, input_length, public_key))
                                 : status;
  }
  if (!psa_is_ecdsa(alg) && !PSA_ALG_IS_RSA_SIGN(alg)) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  status = digest_of(alg, input, input_length, buffer, &length);
  return status == PSA_SUCCESS
             ? verify_digest(slot, alg, buffer, length, signature, signature_length)
             : status;
}

static WORK psa_status_t sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                                   size_t hash_length, uint8_t *signature, size_t signature_size,
                                   size_t *signature_length) {
  const psa_slot_t *slot;
  *signature_length = 0;
  psa_status_t status = key_for(key, PSA_KEY_USAGE_SIGN_HASH, alg, hash, hash_length, signature,
                                signature_size, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!psa_is_ecdsa(alg)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  status = check_room(slot, signature_size);
  if (status != PSA_SUCCESS) {
    return status;
  }
  status = sign_digest(slot, alg, hash, hash_length, signature);
  *signature_length = status == PSA_SUCCESS ? 2u * slot->length : 0;
  return status;
}

psa_status_t psa_verify_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                             size_t hash_length, const uint8_t *signature,
                             size_t signature_length) {
  const psa_slot_t *slot;
  psa_status_t status = key_for(key, PSA_KEY_USAGE_VERIFY_HASH, alg, hash, hash_length, signature,
                                signature_length, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (!psa_is_ecdsa(alg) && !PSA_ALG_IS_RSA_SIGN(alg)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  return verify_digest(slot, alg, hash, hash_length, signature, signature_length);
}

psa_status_t cry_psa_agree(const psa_slot_t *slot, const uint8_t *peer_key, size_t peer_key_length,
                           uint8_t *secret) {
  const psa_curve_t *curve = psa_curve_of(slot);
  const bool is_nist = slot->attributes.type == PSA_PAIR_SECP_R1;
  if (!is_nist && slot->attributes.type != PAIR_X25519) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (!peer_key || peer_key_length != (is_nist ? curve->public_bytes : CRYPTILE_X25519_BYTES)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const psa_status_t status =
      psa_is_opaque(slot)
          ? cry_psa_opaque_ecdh(slot, secret, peer_key)
          : cry_psa_from_cryptile(is_nist ? cry_psa_curve_ecdh(curve, secret, slot->data, peer_key)
                                          : cry_psa_x25519(secret, slot->data, peer_key));
  return given(status, secret, slot->length);
}

static WORK psa_status_t raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                           const uint8_t *peer_key, size_t peer_key_length,
                                           uint8_t *output, size_t output_size,
                                           size_t *output_length) {
  const psa_slot_t *slot;
  *output_length = 0;
  psa_status_t status = key_for(private_key, PSA_KEY_USAGE_DERIVE, alg, peer_key, peer_key_length,
                                output, output_size, &slot);
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (alg != PSA_ALG_ECDH) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (!PSA_KEY_TYPE_IS_ECC_KEY_PAIR(slot->attributes.type)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (output_size < slot->length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  status = cry_psa_agree(slot, peer_key, peer_key_length, output);
  *output_length = status == PSA_SUCCESS ? slot->length : 0;
  return status;
}

static WORK psa_status_t key_agreement(psa_key_id_t private_key, const uint8_t *peer_key,
                                       size_t peer_key_length, psa_algorithm_t alg,
                                       const psa_key_attributes_t *attributes, psa_key_id_t *key) {
  uint8_t secret[PSA_SECRET_BYTES];
  size_t length;
  psa_key_type_t type = attributes->type;
  *key = PSA_KEY_ID_NULL;
  if (type != PSA_KEY_TYPE_RAW_DATA && type != PSA_KEY_TYPE_DERIVE && type != PSA_KEY_TYPE_HMAC) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  psa_status_t status = raw_key_agreement(alg, private_key, peer_key, peer_key_length, secret,
                                          sizeof secret, &length);
  if (status == PSA_SUCCESS) {
    status = psa_import_key(attributes, secret, length, key);
  }
  wipe(secret, sizeof secret);
  return status;
}

psa_status_t psa_sign_message(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *input,
                              size_t input_length, uint8_t *signature, size_t signature_size,
                              size_t *signature_length) {
  return WIPED(
      sign_message(key, alg, input, input_length, signature, signature_size, signature_length),
      STACK(336, 448));
}

psa_status_t psa_sign_hash(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *hash,
                           size_t hash_length, uint8_t *signature, size_t signature_size,
                           size_t *signature_length) {
  return WIPED(sign_hash(key, alg, hash, hash_length, signature, signature_size, signature_length),
               STACK(176, 240));
}

psa_status_t psa_raw_key_agreement(psa_algorithm_t alg, psa_key_id_t private_key,
                                   const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                   size_t output_size, size_t *output_length) {
  return WIPED(raw_key_agreement(alg, private_key, peer_key, peer_key_length, output, output_size,
                                 output_length),
               STACK(160, 224));
}

psa_status_t psa_key_agreement(psa_key_id_t private_key, const uint8_t *peer_key,
                               size_t peer_key_length, psa_algorithm_t alg,
                               const psa_key_attributes_t *attributes, psa_key_id_t *key) {
  return WIPED(key_agreement(private_key, peer_key, peer_key_length, alg, attributes, key),
               STACK(336, 432));
}
