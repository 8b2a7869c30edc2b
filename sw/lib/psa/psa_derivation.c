// Copyright Cryptile contributors.
// Licensed under the Apache License, Version 2.0, with the Solderpad Hardware License exception
// (see LICENSE). SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1

// Key derivation: HKDF (RFC 5869), whole or its two steps, and the PRF of TLS 1.2 (RFC 5246, 5).

#include <assert.h>
#include <string.h>

#include "hash/hash_core.h"
#include "hmac/hmac_core.h"
#include "psa/psa_curve.h"
#include "wipe.h"
#include "wipe/wiped.h"

static_assert(PSA_KEY_DERIVATION_MAX_INFO <= UINT16_MAX, "lengths have 16 bits");

enum { MaxBlocks = 255 };  // of HKDF

typedef psa_key_derivation_operation_t operation_t;

// The derivation itself, without an agreement before it.
static psa_algorithm_t kdf_of(psa_algorithm_t alg) {
  return PSA_ALG_IS_KEY_AGREEMENT(alg) ? PSA_ALG_KEY_AGREEMENT_GET_KDF(alg) : alg;
}

static bool is_prf(const operation_t *operation) {
  return PSA_ALG_IS_TLS12_PRF(kdf_of(operation->alg));
}

static bool is_extract(const operation_t *operation) {
  return PSA_ALG_IS_HKDF_EXTRACT(kdf_of(operation->alg));
}

static bool is_expand(const operation_t *operation) {
  return PSA_ALG_IS_HKDF_EXPAND(kdf_of(operation->alg));
}

static const cryptile_hash_alg_t *hash_of(const operation_t *operation) {
  return cry_psa_hash_alg(operation->alg);
}

psa_status_t psa_key_derivation_setup(operation_t *operation, psa_algorithm_t alg) {
  const psa_algorithm_t kdf = kdf_of(alg);
  const cryptile_hash_alg_t *hash = cry_psa_hash_alg(alg);
  if (operation->phase != PSA_PHASE_INACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (!PSA_ALG_IS_KEY_DERIVATION(kdf) || (kdf & 0x00ffffff) == 0) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const bool is_known = PSA_ALG_IS_HKDF(kdf) || PSA_ALG_IS_HKDF_EXTRACT(kdf) ||
                        PSA_ALG_IS_HKDF_EXPAND(kdf) || PSA_ALG_IS_TLS12_PRF(kdf);
  if (!hash || !is_known || (kdf != alg && !PSA_ALG_IS_ECDH(alg))) {
    return PSA_ERROR_NOT_SUPPORTED;
  }
  operation->phase = PSA_PHASE_ACTIVE;
  operation->alg = alg;
  operation->capacity = PSA_ALG_IS_TLS12_PRF(kdf)      ? PSA_KEY_DERIVATION_UNLIMITED_CAPACITY
                        : PSA_ALG_IS_HKDF_EXTRACT(kdf) ? hash->digest_size
                                                       : (size_t)MaxBlocks * hash->digest_size;
  return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_get_capacity(const operation_t *operation, size_t *capacity) {
  *capacity = 0;
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  *capacity = operation->capacity;
  return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_set_capacity(operation_t *operation, size_t capacity) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (capacity > operation->capacity) {
    return PSA_ERROR_INVALID_ARGUMENT;  // the standard leaves the operation as it is
  }
  operation->capacity = capacity;
  return PSA_SUCCESS;
}

psa_status_t psa_key_derivation_abort(operation_t *operation) {
  wipe(operation, sizeof *operation);
  return PSA_SUCCESS;
}

// Keeps bytes behind those that are kept.
static psa_status_t keep(operation_t *operation, const uint8_t *data, size_t length) {
  if (length > sizeof operation->info - operation->info_length) {
    return PSA_ERROR_INSUFFICIENT_MEMORY;
  }
  if (length != 0) {
    memcpy(operation->info + operation->info_length, data, length);
  }
  operation->info_length = (uint16_t)(operation->info_length + length);
  return PSA_SUCCESS;
}

static psa_status_t key_by(operation_t *operation, const uint8_t *key, size_t length) {
  return cry_psa_from_cryptile(
      cry_hmac_core_init(&operation->keyed, hash_of(operation), key, length));
}

// HKDF-Extract, with the context keyed by the salt. The pseudorandom key is in the block then, and,
// but if it is wanted itself, keys the context.
static psa_status_t extract(operation_t *operation, const uint8_t *secret, size_t length) {
  const size_t size = hash_of(operation)->digest_size;
  cryptile_hmac_ctx_t *keyed = &operation->keyed;
  psa_status_t status = operation->has_salt ? PSA_SUCCESS : key_by(operation, NULL, 0);
  if (status == PSA_SUCCESS) {
    status = cry_psa_from_cryptile(cry_hmac_core_update(keyed, secret, length));
  }
  if (status == PSA_SUCCESS) {
    status = cry_psa_from_cryptile(cry_hmac_core_final(keyed, operation->block, size));
  }
  return status == PSA_SUCCESS && !is_extract(operation) ? key_by(operation, operation->block, size)
                                                         : status;
}

static psa_status_t input_salt(operation_t *operation, const uint8_t *data, size_t length) {
  if (is_prf(operation) || is_expand(operation)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (operation->has_salt || operation->has_secret) {
    return PSA_ERROR_BAD_STATE;
  }
  operation->has_salt = true;
  return key_by(operation, data, length);
}

static psa_status_t input_secret(operation_t *operation, const uint8_t *data, size_t length) {
  const bool lacks_before = (is_extract(operation) || is_prf(operation)) && !operation->has_salt;
  if (operation->has_secret || lacks_before) {
    return PSA_ERROR_BAD_STATE;
  }
  operation->has_secret = true;
  operation->has_info |= is_extract(operation);
  if (is_expand(operation) && length < hash_of(operation)->digest_size) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  const bool is_key = is_expand(operation) || is_prf(operation);
  return is_key ? key_by(operation, data, length) : extract(operation, data, length);
}

static psa_status_t input_info(operation_t *operation, const uint8_t *data, size_t length) {
  if (is_prf(operation) || is_extract(operation)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (operation->has_info) {
    return PSA_ERROR_BAD_STATE;
  }
  operation->has_info = true;
  return keep(operation, data, length);
}

// Of TLS 1.2, in this order: the seed, which is its salt here, the secret, and the label.
static psa_status_t input_seed(operation_t *operation, const uint8_t *data, size_t length) {
  if (!is_prf(operation)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (operation->has_salt) {
    return PSA_ERROR_BAD_STATE;
  }
  operation->has_salt = true;
  psa_status_t status = keep(operation, data, length);
  operation->seed_length = operation->info_length;
  return status;
}

static psa_status_t input_label(operation_t *operation, const uint8_t *data, size_t length) {
  if (!is_prf(operation)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  if (operation->has_info || !operation->has_secret) {
    return PSA_ERROR_BAD_STATE;
  }
  operation->has_info = true;
  return keep(operation, data, length);
}

static psa_status_t input(operation_t *operation, psa_key_derivation_step_t step,
                          const uint8_t *data, size_t length) {
  if (operation->has_output) {
    return PSA_ERROR_BAD_STATE;
  }
  if (psa_is_missing(data, length)) {
    return PSA_ERROR_INVALID_ARGUMENT;
  }
  switch (step) {
    case PSA_KEY_DERIVATION_INPUT_SALT:
      return input_salt(operation, data, length);
    case PSA_KEY_DERIVATION_INPUT_SECRET:
      return input_secret(operation, data, length);
    case PSA_KEY_DERIVATION_INPUT_INFO:
      return input_info(operation, data, length);
    case PSA_KEY_DERIVATION_INPUT_SEED:
      return input_seed(operation, data, length);
    case PSA_KEY_DERIVATION_INPUT_LABEL:
      return input_label(operation, data, length);
    default:
      return PSA_ERROR_INVALID_ARGUMENT;
  }
}

static WORK psa_status_t input_bytes(operation_t *operation, psa_key_derivation_step_t step,
                                     const uint8_t *data, size_t data_length) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  return PSA_SETTLE(operation, input(operation, step, data, data_length));
}

// A secret is a key for derivation, everything else raw data.
static WORK psa_status_t input_key(operation_t *operation, psa_key_derivation_step_t step,
                                   psa_key_id_t key) {
  const psa_slot_t *slot;
  const bool is_secret = step == PSA_KEY_DERIVATION_INPUT_SECRET;
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  psa_status_t status = cry_psa_key_get(key, PSA_KEY_USAGE_DERIVE, operation->alg, &slot);
  if (status == PSA_SUCCESS &&
      slot->attributes.type != (is_secret ? PSA_KEY_TYPE_DERIVE : PSA_KEY_TYPE_RAW_DATA)) {
    status = PSA_ERROR_INVALID_ARGUMENT;
  }
  if (status == PSA_SUCCESS) {
    status = input(operation, step, slot->data, slot->length);
    operation->may_give_key |= is_secret;
  }
  return PSA_SETTLE(operation, status);
}

static WORK psa_status_t input_agreement(operation_t *operation, psa_key_derivation_step_t step,
                                         psa_key_id_t private_key, const uint8_t *peer_key,
                                         size_t peer_key_length) {
  const psa_slot_t *slot;
  uint8_t secret[PSA_SECRET_BYTES];
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (!PSA_ALG_IS_KEY_AGREEMENT(operation->alg) || step != PSA_KEY_DERIVATION_INPUT_SECRET) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  psa_status_t status = cry_psa_key_get(private_key, PSA_KEY_USAGE_DERIVE, operation->alg, &slot);
  if (status == PSA_SUCCESS) {
    status = cry_psa_agree(slot, peer_key, peer_key_length, secret);
  }
  if (status == PSA_SUCCESS) {
    status = input(operation, step, secret, slot->length);
    operation->may_give_key = true;
  }
  wipe(secret, sizeof secret);
  return PSA_SETTLE(operation, status);
}

// HMAC, with the key of the operation, of a chain and what is kept.
static psa_status_t mac(const operation_t *operation, const uint8_t *chain, size_t chain_length,
                        bool with_info, const uint8_t *counter, uint8_t *out) {
  const size_t seed = operation->seed_length;
  const uint8_t *info = operation->info;
  cryptile_hmac_ctx_t work = operation->keyed;
  cryptile_status_t status = cry_hmac_core_update(&work, chain, chain_length);
  if (status == CRYPTILE_OK && with_info) {
    status = cry_hmac_core_update(&work, info + seed, operation->info_length - seed);
    if (status == CRYPTILE_OK) {
      status = cry_hmac_core_update(&work, info, seed);
    }
  }
  if (status == CRYPTILE_OK && counter) {
    status = cry_hmac_core_update(&work, counter, 1);
  }
  if (status == CRYPTILE_OK) {
    status = cry_hmac_core_final(&work, out, hash_of(operation)->digest_size);
  }
  return cry_psa_from_cryptile(status);
}

// Makes the next block of output. That of HKDF-Extract is there.
static psa_status_t next_block(operation_t *operation) {
  const size_t size = hash_of(operation)->digest_size;
  const bool is_first = !operation->has_output;
  operation->has_output = true;
  operation->used = 0;
  if (is_extract(operation)) {
    return PSA_SUCCESS;
  }
  if (is_prf(operation)) {
    psa_status_t status =
        mac(operation, operation->chain, is_first ? 0 : size, is_first, NULL, operation->chain);
    return status == PSA_SUCCESS
               ? mac(operation, operation->chain, size, true, NULL, operation->block)
               : status;
  }
  operation->counter++;
  return mac(operation, operation->block, is_first ? 0 : size, true, &operation->counter,
             operation->block);
}

// Takes from the capacity; if there is not enough nothing is left of it.
static psa_status_t take(operation_t *operation, size_t length) {
  if (!operation->has_secret || !operation->has_info) {
    return PSA_ERROR_BAD_STATE;
  }
  if (length > operation->capacity) {
    operation->capacity = 0;
    return PSA_ERROR_INSUFFICIENT_DATA;
  }
  if (operation->capacity != PSA_KEY_DERIVATION_UNLIMITED_CAPACITY) {
    operation->capacity -= length;
  }
  return PSA_SUCCESS;
}

static psa_status_t draw(operation_t *operation, uint8_t *out, size_t length) {
  const size_t size = hash_of(operation)->digest_size;
  psa_status_t status = take(operation, length);
  while (status == PSA_SUCCESS && length != 0) {
    if (!operation->has_output || operation->used == size) {
      status = next_block(operation);
    }
    if (status == PSA_SUCCESS) {
      const size_t left = size - operation->used;
      const size_t part = length < left ? length : left;
      memcpy(out, operation->block + operation->used, part);
      operation->used = (uint8_t)(operation->used + part);
      out += part;
      length -= part;
    }
  }
  return status;
}

// Too little capacity is no reason to fail.
static psa_status_t settle(operation_t *operation, psa_status_t status) {
  return status == PSA_ERROR_INSUFFICIENT_DATA ? status : PSA_SETTLE(operation, status);
}

static WORK psa_status_t output_bytes(operation_t *operation, uint8_t *output,
                                      size_t output_length) {
  if (operation->phase != PSA_PHASE_ACTIVE) {
    return PSA_ERROR_BAD_STATE;
  }
  if (psa_is_missing(output, output_length)) {
    return PSA_SETTLE(operation, PSA_ERROR_INVALID_ARGUMENT);
  }
  const psa_status_t status = draw(operation, output, output_length);
  if (status != PSA_SUCCESS && output_length != 0) {
    memset(output, 0, output_length);
  }
  return settle(operation, status);
}

// Adds one to a number, the most significant byte first.
static void increment(uint8_t *number, size_t length) {
  unsigned carry = 1;
  for (size_t i = length; i-- != 0;) {
    carry += number[i];
    number[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

// Makes a key of drawn bytes as the standard wants for its type. For NIST's curves a number from 0
// to n - 2 is wanted, to which 1 is added: another one is drawn if import finds it too large.
static void shape(psa_key_type_t type, size_t bits, uint8_t *data, size_t length) {
  if (type == PSA_PAIR_SECP_R1) {
    psa_trim(type, bits, data);
    increment(data, length);
  } else if (type == PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)) {
    data[0] &= 248;
    data[31] = (uint8_t)((data[31] & 127) | 64);
  }
}

static WORK psa_status_t output_key(const psa_key_attributes_t *attributes, operation_t *operation,
                                    psa_key_id_t *key) {
  uint8_t data[PSA_KEY_MAX_BYTES];
  const size_t length = (attributes->bits + 7) / 8;
  *key = PSA_KEY_ID_NULL;
  if (operation->phase != PSA_PHASE_ACTIVE || !operation->has_secret) {
    return PSA_SETTLE(operation, PSA_ERROR_BAD_STATE);
  }
  if (!operation->may_give_key) {
    return PSA_SETTLE(operation, PSA_ERROR_NOT_PERMITTED);
  }
  psa_status_t status = cry_psa_key_fits(attributes, length);
  bool again = status == PSA_SUCCESS;
  while (again) {
    status = draw(operation, data, length);
    if (status == PSA_SUCCESS) {
      shape(attributes->type, attributes->bits, data, length);
      status = psa_import_key(attributes, data, length, key);
    }
    again = attributes->type == PSA_PAIR_SECP_R1 && status == PSA_ERROR_INVALID_ARGUMENT;
  }
  wipe(data, sizeof data);
  return settle(operation, status);
}

// What the parts of HMAC take.
static size_t stack(const operation_t *operation) {
  return hash_core_stack(cry_psa_hash_alg(operation->alg));
}

psa_status_t psa_key_derivation_input_bytes(operation_t *operation, psa_key_derivation_step_t step,
                                            const uint8_t *data, size_t data_length) {
  const size_t more = stack(operation);
  return WIPED(input_bytes(operation, step, data, data_length), STACK(448, 640) + more);
}

psa_status_t psa_key_derivation_input_key(operation_t *operation, psa_key_derivation_step_t step,
                                          psa_key_id_t key) {
  const size_t more = stack(operation);
  return WIPED(input_key(operation, step, key), STACK(448, 640) + more);
}

psa_status_t psa_key_derivation_key_agreement(operation_t *operation,
                                              psa_key_derivation_step_t step,
                                              psa_key_id_t private_key, const uint8_t *peer_key,
                                              size_t peer_key_length) {
  const size_t more = stack(operation);
  return WIPED(input_agreement(operation, step, private_key, peer_key, peer_key_length),
               STACK(576, 768) + more);
}

psa_status_t psa_key_derivation_output_bytes(operation_t *operation, uint8_t *output,
                                             size_t output_length) {
  const size_t more = stack(operation);
  return WIPED(output_bytes(operation, output, output_length), STACK(736, 928) + more);
}

psa_status_t psa_key_derivation_output_key(const psa_key_attributes_t *attributes,
                                           operation_t *operation, psa_key_id_t *key) {
  const size_t more = stack(operation);
  return WIPED(output_key(attributes, operation, key), STACK(1312, 1504) + more);
}
