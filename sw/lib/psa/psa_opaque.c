// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include "psa/psa_opaque.h"

#include "psa/psa_curve.h"
#include "psa/psa_public.h"

// Calls a function of the key's holder.
#define BY_HOLDER(slot, function, ...)                                          \
  cry_psa_from_cryptile((slot)->holder != cry_psa_engine() ? CRYPTILE_ERR_STATE \
                        : (slot)->holder->opaque.function == NULL               \
                            ? CRYPTILE_ERR_SUPPORT                              \
                            : (slot)->holder->opaque.function(__VA_ARGS__))

static cryptile_psa_curve_id_t curve_id(const psa_key_attributes_t *attributes) {
  switch (attributes->bits) {
    case 256:
      return CRYPTILE_PSA_P256;
    case 384:
      return CRYPTILE_PSA_P384;
    case 521:
      return CRYPTILE_PSA_P521;
    default:
      return attributes->type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
                 ? CRYPTILE_PSA_X25519
                 : CRYPTILE_PSA_ED25519;
  }
}

psa_status_t cry_psa_opaque_generate(const psa_key_attributes_t *attributes, psa_slot_t *slot) {
  const cryptile_psa_engine_t *engine = cry_psa_engine();
  const psa_algorithm_t alg = attributes->alg;
  const psa_key_type_t type = attributes->type;
  const bool is_edwards = type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS);
  const bool signs =
      (attributes->usage & (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE)) != 0 &&
      (is_edwards ? alg == PSA_ALG_PURE_EDDSA
                  : psa_is_ecdsa(alg) && !psa_is_deterministic(alg) && type == PSA_PAIR_SECP_R1);
  const bool agrees = (attributes->usage & PSA_KEY_USAGE_DERIVE) != 0 && !is_edwards &&
                      PSA_ALG_KEY_AGREEMENT_GET_BASE(alg) == PSA_ALG_ECDH;
  if (!PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) || engine->opaque.generate == NULL) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  const cryptile_status_t status =
      engine->opaque.generate(&slot->handle, slot->data, curve_id(attributes), signs, agrees);
  slot->holder = engine;
  return status == CRYPTILE_ERR_BUSY ? PSA_ERROR_INSUFFICIENT_MEMORY
                                     : cry_psa_from_cryptile(status);
}

psa_status_t cry_psa_opaque_destroy(const psa_slot_t *slot) {
  return BY_HOLDER(slot, destroy, slot->handle);
}

psa_status_t cry_psa_opaque_ecdh(const psa_slot_t *slot, uint8_t *secret, const uint8_t *peer_key) {
  return BY_HOLDER(slot, ecdh, secret, slot->handle, peer_key);
}

psa_status_t cry_psa_opaque_sign(const psa_slot_t *slot, psa_algorithm_t alg, uint8_t *signature,
                                 const uint8_t *digest, size_t digest_len) {
  return psa_is_deterministic(alg)
             ? PSA_ERROR_NOT_SUPPORTED
             : BY_HOLDER(slot, sign, signature, slot->handle, digest, digest_len);
}

psa_status_t cry_psa_opaque_ed25519_sign(const psa_slot_t *slot, uint8_t *signature,
                                         const uint8_t *message, size_t len) {
  return BY_HOLDER(slot, ed25519_sign, signature, slot->handle, message, len, slot->data);
}
