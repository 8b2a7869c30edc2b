// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

#include <string.h>

#include "psa/psa_key.h"
#include "wipe.h"
#include "wipe/wiped.h"

// An algorithm in the standard's words and in the library's.
typedef struct {
  psa_algorithm_t alg;
  psa_key_type_t type;
  uint8_t nonce_length;  // of a generated one
  const cryptile_aead_alg_t *aead;
} psa_aead_kind_t;

static const psa_aead_kind_t kKinds[] = {
    {PSA_ALG_CCM, PSA_KEY_TYPE_AES, 13, &cryptile_aes_ccm},
    {PSA_ALG_GCM, PSA_KEY_TYPE_AES, 12, &cryptile_aes_gcm},
    {PSA_ALG_CHACHA20_POLY1305, PSA_KEY_TYPE_CHACHA20, 12, &cryptile_chacha20_poly1305},
    {PSA_ALG_ASCON_AEAD128, PSA_KEY_TYPE_ASCON, 16, &cryptile_ascon_aead128},
};

// The algorithm, whatever its length of the tag; null if it is not there.
static const psa_aead_kind_t *kind_of(psa_algorithm_t alg) {
  for (size_t i = 0; i < sizeof kKinds / sizeof kKinds[0]; i++) {
    if (psa_without_length(alg ^ kKinds[i].alg) == 0) {
      return &kKinds[i];
    }
  }
  return NULL;
}

// What a key and an algorithm, with its length of the tag, stand for.
static psa_status_t choose(const psa_slot_t *slot, psa_algorithm_t alg,
                           const cryptile_aead_alg_t **found) {
  const psa_aead_kind_t *kind = kind_of(alg);
  if (!kind) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  if (slot->attributes.type != kind->type) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  *found = kind->aead;
  const cryptile_aead_params_t params = {slot->data, slot->length, NULL, kind->nonce_length,
                                         psa_tag_length(alg)};
  return cry_psa_from_cryptile((*found)->check(&params));
}

static WORK psa_status_t aead_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                                      size_t nonce_length, const uint8_t *additional_data,
                                      size_t additional_data_length, const uint8_t *plaintext,
                                      size_t plaintext_length, uint8_t *ciphertext,
                                      size_t ciphertext_size, size_t *ciphertext_length) {
  const psa_slot_t *slot;
  const cryptile_aead_alg_t *aead;
  size_t tag = psa_tag_length(alg);
  *ciphertext_length = 0;
  psa_status_t status = cry_psa_key_get(key, PSA_KEY_USAGE_ENCRYPT, alg, &slot);
  if (status == PSA_SUCCESS) {
    status = choose(slot, alg, &aead);
  }
  if (status != PSA_SUCCESS) {
    return status;
  }
  if (psa_is_missing(ciphertext, ciphertext_size)) {
    return PSA_ERROR_INVALID_ARGUMENT;  // the tag's address would not be null
  }
  if (ciphertext_size < tag || ciphertext_size - tag < plaintext_length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  cryptile_aead_params_t params = {slot->data, slot->length, nonce, nonce_length, tag};
  status = cry_psa_from_cryptile(
      cryptile_aead_encrypt(aead, &params, additional_data, additional_data_length, plaintext,
                            plaintext_length, ciphertext, ciphertext + plaintext_length));
  *ciphertext_length = status == PSA_SUCCESS ? plaintext_length + tag : 0;
  return status;
}

static WORK psa_status_t aead_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                                      size_t nonce_length, const uint8_t *additional_data,
                                      size_t additional_data_length, const uint8_t *ciphertext,
                                      size_t ciphertext_length, uint8_t *plaintext,
                                      size_t plaintext_size, size_t *plaintext_length) {
  const psa_slot_t *slot;
  const cryptile_aead_alg_t *aead;
  size_t tag = psa_tag_length(alg);
  *plaintext_length = 0;
  psa_status_t status = cry_psa_key_get(key, PSA_KEY_USAGE_DECRYPT, alg, &slot);
  if (status == PSA_SUCCESS) {
    status = choose(slot, alg, &aead);
  }
  if (status != PSA_SUCCESS) {
    return status;
  }
  // Of a null ciphertext, the tag's address would not be null.
  if (psa_is_missing(ciphertext, ciphertext_length) || psa_is_missing(plaintext, plaintext_size)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (ciphertext_length < tag) {
    return PSA_ERROR_INVALID_SIGNATURE;
  }
  size_t length = ciphertext_length - tag;
  if (plaintext_size < length) {
    return PSA_ERROR_BUFFER_TOO_SMALL;
  }
  cryptile_aead_params_t params = {slot->data, slot->length, nonce, nonce_length, tag};
  status = cry_psa_from_cryptile(cryptile_aead_decrypt(aead, &params, additional_data,
                                                       additional_data_length, ciphertext, length,
                                                       ciphertext + length, plaintext));
  *plaintext_length = status == PSA_SUCCESS ? length : 0;
  return status;
}

static psa_status_t setup(psa_aead_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          cryptile_direction_t direction) {
  const psa_slot_t *slot;
  const cryptile_aead_alg_t *aead;
  psa_key_usage_t usage =
      direction == CRYPTILE_ENCRYPT ? PSA_KEY_USAGE_ENCRYPT : PSA_KEY_USAGE_DECRYPT;
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  psa_status_t status = cry_psa_key_get(key, usage, alg, &slot);
  if (status == PSA_SUCCESS) {
    status = choose(slot, alg, &aead);
  }
  if (status == PSA_SUCCESS) {
    operation->phase = PSA_PHASE_ACTIVE;
    operation->alg = alg;
    operation->direction = (uint8_t)direction;
    operation->key_length = slot->length;
    memcpy(operation->key, slot->data, slot->length);
    operation->ctx.alg = aead;
  }
  return status;
}

static WORK psa_status_t aead_encrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                            psa_algorithm_t alg) {
  return setup(operation, key, alg, CRYPTILE_ENCRYPT);
}

static WORK psa_status_t aead_decrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                            psa_algorithm_t alg) {
  return setup(operation, key, alg, CRYPTILE_DECRYPT);
}

psa_status_t psa_aead_set_lengths(psa_aead_operation_t *operation, size_t ad_length,
                                  size_t plaintext_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || operation->has_nonce || operation->has_lengths) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  operation->has_lengths = true;
  operation->ad_left = ad_length;
  operation->text_left = plaintext_length;
  return PSA_SUCCESS;
}

// Whether the nonce may come now: CCM wants the lengths before.
static bool awaits_nonce(const psa_aead_operation_t *operation) {
  return operation->phase == PSA_PHASE_ACTIVE && !operation->has_nonce &&
         (operation->has_lengths || operation->ctx.alg->set_lengths == NULL);
}

static cryptile_status_t start(psa_aead_operation_t *operation, const uint8_t *nonce,
                               size_t nonce_length) {
  const cryptile_aead_alg_t *alg = operation->ctx.alg;
  cryptile_aead_params_t params = {operation->key, operation->key_length, nonce, nonce_length,
                                   psa_tag_length(operation->alg)};
  cryptile_status_t status =
      cryptile_aead_init(&operation->ctx, alg, (cryptile_direction_t)operation->direction, &params);
  if (status == CRYPTILE_OK && alg->set_lengths != NULL) {
    status = cryptile_aead_set_lengths(&operation->ctx, operation->ad_left, operation->text_left);
  }
  return status;
}

static WORK psa_status_t aead_set_nonce(psa_aead_operation_t *operation, const uint8_t *nonce,
                                        size_t nonce_length) {
  if (!awaits_nonce(operation)) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  psa_status_t status = cry_psa_from_cryptile(start(operation, nonce, nonce_length));
  wipe(operation->key, sizeof operation->key);
  operation->has_nonce = true;
  return PSA_SETTLE(operation, status);
}

static WORK psa_status_t aead_generate_nonce(psa_aead_operation_t *operation, uint8_t *nonce,
                                             size_t nonce_size, size_t *nonce_length) {
  *nonce_length = 0;
  if (!awaits_nonce(operation) || operation->direction == CRYPTILE_DECRYPT) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  const size_t length = kind_of(operation->alg)->nonce_length;
  if (nonce_size < length) {
    return PSA_SETTLE(operation, PSA_ERROR_BUFFER_TOO_SMALL);
  }
  psa_status_t status = PSA_SETTLE(operation, psa_generate_random(nonce, length));
  if (status == PSA_SUCCESS) {
    status = aead_set_nonce(operation, nonce, length);
  }
  *nonce_length = status == PSA_SUCCESS ? length : 0;
  return status;
}

// Takes from an announced length; true if there was enough, or nothing was announced.
static bool take(const psa_aead_operation_t *operation, uint64_t *left, size_t length) {
  if (!operation->has_lengths) {
    return true;
  }
  bool enough = *left >= length;
  *left -= enough ? length : 0;
  return enough;
}

static WORK psa_status_t aead_update_ad(psa_aead_operation_t *operation, const uint8_t *input,
                                        size_t input_length) {
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_nonce || operation->has_text) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (!take(operation, &operation->ad_left, input_length)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  return PSA_SETTLE(operation,
                    cry_psa_from_cryptile(cryptile_aead_aad(&operation->ctx, input, input_length)));
}

static WORK psa_status_t aead_update(psa_aead_operation_t *operation, const uint8_t *input,
                                     size_t input_length, uint8_t *output, size_t output_size,
                                     size_t *output_length) {
  *output_length = 0;
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_nonce) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (output_size < input_length) {
    return PSA_SETTLE(operation, PSA_ERROR_BUFFER_TOO_SMALL);
  }
  if (psa_is_missing(input, input_length) || psa_is_missing(output, output_size) ||
      (operation->has_lengths && operation->ad_left != 0) ||
      !take(operation, &operation->text_left, input_length)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  operation->has_text = true;
  psa_status_t status =
      cry_psa_from_cryptile(cryptile_aead_update(&operation->ctx, input, output, input_length));
  *output_length = status == PSA_SUCCESS ? input_length : 0;
  return PSA_SETTLE(operation, status);
}

// Whether the operation can end, in this direction.
static psa_status_t may_end(const psa_aead_operation_t *operation, cryptile_direction_t direction) {
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_nonce ||
      operation->direction != direction) {
    return PSA_ERROR_BAD_STATE;
  }
  bool all = !operation->has_lengths || (operation->ad_left == 0 && operation->text_left == 0);
  return all ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

static WORK psa_status_t aead_finish(psa_aead_operation_t *operation, uint8_t *ciphertext,
                                     size_t ciphertext_size, size_t *ciphertext_length,
                                     uint8_t *tag, size_t tag_size, size_t *tag_length) {
  // Nothing is ever held back, so the ciphertext is not written.
  *ciphertext_length = *tag_length = 0;
  psa_status_t status = may_end(operation, CRYPTILE_ENCRYPT);
  if (status == PSA_SUCCESS && psa_is_missing(ciphertext, ciphertext_size)) {
    status = PSA_ERROR_INVALID_ARGUMENT;
  }
  size_t length = psa_tag_length(operation->alg);
  if (status == PSA_SUCCESS && tag_size < length) {
    status = PSA_ERROR_BUFFER_TOO_SMALL;
  }
  if (status == PSA_SUCCESS) {
    status = cry_psa_from_cryptile(cryptile_aead_finish(&operation->ctx, tag));
  }
  if (status != PSA_SUCCESS) {
    return PSA_SETTLE(operation, status);
  }
  *tag_length = length;
  return psa_aead_abort(operation);
}

static WORK psa_status_t aead_verify(psa_aead_operation_t *operation, uint8_t *plaintext,
                                     size_t plaintext_size, size_t *plaintext_length,
                                     const uint8_t *tag, size_t tag_length) {
  *plaintext_length = 0;
  psa_status_t status = may_end(operation, CRYPTILE_DECRYPT);
  if (status == PSA_SUCCESS && psa_is_missing(plaintext, plaintext_size)) {
    status = PSA_ERROR_INVALID_ARGUMENT;
  }
  if (status == PSA_SUCCESS) {
    status = tag_length == psa_tag_length(operation->alg)
                 ? cry_psa_from_cryptile(cryptile_aead_verify(&operation->ctx, tag))
                 : PSA_ERROR_INVALID_SIGNATURE;
  }
  return status == PSA_SUCCESS ? psa_aead_abort(operation) : PSA_SETTLE(operation, status);
}

psa_status_t psa_aead_abort(psa_aead_operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

psa_status_t psa_aead_encrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *plaintext,
                              size_t plaintext_length, uint8_t *ciphertext, size_t ciphertext_size,
                              size_t *ciphertext_length) {
  return WIPED(
      aead_encrypt(key, alg, nonce, nonce_length, additional_data, additional_data_length,
                   plaintext, plaintext_length, ciphertext, ciphertext_size, ciphertext_length),
      STACK(224, 304));
}

psa_status_t psa_aead_decrypt(psa_key_id_t key, psa_algorithm_t alg, const uint8_t *nonce,
                              size_t nonce_length, const uint8_t *additional_data,
                              size_t additional_data_length, const uint8_t *ciphertext,
                              size_t ciphertext_length, uint8_t *plaintext, size_t plaintext_size,
                              size_t *plaintext_length) {
  return WIPED(
      aead_decrypt(key, alg, nonce, nonce_length, additional_data, additional_data_length,
                   ciphertext, ciphertext_length, plaintext, plaintext_size, plaintext_length),
      STACK(224, 304));
}

psa_status_t psa_aead_encrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg) {
  return WIPED(aead_encrypt_setup(operation, key, alg), STACK(112, 176));
}

psa_status_t psa_aead_decrypt_setup(psa_aead_operation_t *operation, psa_key_id_t key,
                                    psa_algorithm_t alg) {
  return WIPED(aead_decrypt_setup(operation, key, alg), STACK(112, 176));
}

psa_status_t psa_aead_generate_nonce(psa_aead_operation_t *operation, uint8_t *nonce,
                                     size_t nonce_size, size_t *nonce_length) {
  return WIPED(aead_generate_nonce(operation, nonce, nonce_size, nonce_length), STACK(240, 336));
}

psa_status_t psa_aead_set_nonce(psa_aead_operation_t *operation, const uint8_t *nonce,
                                size_t nonce_length) {
  return WIPED(aead_set_nonce(operation, nonce, nonce_length), STACK(176, 272));
}

psa_status_t psa_aead_update_ad(psa_aead_operation_t *operation, const uint8_t *input,
                                size_t input_length) {
  return WIPED(aead_update_ad(operation, input, input_length), STACK(96, 160));
}

psa_status_t psa_aead_update(psa_aead_operation_t *operation, const uint8_t *input,
                             size_t input_length, uint8_t *output, size_t output_size,
                             size_t *output_length) {
  return WIPED(aead_update(operation, input, input_length, output, output_size, output_length),
               STACK(128, 192));
}

psa_status_t psa_aead_finish(psa_aead_operation_t *operation, uint8_t *ciphertext,
                             size_t ciphertext_size, size_t *ciphertext_length, uint8_t *tag,
                             size_t tag_size, size_t *tag_length) {
  return WIPED(aead_finish(operation, ciphertext, ciphertext_size, ciphertext_length, tag, tag_size,
                           tag_length),
               STACK(128, 192));
}

psa_status_t psa_aead_verify(psa_aead_operation_t *operation, uint8_t *plaintext,
                             size_t plaintext_size, size_t *plaintext_length, const uint8_t *tag,
                             size_t tag_length) {
  return WIPED(aead_verify(operation, plaintext, plaintext_size, plaintext_length, tag, tag_length),
               STACK(128, 192));
}
